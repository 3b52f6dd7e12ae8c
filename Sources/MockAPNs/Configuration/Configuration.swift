public import MockAPNsRules
public import MockAPNsTransport
public import MockAPNsWorld

/// Everything a server is started with.
///
/// The defaults serve a test: one free port on loopback, one event loop.
public struct Configuration: Sendable {
    /// The certificate that the server shows, with its key.
    public struct Identity: Sendable {
        /// The certificate, then any intermediate ones, in PEM.
        public let certificateChainPEM: String
        /// The key of the first certificate, in PEM.
        public let privateKeyPEM: String

        /// A certificate chain and the key of its first certificate.
        public init(certificateChainPEM: String, privateKeyPEM: String) {
            self.certificateChainPEM = certificateChainPEM
            self.privateKeyPEM = privateKeyPEM
        }
    }

    /// A key that provider tokens may be signed with.
    public struct Key: Sendable {
        /// What the key may do.
        public let key: ProviderKey
        /// The public key, or the private one it is the half of, in PEM.
        public let pem: String

        /// A key of a provider.
        public init(key: ProviderKey, pem: String) {
            self.key = key
            self.pem = pem
        }
    }

    /// Where to listen.
    public var listeners = [ListenAddress(host: "127.0.0.1", port: 0)]
    /// The certificate to show; `nil` makes a certificate authority and a certificate that live in memory.
    public var identity: Identity?
    /// What faults show instead of `identity`; `nil` for certificates of an untrusted authority.
    ///
    /// Without an `identity`, they are made with it.
    public var faultyCertificates: FaultyCertificates?
    /// The host names and addresses a certificate made in memory is for, besides those it always has.
    public var additionalNames: [String] = []
    /// The number of event loops, which share the connections; 1 makes everything that is counted exact.
    public var threads = 1
    /// The keys of providers; a development key is made when there are none.
    public var keys: [Key] = []
    /// How strict the rules are.
    public var rules = RuleOptions()
    /// The checks in their order.
    public var pipeline = Pipeline.standard
    /// Limits and choices of the transport.
    public var transport = TransportOptions()
    /// The largest number of connections at a time, over all listeners and namespaces; more are closed at once.
    public var maxConnections = Int.max
    /// How much of what arrived is kept.
    public var journal = Journal.Capacity()
    /// How devices are treated.
    public var deviceOptions = Devices.Options()
    /// The devices that are there at the start, and again after a reset.
    public var devices: [DeviceDraft] = []
    /// The faults that are in force at the start, and again after a reset.
    public var faults: [FaultDraft] = []
    /// The moment at which the world's clock is stopped from the start; `nil` for a running clock.
    public var clock: Timestamp?
    /// Where generated ids and device tokens come from; the same seed gives the same ids in a run with one thread.
    public var seed: UInt64 = .random(in: .min ... .max)
    /// The clock that measures how long namespaces are idle; only tests set it.
    var monotonicNow: @Sendable () -> ContinuousClock.Instant = { .now }
    /// Told of every connection that ended badly, on the connection's event loop; it must not block.
    public var onConnectionProblem: (@Sendable (ConnectionProblem) -> Void)?

    /// Told, in one line for people, that connections wait or are closed for want of file descriptors or because of
    /// `maxConnections`; once a minute at most, on an event loop: it must not block.
    public var onShortage: (@Sendable (String) -> Void)?

    /// The defaults.
    public init() {}
}

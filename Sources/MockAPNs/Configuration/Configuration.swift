package import MockAPNsFormats
package import MockAPNsLog
public import MockAPNsRules
public import MockAPNsTransport
public import MockAPNsWorld

/// The configuration of a server.
///
/// The defaults are suitable for a test: one free port on loopback, one event loop.
public struct Configuration: Sendable {
    /// The server's certificate and its key.
    public struct Identity: Sendable {
        /// The certificate, followed by intermediate certificates, in PEM.
        public let certificateChainPEM: String
        /// The key of the first certificate, in PEM.
        public let privateKeyPEM: String

        /// Creates an identity.
        public init(certificateChainPEM: String, privateKeyPEM: String) {
            self.certificateChainPEM = certificateChainPEM
            self.privateKeyPEM = privateKeyPEM
        }
    }

    /// A key with which provider tokens may be signed.
    public struct Key: Sendable {
        /// The permissions of the key.
        public let key: ProviderKey
        /// The public key, or its private key, in PEM.
        public let pem: String

        /// Creates a key.
        public init(key: ProviderKey, pem: String) {
            self.key = key
            self.pem = pem
        }
    }

    /// What keeps the worlds of a server, and how.
    package struct Keeping: Sendable {
        /// The stores of the worlds.
        package let stores: KeptStores
        /// The settings of their writers.
        package var options = LogWriter.Options()
        /// Makes the conditions of faults and the verifiers of keys from their texts, for all worlds.
        let material: WorldKeeper.Material
        /// Called with a line for people when worlds cannot be kept, and when they can again.
        package var onTrouble: @Sendable (String) -> Void = { _ in }
        /// The log that other servers share; `nil` if the worlds are this server's alone.
        package var sharing: Sharing?
        /// How long a server that stops waits for its stores at least, before it interrupts them.
        package var stopTimeout = Duration.seconds(3)

        package init(in stores: KeptStores, match: @escaping @Sendable (String) -> FaultDraft.Match?) {
            self.stores = stores
            material = WorldKeeper.Material(match: match)
        }

        package init(sharing: Sharing, match: @escaping @Sendable (String) -> FaultDraft.Match?) {
            self.init(in: sharing.stores, match: match)
            self.sharing = sharing
        }
    }

    /// How a server shares its worlds with others.
    package struct Sharing: Sendable {
        /// The shared log with its stores.
        package let stores: KeptStores
        package var options = LogTurns.Options()
        /// The name of this server among them.
        package var name: String
        /// The version of mock-apns.
        package var version: String

        package init(_ stores: KeptStores, name: String, version: String) {
            self.stores = stores
            self.name = name
            self.version = version
        }
    }

    /// The addresses to listen on.
    public var listeners = [ListenAddress(host: "127.0.0.1", port: 0)]
    /// The addresses of the binary interface and its feedback service; none by default, like the real service
    /// since 2021.
    public var binaryListeners: [ListenAddress] = []
    /// The addresses to listen on for channel management only; the `listeners` serve it, too.
    public var channelListeners: [ListenAddress] = []
    /// The server's certificate; `nil` creates an authority and a certificate in memory.
    public var identity: Identity?
    /// The certificates that faults use instead of `identity`; `nil` for those of an untrusted authority.
    ///
    /// Without an `identity`, they are created along with it.
    public var faultyCertificates: FaultyCertificates?
    /// The additional host names and addresses of a certificate created in memory.
    public var additionalNames: [String] = []
    /// The number of event loops, which share the connections; with 1, all counts are exact.
    public var threads = 1
    /// The keys of providers; without any, a development key is created.
    public var keys: [Key] = []
    /// Which client certificates authenticate providers, and what is stored of them.
    public var clientCertificates = ClientCertificates.Options()
    /// The options of the rules.
    public var rules = RuleOptions()
    /// The checks in order.
    public var pipeline = Pipeline.standard
    /// The options of the transport.
    public var transport = TransportOptions()
    /// The maximum number of connections of all listeners and namespaces; further ones are closed immediately.
    public var maxConnections = Int.max
    /// The capacity of the journal.
    public var journal = Journal.Capacity()
    /// The options of devices.
    public var deviceOptions = Devices.Options()
    /// The options of broadcast channels.
    public var channelOptions = Channels.Options()
    /// The devices at startup, restored by a reset.
    public var devices: [DeviceDraft] = []
    /// The faults at startup, restored by a reset.
    public var faults: [FaultDraft] = []
    /// The schemas of apps at startup, restored by a reset.
    package var schemas: [AppKey<AppSchemaName>: JSONSchema] = [:]
    /// The time at which the world's clock is frozen at startup; `nil` for a running clock.
    public var clock: Timestamp?
    /// The seed of generated IDs and device tokens; with one thread, the same seed gives the same IDs.
    public var seed: UInt64 = .random(in: .min ... .max)
    /// What keeps the worlds of all namespaces; `nil` keeps them in memory only.
    package var keeping: Keeping?
    /// Lets clients wait for the answers of the service that pushes are forwarded to; `nil` answers at once.
    package var forwardAnswers: ForwardAnswers?
    /// Whether pushes of all namespaces are forwarded, and not only those of the default one.
    package var forwardsNamespaces = false
    /// The clock that measures how long namespaces are idle; set only by tests.
    var monotonicNow: @Sendable () -> ContinuousClock.Instant = { .now }
    /// Called for every connection that ended with a problem, on its event loop; it must not block.
    public var onConnectionProblem: (@Sendable (ConnectionProblem) -> Void)?
    /// Called if connections wait or are closed because of `maxConnections` or a lack of descriptors.
    ///
    /// At most once a minute, on an event loop: it must not block.
    public var onShortage: (@Sendable (String) -> Void)?

    /// Creates the default configuration.
    public init() {}
}

/// The reason why the text of a setting is invalid.
public struct InvalidSetting: Error, Equatable, Sendable, CustomStringConvertible {
    /// The invalid value, and what was expected.
    public let description: String
}

/// Everything that affects a verdict besides the request itself, and the results of the checks so far.
///
/// There is one per connection, used only on the connection's event loop. `begin` resets it for the next
/// request.
public struct Situation {
    /// The environment of the listener.
    public let environment: Environment
    /// The client's certificate, unless certificates are ignored; it replaces provider tokens.
    public let certificate: ClientCertificate?
    /// Whether there is a certificate; cheaper to ask than to look at it.
    let hasCertificate: Bool
    /// The client's address, without its port.
    let address: String
    /// Whether the push comes by the binary interface, where a certificate replaces the provider token.
    let isBinary: Bool
    /// The options of the rules.
    public private(set) var options = RuleOptions()
    /// The time of the request on the world's clock.
    public private(set) var now = Timestamp(microseconds: 0)
    /// Why the server refuses every request; `nil` if it does not.
    public private(set) var refusal: Reason?

    /// The provider token of the request, after a check has read it.
    public internal(set) var credential: ProviderCredential?
    /// The result of verifying the provider token.
    public internal(set) var verification = TokenVerification.notChecked
    /// The device token of the path, after a check has read it.
    public internal(set) var deviceToken: DeviceToken?
    /// The registration of the device token, after a check has looked it up.
    public internal(set) var registered: RegisteredToken?
    /// When the device token became invalid, if a check returned 410.
    public internal(set) var deadSince: Timestamp?
    /// The service of the request, after the checks have begun.
    public internal(set) var service = Service.push
    /// What a request of another service than pushes asks for, after a check has read its path.
    public internal(set) var channelRequest: ChannelRequest?
    /// Whether the listener only serves channel management.
    public let hasOnlyChannels: Bool

    /// Whether the connection has a valid certificate, or has had a request with a valid provider token.
    ///
    /// Documented: before that, a connection with provider tokens may have one stream.
    public internal(set) var isAuthenticated: Bool
    /// The key of the connection's first provider token.
    public internal(set) var boundKey: ProviderKey?
    /// The last provider token whose key is related to `boundKey`, so that the key is not compared again.
    var relatedCredential: ProviderCredential?
    var updateWindows = TokenUpdateWindows()
    /// Until when every provider token is rejected, because one changed too soon; `nil` if none is.
    var blockedUntil: Timestamp?
    /// The version of the headers that have passed all stable checks, and their provider token; 0 for none.
    private var passed: (headerVersion: UInt64, credential: ProviderCredential?) = (0, nil)
    private var hasPassed = false
    private var edition: UInt64 = 0

    let authority: any ProviderTokenAuthority
    let devices: any DeviceDirectory
    let channels: any ChannelDirectory

    /// Creates the situation of a new connection.
    ///
    /// Without `channels`, there are none. With `hasOnlyChannels`, every other path is a BadPath.
    public init(
        environment: Environment, certificate: ClientCertificate? = nil, address: String = "", isBinary: Bool = false,
        authority: any ProviderTokenAuthority, devices: any DeviceDirectory, channels: (any ChannelDirectory)? = nil,
        hasOnlyChannels: Bool = false
    ) {
        self.environment = environment
        self.certificate = certificate?.standing == .ignored ? nil : certificate
        hasCertificate = self.certificate != nil
        self.address = address
        isAuthenticated = certificate?.isValid(in: environment) == true
        self.isBinary = isBinary
        self.authority = authority
        self.devices = devices
        self.channels = channels ?? NoChannels.shared
        self.hasOnlyChannels = hasOnlyChannels
    }

    /// Discards the results of the last request and sets the conditions of the next one.
    ///
    /// - Parameters:
    ///   - now: The time on the world's clock.
    ///   - options: The options of the rules.
    ///   - refusal: Why the server refuses every request; `nil` if it does not.
    ///   - edition: A number that changes with `options`, `refusal`, the keys and the order of the checks; 0 if there is
    ///     no such number.
    public mutating func begin(at now: Timestamp, options: RuleOptions, refusal: Reason? = nil, edition: UInt64 = 0) {
        if edition != self.edition || edition == 0 {
            self.edition = edition
            self.options = options
            self.refusal = refusal
            passed = (0, nil)
        }
        self.now = now
        credential = nil
        verification = .notChecked
        deviceToken = nil
        registered = nil
        deadSince = nil
    }

    /// Returns the service whose checks a request gets.
    @inlinable public func service(of request: borrowing RequestView) -> Service {
        hasOnlyChannels ? .channels : request.service
    }

    /// Prepares for a request to broadcast or to manage channels, whose headers are not remembered.
    mutating func beginChannelRequest(for service: Service) {
        self.service = service
        channelRequest = nil
        hasPassed = false
    }

    /// Returns whether the headers of the current request have passed all stable checks.
    mutating func recall(_ headerVersion: UInt64) -> Bool {
        hasPassed = headerVersion != 0 && headerVersion == passed.headerVersion
        return hasPassed
    }

    /// Uses the verified credential that was found for the same headers, if there is one.
    mutating func recallCredential() -> Bool {
        if hasPassed { (credential, verification) = (passed.credential, .verified) }
        return hasPassed
    }

    /// Remembers the headers of an accepted request.
    mutating func remember(_ headerVersion: UInt64) {
        guard headerVersion != passed.headerVersion, verification == .verified || verification == .certificate else {
            return
        }
        passed = (headerVersion, credential)
    }
}

/// The channels of a place that has none.
private final class NoChannels: ChannelDirectory, Sendable {
    static let shared = NoChannels()

    func allowsBroadcasts(to bundleID: String) -> Bool { true }
    func storage(of channel: ChannelID, in app: ChannelApp) -> ChannelStorage? { nil }
    func admits(_ channel: ChannelID, rate: RuleOptions.Rate, at now: Timestamp) -> Bool { true }
    func hasRoom(in app: ChannelApp) -> Bool { true }
}

/// Everything a verdict depends on besides the request itself, and what the checks found on their way.
///
/// One per connection; it lives on the connection's event loop. `begin` makes it ready for the next request.
public struct Situation {
    /// The environment of the listener.
    public let environment: Environment
    /// How strict to be.
    public private(set) var options = RuleOptions()
    /// The time of the request on the world's clock.
    public private(set) var now = Timestamp(microseconds: 0)
    /// Whether the server is going down.
    public private(set) var isStopping = false

    /// The provider token of the request, once a check has looked at it.
    public internal(set) var credential: ProviderCredential?
    /// What came of looking at the provider token.
    public internal(set) var verification = TokenVerification.notChecked
    /// The device token of the path, once a check has read it.
    public internal(set) var deviceToken: DeviceToken?
    /// What is known of the device token, once a check has looked for it.
    public internal(set) var registered: RegisteredToken?
    /// The time at which the device token died, where a check answered 410.
    public internal(set) var deadSince: Timestamp?

    /// Whether a request with a valid provider token has been seen on the connection.
    ///
    /// Documented: until then a token connection may have one stream.
    public internal(set) var isAuthenticated = false
    /// The key that the connection began with.
    public internal(set) var boundKey: ProviderKey?
    /// The last provider token whose key goes with `boundKey`: the key need not be looked at again.
    var relatedCredential: ProviderCredential?
    var updateWindows = TokenUpdateWindows()

    let authority: any ProviderTokenAuthority
    let devices: any DeviceDirectory

    /// The situation of a connection that has just been opened.
    public init(environment: Environment, authority: any ProviderTokenAuthority, devices: any DeviceDirectory)
    {
        self.environment = environment
        self.authority = authority
        self.devices = devices
    }

    /// Forgets the last request and takes what is true for the next one.
    public mutating func begin(at now: Timestamp, options: RuleOptions, isStopping: Bool) {
        self.now = now
        self.options = options
        self.isStopping = isStopping
        credential = nil
        verification = .notChecked
        deviceToken = nil
        registered = nil
        deadSince = nil
    }
}

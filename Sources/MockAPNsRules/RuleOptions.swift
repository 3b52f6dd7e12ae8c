/// How strict the rules are, and what they do where the real service's behaviour is not known for certain.
public struct RuleOptions: Sendable {
    /// The nesting limit for payloads and provider tokens, which prevents input from exhausting the stack.
    static let deepestJSON = 512

    /// How provider tokens are looked at.
    public enum Authentication: String, CaseIterable, Sendable {
        /// Signature, key, team, age and scope.
        case verify
        /// Everything but the signature: for providers whose key the server does not have.
        case wellformed
        /// Nothing at all.
        case any
    }

    /// What happens to a well-formed device token that nobody registered.
    public enum UnknownTokens: String, CaseIterable, Sendable {
        /// The push is accepted.
        case accept
        /// BadDeviceToken.
        case reject
    }

    /// A limit on pushes to one device token.
    public struct DeviceRate: Equatable, Sendable {
        /// The number of pushes allowed in a burst.
        public let count: Int
        /// The time in which a used-up burst is allowed again, in microseconds.
        public let interval: Int64

        /// Allows `count` pushes per `interval` microseconds.
        public init(count: Int, interval: Int64) {
            self.count = count
            self.interval = interval
        }
    }

    /// How provider tokens are looked at.
    public var authentication = Authentication.verify
    /// What happens to device tokens that nobody registered.
    public var unknownTokens = UnknownTokens.accept
    /// The limit on pushes to one device token; the real threshold is unpublished, so there is none by default.
    public var deviceRate: DeviceRate?
    /// The errors in a row after which a connection is ended, counted as `Reason.errorWeight` says; 0 for no limit.
    ///
    /// Documented without its threshold.
    public var errorLimit = 0
    /// The shortest time between two provider tokens of one key, in microseconds; 0 for no limit.
    public var tokenUpdateInterval: Int64 = 20 * 60 * 1_000_000
    /// How old a provider token may be, and how far ahead of the clock, in microseconds.
    public var tokenLifetime: Int64 = 3_600 * 1_000_000

    /// Whether a body that is not JSON is refused (BadRequestPayload); the real service answers 200.
    public var refusesInvalidJSON = false
    /// Whether `apns-id` must be in lower case.
    public var requiresLowerCaseID = false
    /// Whether an `iat` that is a string of digits is refused.
    public var refusesTextIssuedAt = false
    /// Whether a provider token may say ES512, as one client does with the same P-256 key.
    public var acceptsES512 = false
    /// Whether the claim `sub`, where the key is topic-specific, must be the topic's bundle identifier.
    public var requiresSubject = false
    /// Whether a background push may have `apns-priority: 10`.
    public var allowsImmediateBackground = false
    /// Whether a push type that does not fit the topic is refused in the sandbox alone.
    public var checksPushTypeInSandboxOnly = false
    /// Whether a key of the other environment is named BadEnvironmentKeyIdInToken, as documented.
    public var usesDocumentedEnvironmentReason = false
    /// The reason for a token issued too far ahead: ExpiredProviderToken, or InvalidProviderToken.
    public var futureTokenReason = Reason.expiredProviderToken
    /// The reason for another team's token on a connection: InvalidProviderToken, or Forbidden.
    public var otherTeamReason = Reason.invalidProviderToken
    /// Whether token updates are limited per key over all connections of an event loop.
    public var limitsTokenUpdatesPerKey = false
    /// Whether error answers carry `content-type: application/json`, as in Apple's sample but in no real dump.
    public var sendsErrorContentType = false
    /// Whether a device token beginning with `dead` and a status is answered with that status.
    public var answersOnDemand = true

    /// The defaults.
    public init() {}

    /// Turns every leniency off.
    public mutating func makeStrict() { setStrict(true) }

    /// Turns every leniency on.
    public mutating func makeLenient() { setStrict(false) }

    /// Whether every leniency is off.
    public var isStrict: Bool {
        unknownTokens == .reject && refusesInvalidJSON && requiresLowerCaseID && refusesTextIssuedAt
    }

    private mutating func setStrict(_ isStrict: Bool) {
        unknownTokens = isStrict ? .reject : .accept
        refusesInvalidJSON = isStrict
        requiresLowerCaseID = isStrict
        refusesTextIssuedAt = isStrict
    }
}

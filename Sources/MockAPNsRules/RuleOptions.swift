/// How strict the rules are, and what they do where the behavior of the real service is uncertain.
public struct RuleOptions: Equatable, Sendable {
    /// The nesting limit for payloads and provider tokens, which prevents input from exhausting the stack.
    static let deepestJSON = 512

    /// How provider tokens are verified.
    public enum Authentication: String, CaseIterable, Sendable {
        /// Signature, key, team, age and scope.
        case verify
        /// Everything except the signature, for providers whose key the server does not have.
        case wellformed
        /// Nothing.
        case any
    }

    /// What happens to a push to a well-formed device token that is not registered.
    public enum UnknownTokens: String, CaseIterable, Sendable {
        /// The push is accepted.
        case accept
        /// BadDeviceToken.
        case reject
    }

    /// What a client with an invalid certificate gets.
    public enum BadCertificate: CaseIterable, Sendable {
        /// A GOAWAY after its first request.
        case goAway
        /// 403 for each request.
        case answer
        /// A TLS alert.
        case alert
    }

    /// What the limit on updates of provider tokens counts for.
    public enum TokenUpdateScope: String, CaseIterable, Sendable {
        /// Each key on a connection (documented for the connection).
        case connection
        /// Each key on all connections.
        case key
        /// All keys of a team, which count as one (https://developer.apple.com/forums/thread/702056, staff).
        case team
        /// All tokens from one address of a client (https://developer.apple.com/forums/thread/770438, observed).
        case address
    }

    /// A limit on pushes to one device token, or on broadcasts to one channel.
    public struct Rate: Equatable, Sendable {
        /// The number of pushes allowed in a burst.
        public let count: Int
        /// The time in which the burst is replenished, in microseconds.
        public let interval: Int64

        /// Creates a limit of `count` pushes per `interval` microseconds.
        public init(count: Int, interval: Int64) {
            self.count = count
            self.interval = interval
        }
    }

    /// How provider tokens are verified.
    public var authentication = Authentication.verify
    /// What happens to pushes to device tokens that are not registered.
    public var unknownTokens = UnknownTokens.accept
    /// The limit on pushes to one device token; none by default, because the real threshold is unpublished.
    public var deviceRate: Rate?
    /// The limit on broadcasts to one channel; none by default, because the real threshold is dynamic.
    public var channelRate: Rate?
    /// The number of consecutive errors after which a connection is closed, weighted by `Reason.errorWeight`.
    ///
    /// 0 means no limit. Documented without a threshold.
    public var errorLimit = 0
    /// The minimum time between two provider tokens of one key, in microseconds; 0 for no minimum.
    public var tokenUpdateInterval: Int64 = 20 * 60 * 1_000_000
    /// The maximum age of a provider token, and the maximum time it may be ahead of the clock, in
    /// microseconds.
    public var tokenLifetime: Int64 = 3_600 * 1_000_000

    /// Whether a body that is not JSON is rejected (BadRequestPayload); the real service answers 200.
    public var refusesInvalidJSON = false
    /// Whether `apns-id` must be in lower case.
    public var requiresLowerCaseID = false
    /// Whether the algorithm of a provider token may be ES512, which one client uses with the same P-256 key.
    public var acceptsES512 = false
    /// Whether the claim `sub` of a token with a topic-specific key must be the topic's bundle identifier.
    public var requiresSubject = false
    /// Whether a background push may have `apns-priority: 10`.
    public var allowsImmediateBackground = false
    /// Whether a push type that does not match the topic is rejected only in the sandbox.
    public var checksPushTypeInSandboxOnly = false
    /// Whether a key of the other environment gets BadEnvironmentKeyIdInToken, as documented.
    public var usesDocumentedEnvironmentReason = false
    /// The reason for a token from the future: ExpiredProviderToken or InvalidProviderToken.
    public var futureTokenReason = Reason.expiredProviderToken
    /// The reason for another team's token on a connection: InvalidProviderToken or Forbidden.
    public var otherTeamReason = Reason.invalidProviderToken
    /// What a client with an invalid certificate gets; that of the other environment always gets a GOAWAY.
    public var badCertificate = BadCertificate.goAway
    /// What the limit on token updates counts for.
    public var tokenUpdateScope = TokenUpdateScope.connection
    /// Whether a provider token counts as an update even if it is invalid.
    ///
    /// Observed: https://developer.apple.com/forums/thread/770438.
    public var countsInvalidTokens = false
    /// Whether a connection whose token changed too soon gets TooManyProviderTokenUpdates for every token until a new
    /// one would be accepted.
    ///
    /// Apple's staff: https://developer.apple.com/forums/thread/675879.
    public var blocksAfterTokenUpdate = false
    /// Whether a provider token in standard Base64, or with padding, is rejected.
    public var requiresBase64URL = false
    /// Whether error responses have `content-type: application/json`, as in Apple's sample but in no real
    /// dump.
    public var sendsErrorContentType = false
    /// Whether the binary interface reports the token of an uninstalled app as an invalid token.
    ///
    /// Otherwise only the feedback service does (documented).
    public var gatewayReportsUnregistered = false
    /// Whether a device token that begins with `dead` and a status gets that status.
    public var answersOnDemand = true

    /// The defaults.
    public init() {}

    /// Whether all options have their strictest values; `false` sets them to their most lenient ones.
    public var isStrict: Bool {
        get { unknownTokens == .reject && refusesInvalidJSON && requiresLowerCaseID }
        set {
            unknownTokens = newValue ? .reject : .accept
            refusesInvalidJSON = newValue
            requiresLowerCaseID = newValue
        }
    }
}

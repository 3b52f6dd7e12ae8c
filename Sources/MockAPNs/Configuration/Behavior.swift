public import MockAPNsRules
internal import MockAPNsTransport

/// An option for behavior that is uncertain in the real service, or that only some users want.
///
/// To add one, add a row. The command line's `--behavior`, the documents and `/api/v1/info` are derived from
/// the rows.
public struct Behavior: Sendable {
    /// The stable name, used on the command line.
    public let name: String
    /// The values; the first one is the default.
    public let values: [String]
    /// What the values mean, and why there is an option.
    public let meaning: String
    private let way: Way

    /// Where an option is stored.
    private enum Way: Sendable {
        /// In the rules; it can be changed while the server runs.
        case rules(write: @Sendable (inout RuleOptions, Int) -> Void, read: @Sendable (RuleOptions) -> Int)
        /// In the transport; it is fixed at startup.
        case transport(@Sendable (inout TransportOptions, Int) -> Void)
    }

    private init(_ name: String, _ values: [String], _ meaning: String, _ way: Way) {
        self.name = name
        self.values = values
        self.meaning = meaning
        self.way = way
    }

    /// Creates an option of the rules; `settings` are its values there, in the same order.
    private init<Setting: Equatable & Sendable>(
        _ name: String, _ values: [String], _ meaning: String,
        _ rule: any WritableKeyPath<RuleOptions, Setting> & Sendable, _ settings: [Setting]
    ) {
        let way = Way.rules(
            write: { $0[keyPath: rule] = settings[$1] }, read: { settings.firstIndex(of: $0[keyPath: rule]) ?? 0 })
        self.init(name, values, meaning, way)
    }

    /// Creates an option of the rules with the values `false` and `true`, in this order.
    private init(
        _ name: String, _ values: [String], _ meaning: String, _ rule: any WritableKeyPath<RuleOptions, Bool> & Sendable
    ) { self.init(name, values, meaning, rule, [false, true]) }

    /// Whether the option can be changed while the server runs.
    public var isForRunTime: Bool { if case .rules = way { true } else { false } }

    /// Returns the current value; `nil` for an option that is fixed at startup.
    public func value(in options: RuleOptions) -> String? {
        if case .rules(_, let read) = way { values[read(options)] } else { nil }
    }

    /// Sets the value; does nothing for an option that is fixed at startup.
    public func choose(_ value: String, in options: inout RuleOptions) {
        guard case .rules(let write, _) = way, let position = values.firstIndex(of: value) else { return }
        write(&options, position)
    }

    /// Sets an option written as `name=value`.
    public static func choose(_ text: String, in configuration: inout Configuration) throws(InvalidSetting) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw InvalidSetting(description: "'\(text)' is not of the form name=value") }
        guard let behavior = all.first(where: { $0.name == parts[0] }) else {
            let names = all.map(\.name).joined(separator: ", ")
            throw InvalidSetting(description: "unknown behavior '\(parts[0])'; expected one of \(names)")
        }
        guard let value = behavior.values.firstIndex(of: parts[1]) else {
            let values = behavior.values.joined(separator: " or ")
            throw InvalidSetting(description: "invalid value '\(parts[1])' of \(behavior.name): expected \(values)")
        }
        switch behavior.way {
        case .rules(let write, _): write(&configuration.rules, value)
        case .transport(let write): write(&configuration.transport, value)
        }
    }

    /// All options.
    public static let all: [Behavior] = [
        Behavior(
            "background-priority", ["reject", "accept"],
            "apns-priority 10 on a background push: documented as an error, its reason unproven (BadPriority).",
            \.allowsImmediateBackground),
        Behavior(
            "push-type-mismatch", ["both", "sandbox-only"],
            "Where a push type that does not fit the topic is refused: one report saw it in the sandbox alone.",
            \.checksPushTypeInSandboxOnly),
        Behavior(
            "environment-reason", ["wire", "documented"],
            "BadEnvironmentKeyInToken, as seen on the wire, or BadEnvironmentKeyIdInToken, as documented.",
            \.usesDocumentedEnvironmentReason),
        Behavior(
            "error-content-type", ["absent", "present"],
            "Whether error responses have content-type: application/json, as in the sample but in no real dump.",
            \.sendsErrorContentType),
        Behavior(
            "future-token", ["expired", "invalid"],
            "The reason for a provider token issued over an hour ahead: ExpiredProviderToken or InvalidProviderToken.",
            \.futureTokenReason, [.expiredProviderToken, .invalidProviderToken]),
        Behavior(
            "other-team", ["invalid", "forbidden"],
            "The reason for another team's token on a connection: InvalidProviderToken or Forbidden.",
            \.otherTeamReason, [.invalidProviderToken, .forbidden]),
        Behavior(
            "bad-certificate", ["goaway", "answer", "alert"],
            "What an invalid client certificate gets: GOAWAY, as seen with one of the other environment, 403, or an alert.",
            \.badCertificate, [.goAway, .answer, .alert]),
        Behavior(
            "token-update-scope", ["connection", "key", "team", "address"],
            "What the 20 minutes between provider tokens count for: each key on a connection, as documented, or on all"
                + " connections; a team, as Apple's staff says; or a client's address, as one report saw.",
            \.tokenUpdateScope, [.connection, .key, .team, .address]),
        Behavior(
            "token-update-count", ["valid", "all"],
            "Whether invalid provider tokens count as updates too, as one report saw: TooManyProviderTokenUpdates in place"
                + " of InvalidProviderToken.", \.countsInvalidTokens),
        Behavior(
            "token-update-block", ["token", "connection"],
            "What TooManyProviderTokenUpdates refuses: the new token, or every token on the connection until the 20"
                + " minutes are over, as Apple's staff says.", \.blocksAfterTokenUpdate),
        Behavior(
            "token-base64", ["any", "url"],
            "Whether a provider token may be standard Base64 or padded, as dotAPNS and CorePush send it, or must be"
                + " Base64URL without padding, as documented.", \.requiresBase64URL),
        Behavior(
            "token-subject", ["ignored", "required"],
            "Whether a topic-specific key needs the bundle identifier as the claim sub.", \.requiresSubject),
        Behavior(
            "token-es512", ["reject", "accept"],
            "Whether a provider token may be signed as ES512 with the same P-256 key, as edamov/pushok does.",
            \.acceptsES512),
        Behavior(
            "apns-id-case", ["any", "lower"], "Whether apns-id must be in lower case, as documented.",
            \.requiresLowerCaseID),
        Behavior(
            "invalid-json", ["accept", "reject"],
            "Whether a body that is not JSON is answered 200, as by the real service, or BadRequestPayload.",
            \.refusesInvalidJSON),
        Behavior(
            "answer-tokens", ["on", "off"], "Whether device tokens such as dead0410... ask for a response.",
            \.answersOnDemand, [true, false]),
        Behavior(
            "gateway-unregistered", ["feedback", "invalid-token"],
            "Who reports an uninstalled app's token to the binary interface: the feedback service, or also status 8.",
            \.gatewayReportsUnregistered),
        Behavior(
            "over-limit-stream", ["refuse", "goaway"],
            "What a stream over the limit gets: REFUSED_STREAM, or the GOAWAY seen in 2016.",
            .transport { $0.overLimit = $1 == 0 ? .refuseStream : .goAway }),
        Behavior(
            "goaway", ["single", "double"],
            "Whether a GOAWAY with a reason is followed by one without, as seen in 2016.",
            .transport { $0.repeatsGoAway = $1 == 1 }),
        Behavior(
            "alpn", ["optional", "required"],
            "Whether the TLS handshake fails unless h2 is offered; the real service goes on.",
            .transport { $0.requiresALPN = $1 == 1 }),
    ]
}

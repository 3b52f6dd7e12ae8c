/// One mistake of a request, and the check that finds it.
struct DriftDefect: Sendable {
    /// What a defect changes; two that change the same cannot be combined.
    enum Part: Sendable {
        case method
        case path
        case token
        case messageID
        case expiration
        case priority
        case collapseID
        case pushType
        case topic
        case body
        /// A header that is no part of its own.
        case other
    }

    let id: String
    let parts: Set<Part>
    /// The name of the check in `--check-order`.
    let check: String
    let decides: String
    let source: String
    var choices: [DriftCase.Choice] = []
    /// Whether the service may accept the provider token.
    var mayBeValid = false
    let change: DriftCase.Change

    /// Every defect, in the order of the mock's checks.
    static let all: [DriftDefect] =
        methods + paths + repeated + tokens + issued + headers + types + topics + bodies + devices

    /// The reason of each check whose place in the order is compared.
    static let reasons = [
        "method": "MethodNotAllowed", "path": "BadPath", "single-headers": "DuplicateHeaders",
        "provider-token-present": "MissingProviderToken", "provider-token-valid": "InvalidProviderToken",
        "provider-token-age": "ExpiredProviderToken", "device-token-present": "MissingDeviceToken",
        "apns-id": "BadMessageId", "apns-expiration": "BadExpirationDate", "apns-priority": "BadPriority",
        "apns-collapse-id": "BadCollapseId", "apns-push-type": "InvalidPushType", "topic-present": "MissingTopic",
        "topic-form": "BadTopic", "topic-allowed": "TopicDisallowed", "payload-present": "PayloadEmpty",
        "payload-size": "PayloadTooLarge", "device-token-form": "BadDeviceToken",
    ]

    /// Whether pairs of it decide the order of checks.
    ///
    /// Only if the mistake is one beyond doubt: what an option of `serve` may accept would tell nothing about the order.
    var isForOrder: Bool { choices.isEmpty && !mayBeValid && isCertain && Self.reasons[check] != nil }

    /// Whether the mock refuses the request for this mistake; others are accepted by some, and tell nothing.
    var isCertain = false

    /// Whether the token may be valid, and is from another time than the shared one.
    var isRenewed = false

    func renewed() -> DriftDefect {
        var defect = self
        defect.isRenewed = true
        return defect
    }

    func certain() -> DriftDefect {
        var defect = self
        defect.isCertain = true
        return defect
    }
}

/// How rows are written.
extension DriftDefect {
    static let inferred = "inferred"
    /// Of tokens that one source accepts and another refuses.
    static let contradicting = "contradicting sources"
    static let documented = "documented: sending"

    static func header(
        _ id: String, _ part: Part, _ check: String, _ name: String, _ value: String?, _ decides: String,
        _ source: String = inferred, _ choices: [DriftCase.Choice] = []
    ) -> DriftDefect {
        DriftDefect(id: id, parts: [part], check: check, decides: decides, source: source, choices: choices) {
            draft, _ in draft.set(name, value)
        }
    }

    static func token(
        _ id: String, _ check: String, _ decides: String, _ source: String = inferred,
        _ choices: [DriftCase.Choice] = [], _ credential: @escaping @Sendable (DriftProvider) -> DriftDraft.Credential
    ) -> DriftDefect {
        DriftDefect(
            id: "token-\(id)", parts: [.token], check: check, decides: decides, source: source, choices: choices,
            mayBeValid: source == contradicting
        ) { $0.credential = credential($1) }
    }

    static func body(
        _ id: String, _ check: String, _ decides: String, _ source: String, _ choices: [DriftCase.Choice] = [],
        _ body: [UInt8]
    ) -> DriftDefect {
        DriftDefect(id: "body-\(id)", parts: [.body], check: check, decides: decides, source: source, choices: choices)
        { draft, _ in draft.body = body }
    }

    static func signed(
        header: String? = nil, claims: String? = nil, _ change: DriftDraft.Change = .none
    ) -> @Sendable (DriftProvider) -> DriftDraft.Credential {
        { provider in
            func filled(_ text: String) -> String {
                text.replacing("KEY", with: provider.keyID).replacing("TEAM", with: provider.teamID).replacing(
                    "NOW", with: "\(provider.now)")
            }
            return .token(
                header: filled(header ?? #"{"alg":"ES256","kid":"KEY"}"#),
                claims: filled(claims ?? #"{"iss":"TEAM","iat":NOW}"#), change)
        }
    }
}

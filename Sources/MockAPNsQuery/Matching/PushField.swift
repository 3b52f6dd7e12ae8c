internal import MockAPNsRules
package import MockAPNsWorld

/// What can be asked of a push by a name of its own; the names are part of the API.
///
/// To add one: add a case and its row.
package enum PushField: String, CaseIterable, Sendable {
    case token
    case device
    case topic
    case pushType
    case priority
    case expiration
    case collapseId
    case title
    case body
    case apnsId
    case keyId
    case teamId
    case environment
    case connection
    case verification
    case outcome
    case status
    case reason
    case delivery

    /// What stands for the field in the search language, and how its value is read.
    package struct Row: Sendable {
        /// The words of the search language.
        package let words: [String]
        /// Whether letter case does not matter.
        var isCaseless = false
        /// Whether the value is known as soon as a push arrives.
        var isKnownOnArrival = true
        /// What the values are, where they can be counted.
        package var values: [String] = []
        /// Reads the value; `nil` when the push has none.
        package let value: @Sendable (Candidate) -> String?
    }

    /// The properties of this field.
    package var row: Row {
        switch self {
        case .token: Row(words: ["token"], isCaseless: true) { $0.token?.hex }
        case .device: Row(words: ["device"]) { $0.deviceLabel }
        case .topic: Row(words: ["topic"]) { $0.header(.apnsTopic) }
        case .pushType: Row(words: ["type", "pushType"], values: Self.pushTypes) { $0.pushType }
        case .priority: Row(words: ["priority"]) { $0.header(.apnsPriority) }
        case .expiration: Row(words: ["expiration"]) { $0.header(.apnsExpiration) }
        case .collapseId: Row(words: ["collapse", "collapseId"]) { $0.header(.apnsCollapseID) }
        case .title: Row(words: ["title"]) { $0.alert.title }
        case .body: Row(words: ["body"]) { $0.alert.body }
        case .apnsId: Row(words: ["apns", "apnsId"], isCaseless: true) { $0.answerID }
        case .keyId: Row(words: ["key", "keyId"]) { $0.outline.keyID.isEmpty ? nil : $0.outline.keyID }
        case .teamId: Row(words: ["team", "teamId"]) { $0.outline.teamID.isEmpty ? nil : $0.outline.teamID }
        case .environment:
            Row(words: ["env", "environment"], values: Self.environments) { $0.outline.environment.name }
        case .connection:
            Row(words: ["conn", "connection"]) { ConnectionID($0.outline.connectionID).text }
        case .verification:
            Row(words: ["auth", "verification"], values: Self.verifications) {
                $0.outline.verification.name
            }
        case .outcome:
            Row(words: ["outcome"], values: PushQuery.Outcome.allCases.map(\.rawValue)) {
                let outcome: PushQuery.Outcome = $0.outline.status == 200 ? .accepted : .rejected
                return outcome.rawValue
            }
        case .status: Row(words: ["status"]) { String($0.outline.status) }
        case .reason: Row(words: ["reason"], values: Reason.allCases.map(\.name)) { $0.outline.reason?.name }
        case .delivery:
            Row(words: ["delivery"], isKnownOnArrival: false, values: PushQuery.deliveryNames) {
                $0.outline.delivery
            }
        }
    }

    /// The field that a word of the search language means.
    package init?(word: String) {
        guard let field = Self.allCases.first(where: { $0.row.words.contains(word) }) else { return nil }
        self = field
    }

    /// The value as it is compared.
    package func value(of candidate: Candidate) -> String? {
        let row = row
        let value = row.value(candidate)
        return row.isCaseless ? value?.lowercased() : value
    }

    /// The fields that stand at the top of a matcher; the others are in its `verdict`.
    package static let verdictFields: [PushField] = [.outcome, .status, .reason]

    private static let pushTypes = PushType.allCases.map(\.name)
    private static let environments = [Environment.sandbox, .production].map(\.name)
    private static let verifications = TokenVerification.allCases.map(\.name)
}

extension PushQuery {
    /// The words for what has become of a notification.
    package static let deliveryNames: [String] = {
        let states = DeliveryEvent.allCases.compactMap { $0.row.state?.description }
        var names: [String] = []
        for name in states + [PushQuery.notAttempted] where !names.contains(name) { names.append(name) }
        return names
    }()
}

internal import MockAPNsRules
package import MockAPNsWorld

/// A named field of a push for searches and matchers.
///
/// The names are part of the API. To add a field, add a case and its row.
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
    case certificate
    case environment
    case `protocol`
    case connection
    case verification
    case outcome
    case status
    case reason
    case delivery
    case service
    case channel

    package struct Row: Sendable {
        /// The name in a search, if it is shorter than that of the case, which is also valid there.
        var word: String?
        var isCaseless = false
        var isKnownOnArrival = true
        /// The possible values, or empty if any value is possible.
        package var values: [String] = []
        package let value: @Sendable (Candidate) -> String?
    }

    package var row: Row {
        switch self {
        case .token: Row(isCaseless: true) { $0.token?.hex }
        case .device: Row { $0.deviceLabel }
        case .topic: Row { $0.header(.apnsTopic) }
        case .pushType: Row(word: "type", values: Self.pushTypes) { $0.pushType }
        case .priority: Row { $0.header(.apnsPriority) }
        case .expiration: Row { $0.header(.apnsExpiration) }
        case .collapseId: Row(word: "collapse") { $0.header(.apnsCollapseID) }
        case .title: Row { $0.alert.title }
        case .body: Row { $0.alert.body }
        case .apnsId: Row(word: "apns", isCaseless: true) { $0.answerID }
        case .keyId: Row(word: "key") { $0.outline.keyID.isEmpty ? nil : $0.outline.keyID }
        case .teamId: Row(word: "team") { $0.outline.teamID.isEmpty ? nil : $0.outline.teamID }
        case .certificate:
            Row(word: "cert") { $0.outline.certificate.isEmpty ? nil : $0.outline.certificate }
        case .environment: Row(word: "env", values: Self.environments) { $0.outline.environment.rawValue }
        case .protocol:
            Row(values: ProviderInterface.pushProtocols) { $0.outline.pushProtocol }
        case .connection: Row(word: "conn") { ConnectionID($0.outline.connectionID).text }
        case .verification: Row(word: "auth", values: Self.verifications) { $0.outline.verification.rawValue }
        case .outcome:
            Row(values: PushQuery.Outcome.allCases.map(\.rawValue)) {
                ($0.outline.isAccepted ? PushQuery.Outcome.accepted : .rejected).rawValue
            }
        case .status: Row { String($0.outline.status) }
        case .reason: Row(values: Reason.allCases.map(\.name)) { $0.outline.reason?.name }
        case .delivery:
            Row(isKnownOnArrival: false, values: PushQuery.deliveryNames) { $0.outline.delivery }
        case .service: Row(values: Service.allCases.map(\.rawValue)) { $0.outline.service.rawValue }
        case .channel: Row { $0.header(.apnsChannelID) }
        }
    }

    /// The names in a search.
    package var words: [String] { [row.word, rawValue].compactMap(\.self) }

    /// The push type comes from a header, so any value is possible, although `values` lists the known ones.
    func canBe(_ text: String) -> Bool {
        row.values.isEmpty || self == .pushType || row.values.contains(text)
    }

    package func value(of candidate: Candidate) -> String? {
        let value = row.value(candidate)
        return row.isCaseless ? value?.lowercased() : value
    }

    /// The fields in a matcher's `verdict` object; the others are top-level members.
    package static let verdictFields: [PushField] = [.outcome, .status, .reason]

    private static let pushTypes = PushType.allCases.map(\.name)
    private static let environments = Environment.allCases.map(\.rawValue)
    private static let verifications = TokenVerification.allCases.map(\.rawValue)
}

extension PushQuery {
    package static let deliveryNames: [String] =
        (DeliveryEvent.allCases.compactMap { $0.row.state?.description } + [PushQuery.notAttempted])
        .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
}

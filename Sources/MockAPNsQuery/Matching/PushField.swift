internal import MockAPNsFormats
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
    case ignored
    case activity
    case service
    case channel
    case fits
    case forwarded
    case seq
    case size
    case latency

    /// How a search compares the value.
    enum Search: Sendable {
        case value
        /// Any part of a value that is long.
        case part
        /// The label of a device, also with `@`.
        case label
        /// One of the entries of a list; the value is their texts, separated by spaces.
        case entry
        /// A number, or a comparison with one, such as `>4000`.
        case number
        /// A number that may also be a class, such as `4xx`.
        case status
        /// A comparison with a time in milliseconds, or with a unit.
        case milliseconds

        /// Whether completion offers comparisons instead of values.
        var hasComparisons: Bool { self == .milliseconds || self == .number }

        func number(_ text: String) -> Double? {
            if self == .milliseconds, text.first != "-", let duration = DurationText.microseconds(text) {
                return Double(duration) / 1_000
            }
            return UInt64(digits: text).map { Double($0) }
        }

        func example(_ key: String) -> String { "\(key):>" + (self == .milliseconds ? "50ms" : "40") }
    }

    /// Whether text without a key finds the value.
    enum FreeSearch: Sendable {
        case no
        /// If it is the whole value.
        case whole
        case part
        /// With `@` before the value.
        case label
    }

    package struct Row: Sendable {
        /// What a search with the field matches, as a phrase, with examples of comparisons.
        let meaning: String
        /// The name in a search, if it is shorter than that of the case, which is also valid there.
        var word: String?
        var search = Search.value
        var free = FreeSearch.no
        var isCaseless = false
        var isKnownOnArrival = true
        /// The possible values, or empty if any value is possible.
        package var values: [String] = []
        package let value: @Sendable (Candidate) -> String?
    }

    /// Made once, because conditions ask for every push.
    private static let rows = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.newRow) })

    package var row: Row { Self.rows[self] ?? newRow }

    private var newRow: Row {
        switch self {
        case .token: Row(meaning: "part of the device token", search: .part, isCaseless: true) { $0.token?.hex }
        case .device: Row(meaning: "device label", search: .label, free: .label) { $0.deviceLabel }
        case .topic: Row(meaning: "topic") { $0.header(.apnsTopic) }
        case .pushType: Row(meaning: "push type", word: "type", free: .part, values: Self.pushTypes) { $0.pushType }
        case .priority:
            Row(meaning: "apns-priority: priority:10, priority:<10", search: .number) { $0.header(.apnsPriority) }
        case .expiration: Row(meaning: "apns-expiration", search: .number) { $0.header(.apnsExpiration) }
        case .collapseId: Row(meaning: "apns-collapse-id", word: "collapse") { $0.header(.apnsCollapseID) }
        case .title: Row(meaning: "part of the alert's title", search: .part) { $0.alert.title }
        case .body: Row(meaning: "part of the alert's body", search: .part) { $0.alert.body }
        case .apnsId:
            Row(meaning: "apns-id of the response", word: "apns", free: .part, isCaseless: true) { $0.answerID }
        case .keyId:
            Row(meaning: "key ID of the provider token", word: "key", free: .part) {
                $0.outline.keyID.isEmpty ? nil : $0.outline.keyID
            }
        case .teamId:
            Row(meaning: "team ID of the provider token", word: "team", free: .part) {
                $0.outline.teamID.isEmpty ? nil : $0.outline.teamID
            }
        case .certificate:
            Row(meaning: "app of the client certificate", word: "cert", free: .part) {
                $0.outline.certificate.isEmpty ? nil : $0.outline.certificate
            }
        case .environment:
            Row(meaning: "environment of the listener", word: "env", values: Self.environments) {
                $0.outline.environment.rawValue
            }
        case .protocol:
            Row(meaning: "http2 or binary", values: ProviderInterface.pushProtocols) { $0.outline.pushProtocol }
        case .connection:
            Row(meaning: "connection", word: "conn", free: .whole) { ConnectionID($0.outline.connectionID).text }
        case .verification:
            Row(meaning: "provider token verification", word: "auth", values: Self.verifications) {
                $0.outline.verification.rawValue
            }
        case .outcome:
            Row(meaning: "accepted or rejected", values: PushQuery.Outcome.allCases.map(\.rawValue)) {
                ($0.outline.isAccepted ? PushQuery.Outcome.accepted : .rejected).rawValue
            }
        case .status:
            Row(meaning: "response status: status:410, status:4xx, status:>=500", search: .status, free: .whole) {
                String($0.outline.status)
            }
        case .reason:
            Row(meaning: "response reason", free: .part, values: Reason.allCases.map(\.name)) {
                $0.outline.reason?.name
            }
        case .delivery:
            Row(meaning: "delivery state", isKnownOnArrival: false, values: PushQuery.deliveryNames) {
                $0.outline.delivery
            }
        case .ignored:
            Row(
                meaning: "why the device ignored a push to a Live Activity", isKnownOnArrival: false,
                values: ActivityRefusal.allCases.map(\.code)
            ) { $0.outline.refusal?.code }
        case .activity:
            Row(meaning: "Live Activity that the push started or was for", free: .whole, isKnownOnArrival: false) {
                $0.outline.activity.map(ActivityIDText.text)
            }
        case .service:
            Row(meaning: "push, broadcast or channels (channel management)", values: Service.allCases.map(\.rawValue)) {
                $0.outline.service.rawValue
            }
        case .channel: Row(meaning: "apns-channel-id") { $0.header(.apnsChannelID) }
        case .fits:
            Row(meaning: "schema of the app that it fits: fits:payload", search: .entry, isKnownOnArrival: false) {
                let names = $0.schemaChecks.filter(\.outcome.isFit).map(\.name.description)
                return names.isEmpty ? nil : names.joined(separator: " ")
            }
        case .forwarded:
            Row(
                meaning: "status of the service that it was forwarded to: forwarded:200, forwarded:4xx",
                search: .status, isKnownOnArrival: false
            ) { $0.forward?.status.map(String.init) }
        case .seq:
            Row(meaning: "push number: seq:>=1800", search: .number, isKnownOnArrival: false) { String($0.outline.seq) }
        case .size: Row(meaning: "bytes of the body: size:>4000", search: .number) { String($0.request.bodyLength) }
        case .latency:
            Row(meaning: "time to the response: latency:>50ms", search: .milliseconds, isKnownOnArrival: false) {
                "\(Double($0.outline.answerMicroseconds) / 1_000)"
            }
        }
    }

    /// The names in a search.
    package var words: [String] { [row.word, rawValue].compactMap(\.self) }

    /// The push type comes from a header, so any value is possible, although `values` lists the known ones.
    func canBe(_ text: String) -> Bool {
        self == .fits
            ? AppSchemaName(text) != nil : row.values.isEmpty || self == .pushType || row.values.contains(text)
    }

    /// What a value can be, for error messages.
    var expected: String { self == .fits ? AppSchemaName.expected : "one of " + row.values.joined(separator: ", ") }

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
        (DeliveryEvent.allCases.compactMap { $0.row.state?.description } + [PushQuery.notAttempted]).reduce(into: []) {
            if !$0.contains($1) { $0.append($1) }
        }
}

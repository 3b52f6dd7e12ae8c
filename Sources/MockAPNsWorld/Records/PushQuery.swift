public import MockAPNsRules

/// A query for records; all conditions must match.
public struct PushQuery: Sendable {
    /// Whether a push was accepted.
    public enum Outcome: String, CaseIterable, Sendable {
        case accepted
        case rejected
    }

    /// The order of the results.
    public enum Order: String, CaseIterable, Sendable {
        case ascending = "asc"
        case descending = "desc"
    }

    /// Selects records with a larger number.
    public var after: UInt64 = 0
    /// Selects records with a smaller number.
    public var before: UInt64?
    /// The maximum number of records to return.
    public var limit = 50
    /// Oldest or newest first.
    public var order = Order.descending
    /// The numbers; `nil` for any.
    public var seqs: Set<UInt64>? {
        didSet {
            guard let seqs else { return }
            after = max(after, max(seqs.min() ?? 0, 1) - 1)
            before = min(before ?? .max, seqs.max().map { $0 &+ 1 } ?? 0)
        }
    }
    /// The device token, as bytes; letter case is irrelevant.
    public var tokens: [DeviceToken] = []
    /// The exact topic.
    public var topics: [String] = []
    /// The push type in the header.
    public var pushTypes: [String] = []
    /// The outcome.
    public var outcomes: [Outcome] = []
    /// The reason of the response.
    public var reasons: [Reason] = []
    /// The delivery state by its name; `not-attempted` for pushes without a delivery.
    public var deliveries: [String] = []
    /// A condition on a push, with its request and its other properties.
    public typealias Condition = @Sendable (borrowing RequestView, PushOutline) -> Bool

    /// A condition that the other properties cannot express.
    public var condition: Condition?

    /// The delivery state of a push without a delivery.
    public static let notAttempted = notAttemptedText.description
    static let notAttemptedText: StaticString = "not-attempted"

    /// Creates a query for every record, newest first.
    public init() {}

    /// Whether a record matches; several values of one condition match any of them.
    func matches(_ record: RecordView, _ entry: JournalEntry, _ registrations: RegistrationIndex) -> Bool {
        let head = record.head
        guard head.seq > after, head.seq < before ?? .max else { return false }
        if let seqs, !seqs.contains(head.seq) { return false }
        if !outcomes.isEmpty, !outcomes.contains(head.isAccepted ? .accepted : .rejected) { return false }
        if !reasons.isEmpty, !(head.verdict.reason.map { reasons.contains($0) } ?? false) { return false }
        if !deliveries.isEmpty, !deliveries.contains(entry.stateName) { return false }
        let looksAtRequest = condition != nil || !(tokens.isEmpty && topics.isEmpty && pushTypes.isEmpty)
        guard looksAtRequest else { return true }
        return record.withRequest { request in
            let token = tokens.isEmpty ? nil : request.devicePart.flatMap { DeviceToken(hex: $0) }
            guard topics.isEmpty || request[.apnsTopic].map({ topics.contains($0.text) }) == true,
                pushTypes.isEmpty || request[.apnsPushType].map({ pushTypes.contains($0.text) }) == true,
                tokens.isEmpty || token.map({ tokens.contains($0) }) == true
            else { return false }
            return condition?(request, PushOutline(record, entry, registrations)) ?? true
        }
    }
}

public import MockAPNsRules

/// What is known of a push besides the request itself, for conditions that look at one after the other.
///
/// Cheap to make: nothing is taken out of the journal for it.
public struct PushOutline: Sendable {
    /// The record's number; 0 for a push that is not in the journal yet.
    public var seq: UInt64 = 0
    /// The HTTP status of the answer; 0 when the stream was reset.
    public var status: UInt16 = 200
    /// Why it was refused.
    public var reason: Reason?
    /// The connection's number.
    public var connectionID: UInt64 = 0
    /// How many requests came on the connection, this one included.
    public var requestOnConnection = 0
    /// The environment of the listener.
    public var environment = Environment.sandbox
    /// What came of looking at the provider token.
    public var verification = TokenVerification.notChecked
    /// The key identifier of the provider token; empty when it was not readable.
    public var keyID = ""
    /// The team identifier of the provider token; empty when it was not readable.
    public var teamID = ""
    /// The `apns-id` of the answer, where it is at hand as text; otherwise the next two say what it is.
    public var apnsID: String?
    /// The `apns-id` that was made for the answer; `nil` when it echoes the request's, or there was no answer.
    public var ownID: UniqueID?
    /// Whether the answer carried the request's own `apns-id`.
    public var echoesID = false
    /// When the request was whole, on the system's clock.
    public var receivedAt = Timestamp(microseconds: 0)
    /// The same moment on the world's clock.
    public var clockTime = Timestamp(microseconds: 0)
    /// Whether the transport had something against the request, and no rule ever saw it.
    public var hasProblem = false
    /// The state of its notification, in the words of the API; `not-attempted` for a push that was refused.
    public var delivery = PushQuery.notAttempted
    /// The registered device tokens when the condition is evaluated, or when the search began.
    ///
    /// `nil` for a push that was taken out of the journal.
    package var registrations: RegistrationIndex?

    /// The outline of a push of which nothing is known yet.
    public init() {}

    init(_ record: RecordView, _ entry: JournalEntry, _ registrations: RegistrationIndex) {
        let head = record.head
        let texts = record.texts
        seq = head.seq
        status = head.status
        reason = Reason(rawValue: head.reason)
        connectionID = head.connection
        requestOnConnection = Int(head.requestOnConnection)
        environment = Environment(rawValue: head.environment) ?? .sandbox
        verification = TokenVerification(rawValue: head.verification) ?? .notChecked
        keyID = texts.keyID
        teamID = texts.teamID
        ownID = record.ownID
        echoesID = record.echoesID
        receivedAt = Timestamp(microseconds: head.receivedAt)
        clockTime = Timestamp(microseconds: head.clockTime)
        hasProblem = head.problemLength > 0
        delivery = entry.state?.row.state?.description ?? PushQuery.notAttempted
        self.registrations = registrations
    }

    /// Whether the answer to `request` carried this `apns-id`, given in lower case.
    public func hasID(_ id: String, of request: borrowing RequestView) -> Bool {
        if let apnsID { return apnsID.lowercased() == id }
        return Self.hasID(id, own: ownID, echo: echoesID ? request[.apnsID] : nil)
    }

    static func hasID(_ id: String, own: UniqueID?, echo: ByteSpan?) -> Bool {
        if let echo { return echo.count == id.utf8.count && echo.text.lowercased() == id }
        guard let own, id.utf8.count == UniqueID.textLength else { return false }
        return own.text(upperCase: false) == id
    }
}

extension PushOutline {
    /// The outline of a record that was taken out of the journal.
    public init(_ push: PushRecord) {
        seq = push.seq
        status = push.answer.status
        reason = push.verdict.reason
        connectionID = push.connectionID
        requestOnConnection = push.requestOnConnection
        environment = push.environment
        verification = push.authentication.verification
        keyID = push.authentication.keyID ?? ""
        teamID = push.authentication.teamID ?? ""
        apnsID = push.answer.id
        receivedAt = push.receivedAt
        clockTime = push.clockTime
        hasProblem = push.problem != nil
        delivery = push.delivery?.state?.row.state?.description ?? PushQuery.notAttempted
    }
}

public import MockAPNsRules

/// The properties of a push besides the request, for evaluating conditions on many pushes without copies.
public struct PushOutline: Sendable {
    /// The record's number; 0 for a push that is not in the journal yet.
    public var seq: UInt64 = 0
    /// The HTTP status of the response; 0 if the stream was reset.
    public var status: UInt16 = 200
    /// The reason for rejection.
    public var reason: Reason?
    /// The connection's number.
    public var connectionID: UInt64 = 0
    /// The number of requests on the connection so far, including this one.
    public var requestOnConnection = 0
    /// The environment of the listener.
    public var environment = Environment.sandbox
    /// The result of verifying the provider token.
    public var verification = TokenVerification.notChecked
    /// The key ID of the provider token; empty if it was not readable.
    public var keyID = ""
    /// The team ID of the provider token; empty if it was not readable.
    public var teamID = ""
    /// The `apns-id` of the response, if it is available as text; otherwise see the next two.
    public var apnsID: String?
    /// The `apns-id` generated for the response; `nil` if it is the request's, or if there was no response.
    public var ownID: UniqueID?
    /// Whether the response has the request's `apns-id`.
    public var echoesID = false
    /// When the request was complete, on the system's clock.
    public var receivedAt = Timestamp(microseconds: 0)
    /// The same time on the world's clock.
    public var clockTime = Timestamp(microseconds: 0)
    /// Whether the transport rejected the request before the rules.
    public var hasProblem = false
    /// The delivery state as named in the API; `not-attempted` for a rejected push.
    public var delivery = PushQuery.notAttempted
    /// The registered device tokens at the start of the search; `nil` for a push copied from the journal.
    package var registrations: RegistrationIndex?

    /// Creates an outline with default values.
    public init() {}

    init(_ record: RecordView, _ entry: JournalEntry, _ registrations: RegistrationIndex) {
        let head = record.head
        let texts = record.texts
        seq = head.seq
        status = head.status
        reason = head.verdict.reason
        connectionID = head.connection
        requestOnConnection = Int(head.requestOnConnection)
        environment = head.environment
        verification = head.verification
        keyID = texts.keyID
        teamID = texts.teamID
        ownID = record.ownID
        echoesID = record.echoesID
        receivedAt = head.receivedAt
        clockTime = head.clockTime
        hasProblem = head.problemLength > 0
        delivery = entry.stateName
        self.registrations = registrations
    }

    /// Whether the response to `request` has this `apns-id`, given in lower case.
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
    /// Creates the outline of a record that was copied from the journal.
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

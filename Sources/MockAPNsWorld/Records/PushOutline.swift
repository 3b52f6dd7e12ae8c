public import MockAPNsRules

/// The properties of a push besides the request, for evaluating conditions on many pushes without copies.
@dynamicMemberLookup public struct PushOutline: Sendable {
    /// The properties of fixed size, which are also members of the outline.
    public var head = RecordHead()
    /// The key ID of the provider token; empty if it was not readable.
    public var keyID = ""
    /// The team ID of the provider token; empty if it was not readable.
    public var teamID = ""
    /// The app of the client certificate that replaces a provider token; empty if there is none.
    public var certificate = ""
    /// The delivery state as named in the API; `not-attempted` for a rejected push.
    public var delivery = PushQuery.notAttempted
    /// Whether the push is pinned.
    public var isPinned = false
    /// The Live Activity that the push concerned; `nil` if there is none.
    public var activity: ActivityID?
    /// Why the device ignored a push to a Live Activity; `nil` if it did not.
    public var refusal: ActivityRefusal?
    /// The registered device tokens at the start of the search; `nil` for a push copied from the journal.
    package var registrations: RegistrationIndex?

    /// Creates the outline of an accepted push.
    public init() {}

    init(_ record: RecordView, _ entry: JournalEntry, _ registrations: RegistrationIndex) {
        head = record.head
        (keyID, teamID, _, _, certificate, _) = record.texts
        delivery = entry.stateName
        isPinned = entry.isPinned
        (activity, refusal) = (entry.activityID, entry.refusal)
        self.registrations = registrations
    }

    /// Creates the outline of a record that was copied from the journal.
    public init(_ push: PushRecord) {
        head = push.head
        keyID = push.keyID ?? ""
        teamID = push.teamID ?? ""
        certificate = push.certificate ?? ""
        delivery = push.delivery?.state?.row.state?.description ?? PushQuery.notAttempted
        isPinned = push.isPinned
        (activity, refusal) = (push.delivery?.activity, push.delivery?.refusal)
    }

    /// A property of fixed size.
    @inlinable public subscript<Value>(dynamicMember member: KeyPath<RecordHead, Value>) -> Value {
        head[keyPath: member]
    }
}

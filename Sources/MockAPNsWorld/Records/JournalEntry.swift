internal import MockAPNsRules

/// The properties of a record that may change after it was written.
struct JournalEntry: Sendable {
    /// The number of events of every push: its arrival and its response.
    static let ownNumbers: UInt64 = 2

    let seq: UInt64
    /// When it was answered, in microseconds of the world's clock.
    let at: Int64
    var offset: UInt32
    var place = SlotPlace.none
    var generation: UInt32 = 0
    /// The step at the time of the response; its number follows that of the response.
    var first: DeliveryEvent?
    /// The last step of the service, which is the state of the notification.
    var state: DeliveryEvent?
    /// The state of the app when the notification reached the device.
    var appState: AppState?
    var allowsNotifications = true
    var hasMore = false
    /// Whether the record was deleted; its memory is reused together with that of its neighbors.
    var isRemoved = false
    /// Whether it is not evicted.
    var isPinned = false
    /// Why the device ignored a push to a Live Activity; `nil` if it did not.
    var refusal: ActivityRefusal?
    /// The number of the Live Activity that the push concerned; 0 if there is none.
    var activity: UInt32 = 0

    var stateName: String { state?.row.state?.description ?? PushQuery.notAttempted }

    mutating func note(_ event: DeliveryEvent, isFirst: Bool, in app: (state: AppState, allowsNotifications: Bool)?) {
        if isFirst { first = event } else { hasMore = true }
        if event.row.state != nil { state = event }
        if let app, event == .delivered || event == .deliveredFromStorage {
            appState = app.state
            allowsNotifications = app.allowsNotifications
        }
    }

    var activityID: ActivityID? { activity == 0 ? nil : ActivityID(number: activity) }

    mutating func note(_ outcome: ActivityOutcome) { (activity, refusal) = (outcome.activity, outcome.refusal) }
}

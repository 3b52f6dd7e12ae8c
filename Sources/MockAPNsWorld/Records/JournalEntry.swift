internal import MockAPNsRules

/// What is known of one record besides its bytes, and may change after it was written.
struct JournalEntry: Sendable {
    /// The numbers that the arrival of a push and its answer take.
    static let ownNumbers: UInt64 = 2

    /// The number of the record.
    let seq: UInt64
    /// When it was answered, in microseconds of the world's clock.
    let at: Int64
    /// Where it starts in its segment.
    let offset: UInt32
    /// The registration it was sent to.
    var place = SlotPlace.none
    var generation: UInt32 = 0
    /// The step that was taken with the answer; its number is the one after the answer's.
    var first: DeliveryEvent?
    /// The last step that the service took: the state that it left the notification in.
    var state: DeliveryEvent?
    /// What the app was doing when the notification reached the device.
    var appState: AppState?
    var allowsNotifications = true
    /// Whether there are steps besides the first.
    var hasMore = false
    /// Whether the record was deleted; its memory is reused with that of its neighbours.
    var isRemoved = false

    /// Notes a step.
    mutating func note(_ event: DeliveryEvent, isFirst: Bool, in app: AppSituation?) {
        if isFirst { first = event } else { hasMore = true }
        if event.row.state != nil { state = event }
        if let app, event == .delivered || event == .deliveredFromStorage {
            appState = app.state
            allowsNotifications = app.allowsNotifications
        }
    }
}

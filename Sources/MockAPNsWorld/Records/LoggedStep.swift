/// A step of a notification after the first, as logs keep it.
package struct LoggedStep: Equatable, Sendable {
    /// The number of the event.
    package var seq: UInt64
    /// The number of the push.
    package var push: UInt64
    /// The time of the step, in microseconds of the world's clock.
    package var at: Int64
    /// The event, as the API names it.
    package var event: String
    /// The delivery state of the push after this step; empty if the step does not change it.
    package var delivery: String
    /// What the row of the push does not have: the app when the notification reached the device, encoded; empty if it did not.
    package var facts: [UInt8]

    package init(seq: UInt64, push: UInt64, at: Int64, event: String, delivery: String, facts: [UInt8] = []) {
        self.seq = seq
        self.push = push
        self.at = at
        self.event = event
        self.delivery = delivery
        self.facts = facts
    }
}

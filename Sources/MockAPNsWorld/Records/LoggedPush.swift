/// A push in a form that does not depend on the layout of memory, as logs keep it.
package struct LoggedPush: Equatable, Sendable {
    /// The number.
    package var seq: UInt64
    /// When the request was complete, in microseconds of the system's clock.
    package var receivedAt: Int64
    /// When it was answered, in microseconds of the world's clock.
    package var answeredAt: Int64
    /// The `apns-id` of the response; empty if it has none.
    package var apnsID = ""
    /// The header `apns-topic`; empty if there is none.
    package var topic = ""
    /// The device token in lower case, as hex; empty if there is none.
    package var token = ""
    /// The header `apns-push-type`; empty if there is none.
    package var pushType = ""
    /// The environment of the listener.
    package var environment = ""
    /// The status of the response; 0 if the stream was reset.
    package var status: UInt16 = 0
    /// The reason of the response; empty if it was accepted.
    package var reason = ""
    /// The delivery state, as the API names it.
    package var delivery = ""
    /// The header fields in order, as a request has them; they are bytes, usually ASCII.
    package var headers: [Header] = []
    /// The body as far as it was kept.
    package var body: [UInt8] = []
    /// Everything else that the record has, encoded.
    package var facts: [UInt8] = []

    /// A header field.
    package struct Header: Equatable, Sendable {
        package var name: [UInt8]
        package var value: [UInt8]

        package init(name: [UInt8], value: [UInt8]) {
            self.name = name
            self.value = value
        }
    }

    package init(seq: UInt64, receivedAt: Int64, answeredAt: Int64) {
        self.seq = seq
        self.receivedAt = receivedAt
        self.answeredAt = answeredAt
    }
}

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
    /// What the push's `facts` do not have: the app when the notification reached the device, encoded; empty if it did not.
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

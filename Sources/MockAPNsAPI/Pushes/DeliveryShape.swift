package import MockAPNsQuery
package import MockAPNsRules
package import MockAPNsWorld

/// What happened to a notification after the push was answered.
package final class DeliveryShape: Shape {
    package typealias Source = PushFacts
    package static let definition = Definition(DeliveryShape(), "Delivery")
    package let activity = Member<String?>(.activityID, "The Live Activity that the push started or was for.") {
        $0.record.delivery?.activity.map(ActivityIDText.text)
    }
    package let detail = Member<String?> { $0.record.delivery?.state?.row.detail?.description }
    package let device = Member<String?>("The label of the device.") { $0.record.delivery?.deviceLabel }
    package let fanOut = Member<APIObject<FanOutShape>?>("What became of a broadcast; null for other pushes.") {
        $0.record.delivery?.fanOut.map { APIObject($0) }
    }
    package let ignored = Member<APIObject<RefusalShape>?>("Why the device ignored a push to a Live Activity.") {
        $0.record.delivery?.refusal.map { APIObject($0) }
    }
    package let reaction = Member<APIObject<ReactionShape>?> { DeviceReaction($0).map { APIObject($0) } }
    package let state = Member<String>(.word(.deliveryState)) {
        $0.record.delivery?.state?.row.state?.description ?? PushQuery.notAttempted
    }
    package let status = Member<String?>("The state as Apple's console calls it.") { push in
        let isReceived = push.record.service == .push && push.record.answer.status == 200
        return (push.record.delivery?.status ?? (isReceived ? DeliveryEvent.receivedStatus : nil))?.description
    }
    package let timeline = Member<[APIObject<Step>]> { push in
        let record = push.record
        let (received, answered) = (record.clockTime, record.answeredAt)
        let steps: [Step.Source] =
            [
                (at: received, seq: record.seq, event: "received", detail: nil, status: nil),
                (answered, record.answeredSeq, "responded", record.verdict.reason?.name, Int(record.answer.status)),
            ]
            + (record.delivery?.steps ?? []).map { step in
                (step.at, step.seq, step.event.row.event.description, step.event.row.detail?.description, nil)
            }
        return steps.map { APIObject($0) }
    }

    package final class Step: Shape {
        package typealias Source = (at: Timestamp, seq: UInt64, event: String, detail: String?, status: Int?)
        package static let definition = Definition(Step())
        package let at = Member<String>(.time) { $0.at.rfc3339 }
        package let detail = Member<String?> { $0.detail }
        package let event = Member<String> { $0.event }
        package let seq = Member<UInt64> { $0.seq }
        package let status = OptionalMember<Int> { $0.status }
    }
}

/// What iOS did with a notification when it reached the device.
package struct DeviceReaction {
    let appState: AppState
    let reaction: Reaction

    /// `nil` for a notification that has not reached a device.
    init?(_ facts: PushFacts) {
        guard let delivery = facts.record.delivery, let appState = delivery.appState else { return nil }
        self.appState = appState
        reaction = Reaction.of(facts, appState: appState, allowsNotifications: delivery.allowsNotifications)
    }
}

/// What iOS does with a notification that reaches the device.
package final class ReactionShape: Shape {
    package typealias Source = DeviceReaction
    package static let definition = Definition(ReactionShape(), "Reaction")
    package let appState = Member<String>(.word(.appState)) { $0.appState.rawValue }
    package let callbacks = Member<[String]>("The methods of the app that iOS calls.") {
        $0.reaction.callbacks.map(\.rawValue)
    }
    package let presentation = Member<String>(.word(.presentation)) { $0.reaction.presentation.rawValue }
    package let summary = Member<String> { $0.reaction.summary }
}

/// What became of a broadcast.
package final class FanOutShape: Shape {
    package typealias Source = FanOut
    package static let definition = Definition(FanOutShape(), "FanOut")
    package let channel = Member<String>(.channelID) { $0.channel.text }
    package let delivered = Member<Int>("Devices that it reached.") { $0.delivered }
    package let devices = Member<[APIObject<Receipt>]>("The first 1,000 subscribers.") {
        $0.receipts.map { APIObject($0) }
    }
    package let discarded = Member<Int>("Devices that do not get it.") { $0.discarded }
    package let pending = Member<Int>("Subscribers that it has not been sent to yet.") { $0.pending }
    package let stored = Member<Int>("Devices for which the channel stores it.") { $0.stored }
    package let subscribers = Member<Int>("Subscribers when it was published.") { $0.subscribers }

    package final class Receipt: Shape {
        package typealias Source = FanOut.Receipt
        package static let definition = Definition(Receipt())
        package let activity = Member<String?>(.activityID, "The Live Activity of the device that follows the channel.")
        { $0.activity.map(ActivityIDText.text) }
        package let device = Member<String>(.deviceID) { DeviceReferenceText.text(DeviceID(number: $0.device)) }
        package let ignored = Member<APIObject<RefusalShape>?>("Why the activity ignored the broadcast.") {
            $0.refusal.map { APIObject($0) }
        }
        package let state = Member<String>(.word(.deliveryState)) {
            $0.event.row.state?.description ?? PushQuery.notAttempted
        }
    }
}

package final class InboxShape: Shape {
    package static let definition = Definition(InboxShape(), "Inbox")
    package let badge = Member<Int64?>("The sum of the apps' badges.")
    package let broadcasts = Member<[APIObject<Broadcast>]>(
        "The broadcasts that reached the device or are stored for it, newest first.")
    package let device = Member<String>(.deviceID)
    package let journal = Member<APIObject<JournalShape>>()
    package let label = Member<String?>()
    package let note = Member<String?>()
    package let notifications = Member<[APIObject<Notification>]>()

    package final class Notification: Shape {
        package static let definition = Definition(Notification())
        package let badge = Member<Int64?>()
        package let body = Member<String?>()
        package let collapseId = Member<String?>()
        package let deliveredAt = Member<String?>(.time)
        package let interruptionLevel = Member<String?>()
        package let push = Member<String>(.pushID)
        package let reaction = Member<APIObject<ReactionShape>>()
        package let seq = Member<UInt64>()
        package let sound = Member<String?>()
        package let subtitle = Member<String?>()
        package let threadId = Member<String?>()
        package let title = Member<String?>()
        package let topic = Member<String?>()
    }

    /// A broadcast; it updates Live Activities and is not in Notification Center.
    package final class Broadcast: Shape {
        package static let definition = Definition(Broadcast())
        package let body = Member<String?>()
        package let bundleId = Member<String?>()
        package let channel = Member<String?>(.channelID)
        package let event = Member<String?>("What happens to the Live Activity: start, update or end.")
        package let push = Member<String>(.pushID)
        package let seq = Member<UInt64>()
        package let sentAt = Member<String>(.time, "The time of the broadcast on the world's clock.")
        package let state = Member<String>(.word(.deliveryState))
        package let title = Member<String?>()
    }
}

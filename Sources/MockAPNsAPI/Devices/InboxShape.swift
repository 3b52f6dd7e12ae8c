package final class InboxShape: Shape {
    package static let definition = Definition(InboxShape(), "Inbox")
    package let badge = Member<Int64?>()
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
}

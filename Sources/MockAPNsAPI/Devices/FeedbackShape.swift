package final class FeedbackShape: Shape {
    package static let definition = Definition(FeedbackShape(), "Feedback")
    package let cause = Member<String>()
    package let device = Member<String?>("The label of the device.")
    package let lastReportedAt = Member<String?>(.time)
    package let pushesAfterFirst410 = Member<UInt64>()
    package let readAt = Member<String?>(.time, "When the feedback service sent the entry last.")
    package let reported410 = Member<UInt64>("How often a push was answered 410.")
    package let token = Member<String>(.token)
    package let topic = Member<String?>()
    package let unregisteredAt = Member<String>(.time)
}

package final class FeedbackListShape: Shape {
    package static let definition = Definition(FeedbackListShape(), "FeedbackList")
    package let feedback = Member<[APIObject<FeedbackShape>]>()
}

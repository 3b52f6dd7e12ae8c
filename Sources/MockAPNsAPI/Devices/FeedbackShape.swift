internal import MockAPNsRules
package import MockAPNsWorld

package final class FeedbackShape: Shape {
    package typealias Source = FeedbackEntry
    package static let definition = Definition(FeedbackShape(), "Feedback")
    package let cause = Member<String> { $0.cause.rawValue }
    package let device = Member<String?>("The label of the device.") { $0.label }
    package let lastReportedAt = Member<String?>(.time) { $0.lastReportedAt?.rfc3339 }
    package let pushesAfterFirst410 = Member<UInt64> { UInt64($0.pushesAfterFirstReport) }
    package let readAt = Member<String?>(.time, "When the feedback service sent the entry last.") { $0.readAt?.rfc3339 }
    package let reported410 = Member<UInt64>("How often a push was answered 410.") { UInt64($0.reported) }
    package let token = Member<String>(.token) { $0.token.hex }
    package let topic = Member<String?> { $0.topic }
    package let unregisteredAt = Member<String>(.time) { $0.unregisteredAt.rfc3339 }
}

package final class FeedbackListShape: Shape {
    package typealias Source = [FeedbackEntry]
    package static let definition = Definition(FeedbackListShape(), "FeedbackList")
    package let feedback = Member<[APIObject<FeedbackShape>]> { $0.map { APIObject($0) } }
}

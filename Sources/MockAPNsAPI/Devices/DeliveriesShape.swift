/// What a change did to notifications; part of several responses.
package final class DeliveriesShape: Shape {
    /// The most entries of each list; the counts are complete.
    package static let mostListed = 1_000
    package static let definition = Definition(DeliveriesShape())
    package let delivered = Member<[String]>(.pushID, "At most 1,000; the count is complete.")
    package let deliveredCount = Member<Int>()
    package let discarded = Member<[String]>(.pushID, "At most 1,000; the count is complete.")
    package let discardedCount = Member<Int>()
    package let expired = Member<[String]>(.pushID, "At most 1,000; the count is complete.")
    package let expiredCount = Member<Int>()
    package let inactive = Member<[String]>(.token, "Device tokens that became inactive.")
    package let inactiveCount = Member<Int>()
}

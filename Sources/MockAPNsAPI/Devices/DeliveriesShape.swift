internal import MockAPNsRules
package import MockAPNsWorld

/// What a change did to notifications; part of several responses.
package final class DeliveriesShape: Shape {
    package typealias Source = (report: DeliveryReport, extent: Journal.Extent)
    package static let definition = Definition(DeliveriesShape())
    package let activities = Member<[APIObject<ActivityStepShape>]>(
        "What happened to Live Activities, in order. At most 1,000; the count is complete."
    ) { shown in shown.report.activities.prefix(1_000).map { APIObject(($0, shown.extent.epoch)) } }
    package let activityCount = Member<Int> { $0.report.activities.count }
    package let delivered = Member<[String]>(.pushID, "At most 1,000; the count is complete.") {
        $0.extent.ids($0.report.delivered)
    }
    package let deliveredCount = Member<Int> { $0.report.delivered.count }
    package let discarded = Member<[String]>(.pushID, "At most 1,000; the count is complete.") {
        $0.extent.ids($0.report.discarded)
    }
    package let discardedCount = Member<Int> { $0.report.discarded.count }
    package let expired = Member<[String]>(.pushID, "At most 1,000; the count is complete.") {
        $0.extent.ids($0.report.expired)
    }
    package let expiredCount = Member<Int> { $0.report.expired.count }
    package let inactive = Member<[String]>(.token, "Device tokens that became inactive.") {
        $0.report.inactive.prefix(1_000).map(\.hex)
    }
    package let inactiveCount = Member<Int> { $0.report.inactive.count }
    package let unregistered = Member<[String]>(
        .token, "Device tokens that became Unregistered, some time after their apps were uninstalled."
    ) { $0.report.unregistered.prefix(1_000).map(\.hex) }
    package let unregisteredCount = Member<Int> { $0.report.unregistered.count }
}

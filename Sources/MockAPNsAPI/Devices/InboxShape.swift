internal import MockAPNsFormats
internal import MockAPNsPreview
package import MockAPNsQuery
internal import MockAPNsRules
package import MockAPNsWorld

package final class InboxShape: Shape {
    package typealias Source = (
        device: Device, notifications: [ShownNotification], badge: Int64?, broadcasts: [DeviceBroadcasts.Entry],
        extent: Journal.Extent, note: String?
    )
    package static let definition = Definition(InboxShape(), "Inbox")
    package let badge = Member<Int64?>("The sum of the apps' badges.") { $0.badge }
    package let broadcasts = Member<[APIObject<Broadcast>]>(
        "The broadcasts that reached the device or are stored for it, newest first."
    ) { $0.broadcasts.map { APIObject((PushFacts($0.push), $0.event)) } }
    package let device = Member<String>(.deviceID) { DeviceReferenceText.text($0.device.id) }
    package let journal = Member<APIObject<JournalShape>> { APIObject($0.extent) }
    package let label = Member<String?> { $0.device.label }
    package let note = Member<String?> { $0.note }
    package let notifications = Member<[APIObject<Notification>]> { $0.notifications.map { APIObject($0) } }

    package final class Notification: Shape {
        package typealias Source = ShownNotification
        package static let definition = Definition(Notification())
        package let badge = Member<Int64?> { $0.facts.reading.badge.number }
        package let body = Member<String?>("In the app's development language, if it is localized.") { $0.body }
        package let collapseId = Member<String?> { $0.facts.record.request[.apnsCollapseID] }
        package let deliveredAt = Member<String?>(.time) { $0.arrival?.rfc3339 }
        package let interruptionLevel = Member<String?> { $0.facts.reading.interruptionLevel?.rawValue }
        package let push = Member<String>(.pushID) { $0.facts.id }
        package let reaction = Member<APIObject<ReactionShape>> { APIObject($0.reaction) }
        package let seq = Member<UInt64> { $0.facts.record.seq }
        package let sound = Member<String?> { $0.facts.reading.sound.name }
        package let subtitle = Member<String?>("In the app's development language, if it is localized.") { $0.subtitle }
        package let threadId = Member<String?> { $0.facts.reading.threadID }
        package let title = Member<String?>("In the app's development language, if it is localized.") { $0.title }
        package let topic = Member<String?> { $0.facts.record.request[.apnsTopic] }
    }

    /// A broadcast; it updates Live Activities and is not in Notification Center.
    package final class Broadcast: Shape {
        package typealias Source = (facts: PushFacts, event: DeliveryEvent)
        package static let definition = Definition(Broadcast())
        package let body = Member<String?> { $0.facts.reading.alert.body }
        package let bundleId = Member<String?> { $0.facts.record.bundleID }
        package let channel = Member<String?>(.channelID) { $0.facts.record.channel }
        package let event = Member<String?>("What happens to the Live Activity: start, update or end.") {
            $0.facts.reading.aps?["event"]?.string
        }
        package let push = Member<String>(.pushID) { $0.facts.id }
        package let seq = Member<UInt64> { $0.facts.record.seq }
        package let sentAt = Member<String>(.time, "The time of the broadcast on the world's clock.") {
            $0.facts.record.clockTime.rfc3339
        }
        package let state = Member<String>(.word(.deliveryState)) {
            $0.event.row.state?.description ?? PushQuery.notAttempted
        }
        package let title = Member<String?> { $0.facts.reading.alert.title }
    }
}

/// A notification in Notification Center.
package struct ShownNotification {
    let facts: PushFacts
    let reaction: DeviceReaction
    /// The app's strings tables; empty if the texts are not localized.
    let tables: [PreviewText.Table]

    fileprivate var title: String? { localized("title") ?? facts.reading.alert.title }
    fileprivate var subtitle: String? { localized("subtitle") ?? facts.reading.alert.subtitle }
    fileprivate var body: String? { localized("body") ?? facts.reading.alert.body }

    private func localized(_ name: String) -> String? {
        guard !tables.isEmpty else { return nil }
        let text = PreviewText.read(name, of: facts.reading, tables: tables, setting: PreviewSetting())
        return text?.source == .localized ? text?.text : nil
    }

    fileprivate var arrival: Timestamp? {
        facts.record.delivery?.steps.first { $0.event == .delivered || $0.event == .deliveredFromStorage }?.at
    }
}

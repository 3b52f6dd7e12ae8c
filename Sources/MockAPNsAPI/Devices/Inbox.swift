internal import MockAPNsFormats
internal import MockAPNsPreview
package import MockAPNsQuery
internal import MockAPNsRules
package import MockAPNsWorld

/// The Notification Center of a device.
package struct Inbox {
    private let device: Device
    /// The pushes that reached the device, in that order, without those that were replaced.
    private let arrived: [PushRecord]
    private let subject: ShownNamespace

    package init(of device: Device, _ arrived: [PushRecord], in subject: ShownNamespace) {
        (self.device, self.arrived, self.subject) = (device, arrived, subject)
    }

    package var shown: [PushFacts] {
        var shown: [PushFacts] = []
        visit { facts, shownAs in if shownAs.reaction.presentation == .banner { shown.append(facts) } }
        return shown
    }

    /// Calls `use` for every push that reached an installed app, newest first.
    private func visit(_ use: (PushFacts, DeviceReaction) -> Void) {
        // Uninstalling an app removes its notifications.
        let gone = Set(device.registrations.filter { $0.state == .uninstalled }.map(\.token))
        for record in arrived.reversed() {
            let facts = PushFacts(record)
            guard facts.token.map({ !gone.contains($0) }) ?? true, let reaction = DeviceReaction(facts) else {
                continue
            }
            use(facts, reaction)
        }
    }

    /// The notifications, and how many alerts were left to an app in the foreground.
    private var notifications: (shown: [ShownNotification], leftToApp: Int) {
        var shown: [ShownNotification] = []
        var leftToApp = 0
        var known: [String: [PreviewText.Table]] = [:]
        /// The tables for a notification, if it has keys of localized texts.
        func tables(for facts: PushFacts) -> [PreviewText.Table] {
            let alert = facts.reading.aps?["alert"]
            let keys = ["loc-key", "title-loc-key", "subtitle-loc-key"]
            guard keys.contains(where: { alert?[$0] != nil }), let topic = facts.record.request[.apnsTopic] else {
                return []
            }
            let app = Topic.bundleID(of: topic)
            let tables = known[app] ?? subject.world.strings.tables(of: app, preferring: [])
            known[app] = tables
            return tables
        }
        visit { facts, reaction in
            switch reaction.reaction.presentation {
            case .banner: shown.append(ShownNotification(facts: facts, reaction: reaction, tables: tables(for: facts)))
            case .none where reaction.reaction.callbacks.contains(.willPresent): leftToApp += 1
            default: break
            }
        }
        return (shown, leftToApp)
    }

    package func shape(with broadcasts: DeviceBroadcasts) -> APIObject<InboxShape> {
        let extent = subject.journal.extent
        let (shown, leftToApp) = notifications
        return APIObject(
            (
                device: device, notifications: shown, badge: Badges(arrived).sum, broadcasts: broadcasts.entries,
                extent: extent, note: note(leftToApp, extent, unknown: broadcasts.unknown)
            ))
    }

    private func note(_ leftToApp: Int, _ extent: Journal.Extent, unknown: Int) -> String? {
        var sentences: [String] = []
        if leftToApp > 0 {
            let alerts = counted(leftToApp, "alert", "alerts")
            sentences.append(
                "Not shown: \(alerts) that came while the app was in the foreground, where the app decides.")
        }
        if unknown > 0 {
            let broadcasts = counted(unknown, "older broadcast", "older broadcasts")
            sentences.append("It is no longer known whether \(broadcasts) reached the device.")
        }
        if extent.evicted > 0 {
            let pushes = counted(extent.evicted, "push", "pushes")
            sentences.append(
                "The journal dropped \(pushes) to make room; what was shown of that is missing."
                    + " --max-pushes and --max-bytes keep more.")
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }
}

/// The badges of a device's apps, as the last push with a badge set each.
///
/// They are read from the journal, so a badge is lost with its push.
package struct Badges {
    private var numbers: [DeviceToken: Int64] = [:]

    package init(of device: Device, in subject: ShownNamespace) {
        let wasReached = device.registrations.contains { $0.counters.delivered > 0 }
        // A push that was replaced later has set its badge, too. A device that was deleted meanwhile has none.
        let devices = subject.world.devices
        let arrived = wasReached ? try? devices.arrived(.id(device.id), includingReplaced: true) : nil
        self.init(arrived ?? [])
    }

    init(_ arrived: [PushRecord]) {
        for record in arrived {
            let facts = PushFacts(record)
            guard let delivery = record.delivery, delivery.allowsNotifications, delivery.appState != .foreground,
                let number = facts.reading.badge.number, let token = facts.token
            else { continue }
            numbers[token] = number
        }
    }

    subscript(token: DeviceToken) -> Int64? { numbers[token] }

    var sum: Int64? {
        guard !numbers.isEmpty else { return nil }
        // Payloads may have any number, so the sum may overflow.
        return numbers.values.reduce(0) { sum, number in
            let (result, overflow) = sum.addingReportingOverflow(number)
            return overflow ? .max : result
        }
    }
}

import MockAPNsRules

@testable import MockAPNsWorld

/// The changes of a world, in their order.
final class RecordedChanges: ChangeLog {
    private let changes = Locked<[(change: any WorldChange, time: WorldClock.Reading)]>([])

    /// Records the changes of a world from now on.
    init(of world: World) { world.log(to: self) }

    var count: Int { changes.withLock { $0.count } }

    func append(_ change: AppliedChange) {
        changes.withLock { $0.append((change.change, change.time)) }
    }

    var end: UInt64 { UInt64(count) }

    func whenSafe(_ end: UInt64, _ proceed: @escaping @Sendable (Bool) -> Void) { proceed(true) }

    /// Returns the first difference between a world and what the changes make of `copy`; `nil` if there is none.
    func difference(between world: World, and copy: World) throws -> String? {
        // Counts what the faults have counted since the last change.
        world.withLockedState { $0.logFaultCounters(at: $1) }
        for (change, time) in changes.withLock({ $0 }) { try copy.replay(change, at: time) }
        let (original, replayed) = (world.portrait, copy.portrait)
        if let (before, after) = zip(original, replayed).first(where: { $0 != $1 }) {
            return "\(before)\nbecame\n\(after)"
        }
        guard original.count != replayed.count else { return nil }
        return "\(original.count) lines became \(replayed.count)"
    }
}

extension World {
    /// Everything that can be seen of a world, apart from connections and metrics.
    var portrait: [String] {
        var lines: [String] = []
        let pushes = journal.pushes(.with { $0.limit = .max }).pushes
        for push in pushes {
            lines.append(
                "push \(push.seq) \(push.verdict) \(push.answer) \(push.receivedAt) \(push.answeredAt)"
            )
            for header in push.request.headers { lines.append("\(header)") }
            if let delivery = push.delivery { lines.append("\(delivery)") }
        }
        var query = DeviceQuery()
        query.limit = .max
        let page = devices.devices(query)
        lines.append("devices \(page.matched) \(page.forgotten)")
        for device in page.devices {
            lines.append(
                "\(device.id) \(device.label ?? "") \(device.isOnline) \(device.savesPower) \(device.origin)"
            )
            lines += device.registrations.map { "\($0)" }
            lines += channels.subscriptions(of: .id(device.id)).map { "\($0)" }
            lines += ((try? devices.stored(.id(device.id))) ?? []).map { "stored \($0.seq)" }
        }
        lines += devices.feedback().map { "\($0)" }
        lines += channels.all().channels.map { "\($0)" }
        lines += faults.all.map { "\($0.id) \($0.position) \($0.counters)" }
        lines += marks.map { "\($0)" }
        lines.append(
            "\(journal.extent) \(journal.counters) \(clock.mode) \(options) \(nextDue.map { "\($0)" } ?? "")"
        )
        lines += ruleset.keys.keys.sorted()
        return lines
    }
}

import MockAPNsFormats
import MockAPNsRules

@testable import MockAPNsWorld

/// The changes of a world, in their order.
final class RecordedChanges: ChangeLog {
    /// A change as a log keeps it.
    struct Kept: Sendable {
        let kind: String
        let data: [UInt8]
        let pushes: [KeptPush]
        let time: WorldClock.Reading
        let steps: [LoggedStep]
        let removed: [UInt64]
        let clearedUpTo: UInt64?
        let fanOuts: [(push: UInt64, data: [UInt8])]
    }

    private let changes = Locked<[Kept]>([])

    /// Records the changes of a world from now on.
    init(of world: World) { world.log(to: self) }

    var count: Int { changes.withLock { $0.count } }

    func append(_ change: AppliedChange) {
        let kept = Kept(
            kind: change.kind, data: change.data, pushes: change.pushes(at: 0), time: change.time, steps: change.steps,
            removed: change.removed, clearedUpTo: change.clearedUpTo, fanOuts: change.fanOutData)
        changes.withLock { $0.append(kept) }
    }

    var end: UInt64 { UInt64(count) }

    func whenSafe(_ end: UInt64, _ proceed: @escaping @Sendable (Bool) -> Void) { proceed(true) }

    var all: [Kept] { changes.withLock { $0 } }

    /// Returns the first difference between a world and what the changes make of `copy`; `nil` if there is none.
    func difference(between world: World, and copy: World) throws -> String? {
        // Counts what the faults have counted since the last change.
        world.withLockedState { $0.logFaultCounters(at: $1) }
        for change in all.prefix(count / 2) { try copy.replay(change) }
        let restored = try World(archive: copy.archive().data, journalCapacity: copy.journal.capacity, .ofTests)
        for change in all.dropFirst(count / 2) {
            try copy.replay(change)
            try restored.replay(change)
        }
        try restored.journal.restore(history, isWhole: true)
        for copy in [copy, restored] {
            if let difference = Self.difference(between: world, and: copy) { return difference }
            if world.canonicalBytes().bytes != copy.canonicalBytes().bytes { return "the bytes differ" }
        }
        return nil
    }

    /// The pushes as a store keeps them, oldest first.
    var history: [ReadPush] {
        var kept: [UInt64: KeptPush] = [:]
        for change in all {
            for push in change.pushes { kept[push.seq] = push }
            for step in change.steps { kept[step.push]?.steps.append(step) }
            for fanOut in change.fanOuts { kept[fanOut.push]?.fanOut = fanOut.data }
            for seq in change.removed { kept[seq] = nil }
            if let end = change.clearedUpTo { kept = kept.filter { $0.key > end } }
        }
        return kept.values.sorted { $0.seq < $1.seq }.map { .success($0) }
    }

    private static func difference(between world: World, and copy: World) -> String? {
        let (original, replayed) = (world.portrait, copy.portrait)
        if let (before, after) = zip(original, replayed).first(where: { $0 != $1 }) {
            return "\(before)\nbecame\n\(after)"
        }
        guard original.count != replayed.count else { return nil }
        return "\(original.count) lines became \(replayed.count)"
    }
}

extension ReplayContext {
    /// Any text is a condition that every push fulfills, or a key that verifies nothing.
    static let ofTests = ReplayContext(
        match: { text in FaultDraft.Match(text: text) { _, _ in true } }, verifier: { _ in RulesetTests.NeverValid() })
}

extension World {
    /// Applies a change that went through bytes.
    func replay(_ change: RecordedChanges.Kept) throws {
        let pushes = try change.pushes.map { try KeptPush(archive: $0.archive) }
        try replay(kind: change.kind, data: change.data, pushes: pushes, at: change.time, .ofTests)
    }

    /// Everything that can be seen of a world, apart from connections and metrics.
    var portrait: [String] {
        var lines: [String] = []
        let pushes = journal.pushes(.with { $0.limit = .max }).pushes
        for push in pushes {
            lines.append("push \(push.seq) \(push.verdict) \(push.answer) \(push.receivedAt) \(push.answeredAt)")
            for header in push.request.headers { lines.append("\(header)") }
            if let delivery = push.delivery { lines.append("\(delivery)") }
        }
        var query = DeviceQuery()
        query.limit = .max
        let page = devices.devices(query)
        lines.append("devices \(page.matched) \(page.forgotten)")
        for device in page.devices {
            lines.append(
                "\(device.id) \(device.label ?? "") \(device.isOnline) \(device.savesPower) \(device.origin) \(device.os)"
            )
            lines += device.registrations.map { "\($0)" }
            lines += ((try? devices.activities(of: .id(device.id))) ?? []).map { "\($0)" }
            lines += channels.subscriptions(of: .id(device.id)).map { "\($0)" }
            lines += ((try? devices.stored(.id(device.id))) ?? []).map { "stored \($0.seq)" }
        }
        lines += devices.feedback().map { "\($0)" }
        lines += channels.all().channels.map { "\($0)" }
        lines += faults.all.map { "\($0.id) \($0.position) \($0.counters)" }
        lines += marks.map { "\($0)" }
        lines += strings.all.map {
            "\($0.name) \((strings[$0.name]?.texts.mapValues(\.text) ?? [:]).sorted { $0.key < $1.key })"
        }
        lines += categories.all.map { "\($0.name) \(categories[$0.name] ?? [])" }
        lines += apps.all.map { "\($0)" }
        lines.append("\(journal.extent) \(journal.counters) \(clock.mode) \(options) \(nextDue.map { "\($0)" } ?? "")")
        lines += ruleset.keys.keys.sorted()
        return lines
    }
}

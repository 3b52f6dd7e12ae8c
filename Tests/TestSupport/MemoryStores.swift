import MockAPNsLog
import MockAPNsRules
import MockAPNsWorld
import NIOConcurrencyHelpers

/// Stores that outlive servers, and fail when told to.
package final class MemoryStores: WorldStores {
    private let stores = NIOLockedValueBox<[String: MemoryStore]>([:])
    package let failure = NIOLockedValueBox<StoreError?>(nil)
    /// What calls that read wait for.
    package let silence = Silence()
    /// The numbers of pushes that cannot be read.
    package let damaged = NIOLockedValueBox<Set<UInt64>>([])
    package let place = "memory"
    /// Called before a world is deleted.
    package let onRemove = NIOLockedValueBox<(@Sendable () -> Void)?>(nil)
    private let onProperties: (@Sendable () -> Void)?

    package init(onProperties: (@Sendable () -> Void)? = nil) { self.onProperties = onProperties }

    package func names() throws(StoreError) -> [String] {
        try silence.pass()
        return stores.withLockedValue { $0.keys.sorted() }
    }

    package func open(_ name: String) throws(StoreError) -> (any WorldStore)? {
        try silence.pass()
        return stores.withLockedValue { $0[name] }
    }

    package func create(_ name: String) throws(StoreError) -> any WorldStore {
        try silence.pass()
        return stores.withLockedValue { stores in
            let store = stores[name] ?? MemoryStore(failure, damaged, silence, onProperties: onProperties)
            stores[name] = store
            return store
        }
    }

    package func remove(_ name: String) throws(StoreError) {
        try silence.pass()
        onRemove.withLockedValue { $0 }?()
        stores.withLockedValue { $0[name] = nil }
    }

    package func interrupt() { silence.interrupt() }

    package func close() {}
}

/// A world in memory, as a database would keep it.
package final class MemoryStore: WorldStore, PushHistory {
    private struct State {
        var entries: [LogEntry] = []
        var snapshots: [LogSnapshot] = []
        var properties: [String: String] = [:]
    }

    private let state = NIOLockedValueBox(State())
    private let failure: NIOLockedValueBox<StoreError?>

    private let damaged: NIOLockedValueBox<Set<UInt64>>
    private let silence: Silence
    private let onProperties: (@Sendable () -> Void)?

    init(
        _ failure: NIOLockedValueBox<StoreError?>, _ damaged: NIOLockedValueBox<Set<UInt64>>, _ silence: Silence,
        onProperties: (@Sendable () -> Void)? = nil
    ) {
        (self.failure, self.damaged, self.silence) = (failure, damaged, silence)
        self.onProperties = onProperties
    }

    package var history: any PushHistory { self }

    package func newestSnapshot(below position: UInt64?) throws(StoreError) -> LogSnapshot? {
        try silence.pass()
        return state.withLockedValue { $0.snapshots.last { $0.position < position ?? .max } }
    }

    package func visitJournal(of snapshot: LogSnapshot, _ use: (ReadPush) throws(StoreError) -> Void) throws(StoreError)
    { for push in kept(upTo: snapshot.position) where push.seq >= snapshot.firstPush { try use(push) } }

    package func visitEntries(after position: UInt64, _ use: (LogEntry) throws(StoreError) -> Void) throws(StoreError) {
        for entry in state.withLockedValue(\.entries) where entry.position > position { try use(entry) }
    }

    package func write(_ entries: [LogEntry]) throws(StoreError) {
        try silence.pass()
        if let failure = failure.withLockedValue(\.self) { throw failure }
        state.withLockedValue { $0.entries += entries }
    }

    package func write(_ snapshot: LogSnapshot) {
        state.withLockedValue { state in
            guard state.snapshots.allSatisfy({ $0.position < snapshot.position }) else { return }
            state.snapshots.append(snapshot)
        }
    }

    package func tidy(at now: Int64, keeping pins: Set<UInt64>) -> Bool { false }

    package func properties() throws(StoreError) -> [String: String] {
        try silence.pass()
        return state.withLockedValue(\.properties)
    }

    package func write(properties: [String: String]) {
        state.withLockedValue { $0.properties = properties }
        onProperties?()
    }

    package func close() {}

    // MARK: History

    private func kept(upTo position: UInt64 = .max) -> [ReadPush] {
        let entries = state.withLockedValue(\.entries).filter { $0.position <= position }
        let cleared = entries.compactMap(\.clearedUpTo).max() ?? 0
        let removed = Set(entries.flatMap(\.removed))
        let steps = Dictionary(grouping: entries.flatMap(\.steps), by: \.push)
        return entries.flatMap { entry in
            entry.pushes.filter { $0.seq > cleared && !removed.contains($0.seq) }.map { push in
                damaged.withLockedValue { $0.contains(push.seq) }
                    ? .failure(DamagedPush(seq: push.seq, reason: .cutShort))
                    : .success(push.later(steps[push.seq] ?? []))
            }
        }
    }

    package func pushes(_ query: PushQuery, in range: Range<UInt64>, atMost most: Int) throws(StoreError) -> [ReadPush]
    {
        try silence.pass()
        let found = kept().filter { range.contains($0.seq) }
        return Array((query.order == .ascending ? found : found.reversed()).prefix(most))
    }

    package func push(seq: UInt64) throws(StoreError) -> ReadPush? {
        try silence.pass()
        return kept().first { $0.seq == seq }
    }

    package func push(apnsID: String) throws(StoreError) -> ReadPush? {
        try silence.pass()
        return kept().last { (try? $0.get())?.apnsID?.lowercased() == apnsID }
    }

    package func extent() throws(StoreError) -> HistoryExtent {
        try silence.pass()
        let kept = kept()
        return HistoryExtent(
            count: kept.count, firstSeq: kept.first?.seq, firstReceivedAt: (try? kept.first?.get())?.receivedAt)
    }
}

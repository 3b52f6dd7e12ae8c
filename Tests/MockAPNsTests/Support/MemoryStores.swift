import MockAPNsLog
import MockAPNsWorld
import NIOConcurrencyHelpers

/// Stores that outlive servers, and fail when told to.
final class MemoryStores: WorldStores {
    private let stores = NIOLockedValueBox<[String: MemoryStore]>([:])
    let failure = NIOLockedValueBox<StoreError?>(nil)
    /// The numbers of pushes that cannot be read.
    let damaged = NIOLockedValueBox<Set<UInt64>>([])
    let place = "memory"
    /// Called before a world is deleted.
    let onRemove = NIOLockedValueBox<(@Sendable () -> Void)?>(nil)
    private let onProperties: (@Sendable () -> Void)?

    init(onProperties: (@Sendable () -> Void)? = nil) { self.onProperties = onProperties }

    func names() -> [String] { stores.withLockedValue { $0.keys.sorted() } }

    func open(_ name: String) -> any WorldStore {
        stores.withLockedValue { stores in
            let store = stores[name] ?? MemoryStore(failure, damaged, onProperties: onProperties)
            stores[name] = store
            return store
        }
    }

    func remove(_ name: String) {
        onRemove.withLockedValue { $0 }?()
        stores.withLockedValue { $0[name] = nil }
    }

    func close() {}
}

/// A world in memory, as a database would keep it.
final class MemoryStore: WorldStore, PushHistory {
    private struct State {
        var entries: [LogEntry] = []
        var snapshots: [LogSnapshot] = []
        var properties: [String: String] = [:]
    }

    private let state = NIOLockedValueBox(State())
    private let failure: NIOLockedValueBox<StoreError?>

    private let damaged: NIOLockedValueBox<Set<UInt64>>
    private let onProperties: (@Sendable () -> Void)?

    init(
        _ failure: NIOLockedValueBox<StoreError?>,
        _ damaged: NIOLockedValueBox<Set<UInt64>>,
        onProperties: (@Sendable () -> Void)? = nil
    ) {
        (self.failure, self.damaged) = (failure, damaged)
        self.onProperties = onProperties
    }

    var history: any PushHistory { self }

    func newestSnapshot(below position: UInt64?) -> LogSnapshot? {
        state.withLockedValue { $0.snapshots.last { $0.position < position ?? .max } }
    }

    func visitJournal(
        of snapshot: LogSnapshot,
        _ use: (KeptPush) throws(StoreError) -> Void
    ) throws(StoreError) {
        for push in kept(upTo: snapshot.position) where push.push.seq >= snapshot.firstPush { try use(push) }
    }

    func visitEntries(
        after position: UInt64,
        _ use: (LogEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        for entry in state.withLockedValue(\.entries) where entry.position > position { try use(entry) }
    }

    func write(_ entries: [LogEntry]) throws(StoreError) {
        if let failure = failure.withLockedValue(\.self) { throw failure }
        state.withLockedValue { $0.entries += entries }
    }

    func write(_ snapshot: LogSnapshot) {
        state.withLockedValue { state in
            guard state.snapshots.allSatisfy({ $0.position < snapshot.position }) else { return }
            state.snapshots.append(snapshot)
        }
    }

    func tidy(at now: Int64, keeping pins: Set<UInt64>) -> Bool { false }

    func properties() -> [String: String] { state.withLockedValue(\.properties) }

    func write(properties: [String: String]) {
        state.withLockedValue { $0.properties = properties }
        onProperties?()
    }

    func close() {}

    // MARK: History

    private func kept(upTo position: UInt64 = .max) -> [KeptPush] {
        let entries = state.withLockedValue(\.entries).filter { $0.position <= position }
        let cleared = entries.compactMap(\.clearedUpTo).max() ?? 0
        let removed = Set(entries.flatMap(\.removed))
        let steps = Dictionary(grouping: entries.flatMap(\.steps), by: \.push)
        return entries.flatMap(\.pushes).filter { $0.seq > cleared && !removed.contains($0.seq) }.map {
            push in
            var kept = KeptPush(push: push, steps: steps[push.seq] ?? [])
            if damaged.withLockedValue({ $0.contains(push.seq) }) { kept.push.facts = [] }
            return kept
        }
    }

    func pushes(_ query: PushQuery, in range: Range<UInt64>, atMost most: Int) -> [KeptPush] {
        let found = kept().filter { range.contains($0.push.seq) }
        return Array((query.order == .ascending ? found : found.reversed()).prefix(most))
    }

    func push(seq: UInt64) -> KeptPush? { kept().first { $0.push.seq == seq } }

    func push(apnsID: String) -> KeptPush? { kept().last { $0.push.apnsID.lowercased() == apnsID } }

    func extent() -> HistoryExtent {
        let kept = kept()
        return HistoryExtent(
            count: kept.count,
            firstSeq: kept.first?.push.seq,
            firstReceivedAt: kept.first?.push.receivedAt
        )
    }
}

import MockAPNsRules
import NIOConcurrencyHelpers
import Testing

@testable import MockAPNsLog
@testable import MockAPNsWorld

/// Changes that are written in the background, in groups.
@Suite struct LogWriterTests {
    /// Keeps entries in memory, and fails or blocks when told to.
    final class Store: WorldStore, PushHistory {
        struct State {
            var groups: [[LogEntry]] = []
            var snapshots: [LogSnapshot] = []
            var failure: StoreError?
            var isClosed = false
            var tidied = 0
        }

        let state = NIOLockedValueBox(State())
        /// Held by a test to let no write end.
        let gate = NIOLock()

        var entries: [LogEntry] { state.withLockedValue { $0.groups.flatMap(\.self) } }

        func fail(with error: StoreError?) { state.withLockedValue { $0.failure = error } }

        func newestSnapshot(below position: UInt64?) -> LogSnapshot? {
            state.withLockedValue { $0.snapshots.last }
        }

        func visitJournal(of snapshot: LogSnapshot, _ use: (KeptPush) throws(StoreError) -> Void) {}
        func tidy(at now: Int64, keeping pins: Set<UInt64>) -> Bool {
            state.withLockedValue { state in
                state.tidied += 1
                // Three small parts at first, which nobody asks for.
                return state.tidied <= 3
            }
        }

        func visitEntries(
            after position: UInt64,
            _ use: (LogEntry) throws(StoreError) -> Void
        ) throws(StoreError) {
            for entry in entries where entry.position > position { try use(entry) }
        }

        func write(_ entries: [LogEntry]) throws(StoreError) {
            gate.withLock {}
            if let failure = state.withLockedValue({ $0.failure }) { throw failure }
            state.withLockedValue { $0.groups.append(entries) }
        }

        func write(_ snapshot: LogSnapshot) throws(StoreError) {
            state.withLockedValue { $0.snapshots.append(snapshot) }
        }

        var history: any PushHistory { self }
        func properties() -> [String: String] { [:] }
        func write(properties: [String: String]) {}
        func close() { state.withLockedValue { $0.isClosed = true } }
        func pushes(_ query: PushQuery, in range: Range<UInt64>, atMost most: Int) -> [KeptPush] { [] }
        func push(seq: UInt64) -> KeptPush? { nil }
        func push(apnsID: String) -> KeptPush? { nil }
        func extent() -> HistoryExtent { HistoryExtent(count: 0) }
    }

    private let store = Store()
    private let troubles = NIOLockedValueBox<[StoreError?]>([])

    private func makeWriter(after position: UInt64 = 0, snapshotInterval: Int = 1_000) -> LogWriter {
        var options = LogWriter.Options()
        options.snapshotInterval = snapshotInterval
        options.patience = 0
        options.retryInterval = 1_000
        return LogWriter(
            store,
            after: position,
            options: options,
            name: "test",
            now: { 0 },
            onTrouble: { [troubles] error in troubles.withLockedValue { $0.append(error) } },
            snapshot: { [store] in
                LogSnapshot(position: UInt64(store.entries.count), data: [], digest: "", firstPush: 1)
            }
        )
    }

    private func mark(_ text: String) -> AppliedChange {
        let time = WorldClock().read()
        return AppliedChange(change: SetMark(text: text), time: time, effects: JournalEffects(), fanOuts: [])
    }

    private func isSafe(_ writer: LogWriter, _ end: UInt64) async -> Bool {
        await withCheckedContinuation { continuation in
            writer.whenSafe(end) { continuation.resume(returning: $0) }
        }
    }

    @Test func `positions go on where the store ends`() async {
        let writer = makeWriter(after: 7)
        writer.append(mark("a"))
        writer.append(mark("b"))
        #expect(writer.end == 9)
        #expect(await isSafe(writer, 9))
        #expect(store.entries.map(\.position) == [8, 9])
        #expect(await isSafe(writer, 3))
    }

    @Test func `what comes while one group is written is the next group`() async {
        let writer = makeWriter()
        store.gate.lock()
        writer.append(mark("first"))
        // The first group may have none of these, or all: but they are never one group each.
        for number in 0..<100 { writer.append(mark("\(number)")) }
        store.gate.unlock()
        #expect(await isSafe(writer, 101))
        #expect(store.entries.map(\.position) == Array(1...101))
        #expect(store.state.withLockedValue { $0.groups.count } <= 2)
    }

    @Test func `a store that fails is asked again, and nothing is lost or doubled`() async {
        let writer = makeWriter()
        store.fail(with: StoreError(.full, "no room"))
        writer.append(mark("a"))
        #expect(await !isSafe(writer, 1))
        #expect(troubles.withLockedValue { $0 } == [StoreError(.full, "no room")])
        store.fail(with: nil)
        writer.append(mark("b"))
        while !(await isSafe(writer, 2)) { await Task.yield() }
        #expect(store.entries.map(\.position) == [1, 2])
        await writer.close()
        #expect(troubles.withLockedValue { $0 } == [StoreError(.full, "no room"), nil])
    }

    @Test func `a snapshot follows after so many changes, and at the end`() async {
        let writer = makeWriter(snapshotInterval: 3)
        for number in 1...3 {
            writer.append(mark("\(number)"))
            _ = await isSafe(writer, UInt64(number))
        }
        await writer.close()
        #expect(store.state.withLockedValue { $0.snapshots.last?.position } == 3)
        #expect(store.state.withLockedValue { $0.isClosed })
    }

    @Test func `what can wait is done after each group, and then until it is done`() async {
        let writer = makeWriter()
        writer.append(mark("a"))
        _ = await isSafe(writer, 1)
        await writer.close()
        #expect(store.state.withLockedValue { $0.tidied } >= 1)
        let other = makeWriter(after: 1)
        other.append(mark("b"))
        while store.state.withLockedValue({ $0.tidied }) < 4 { await Task.yield() }
        await other.close()
    }

    @Test func `after the end nothing is kept, and nobody waits`() async {
        let writer = makeWriter()
        await writer.close()
        writer.append(mark("late"))
        #expect(await !isSafe(writer, 1))
        #expect(store.entries.isEmpty)
    }
}

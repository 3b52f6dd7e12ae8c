import MockAPNsRules
import NIOConcurrencyHelpers
import TestSupport
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
            /// What work in the background, and looking for the files, fails with.
            var tidyFailure: StoreError?
            var snapshotFailure: StoreError?
            var loss: StoreError?
            var isClosed = false
            var tidied = 0
        }

        let state = NIOLockedValueBox(State())
        /// Held by a test to let no write end.
        let gate = NIOLock()

        var entries: [LogEntry] { state.withLockedValue { $0.groups.flatMap(\.self) } }

        func fail(with error: StoreError?) { state.withLockedValue { $0.failure = error } }

        func newestSnapshot(below position: UInt64?) -> LogSnapshot? { state.withLockedValue { $0.snapshots.last } }

        func visitJournal(of snapshot: LogSnapshot, _ use: (ReadPush) throws(StoreError) -> Void) {}
        func tidy(at now: Int64, keeping pins: Set<UInt64>) throws(StoreError) -> Bool {
            let (failure, hasMore) = state.withLockedValue { state in
                state.tidied += 1
                // Three small parts at first, which nobody asks for.
                return (state.tidyFailure, state.tidied <= 3)
            }
            if let failure { throw failure }
            return hasMore
        }

        func check() throws(StoreError) { if let loss = state.withLockedValue({ $0.loss }) { throw loss } }

        func visitEntries(after position: UInt64, _ use: (LogEntry) throws(StoreError) -> Void) throws(StoreError) {
            for entry in entries where entry.position > position { try use(entry) }
        }

        func write(_ entries: [LogEntry]) throws(StoreError) {
            gate.withLock {}
            if let failure = state.withLockedValue({ $0.failure }) { throw failure }
            state.withLockedValue { $0.groups.append(entries) }
        }

        func write(_ snapshot: LogSnapshot) throws(StoreError) {
            if let failure = state.withLockedValue({ $0.snapshotFailure }) { throw failure }
            state.withLockedValue { $0.snapshots.append(snapshot) }
        }

        var history: any PushHistory { self }
        func properties() -> [String: String] { [:] }
        func write(properties: [String: String]) {}
        func close() { state.withLockedValue { $0.isClosed = true } }
        func pushes(_ query: PushQuery, in range: Range<UInt64>, atMost most: Int) -> [ReadPush] { [] }
        func push(seq: UInt64) -> ReadPush? { nil }
        func push(apnsID: String) -> ReadPush? { nil }
        func extent() -> HistoryExtent { HistoryExtent(count: 0) }
    }

    private let store = Store()
    private let troubles = NIOLockedValueBox<[StoreError?]>([])
    private let changes = NIOLockedValueBox<[BackgroundChange]>([])

    private struct BackgroundChange: Equatable {
        var work: BackgroundWork
        var error: StoreError?
    }

    private static let damage = StoreError(.damaged, "page 7 is damaged")
    /// Pauses after which work is tried again at once, and never.
    private static let short: ClosedRange<UInt64> = 1...1
    private static let endless: ClosedRange<UInt64> = .max / 4 ... .max / 4

    private func makeWriter(
        after position: UInt64 = 0, snapshotInterval: Int = 1_000,
        backgroundPauses: ClosedRange<UInt64> = LogWriterTests.short, whenTaken: @escaping @Sendable () -> Void = {}
    ) -> LogWriter {
        var options = LogWriter.Options()
        options.snapshotInterval = snapshotInterval
        options.timeout = 0
        options.retryInterval = 1_000
        options.backgroundPauses = backgroundPauses
        return LogWriter(
            store, after: position, options: options, name: "test", now: { 0 },
            onTrouble: { [troubles] error in troubles.withLockedValue { $0.append(error) } },
            onBackgroundChange: { [changes] work, error in
                changes.withLockedValue { $0.append(BackgroundChange(work: work, error: error)) }
            },
            snapshot: { [store] in
                defer { whenTaken() }
                return LogSnapshot(position: UInt64(store.entries.count), data: [], digest: "", firstPush: 1)
            })
    }

    private func mark(_ text: String) -> AppliedChange {
        let time = WorldClock().read()
        return AppliedChange(change: SetMark(text: text), time: time, effects: JournalEffects(), fanOuts: [])
    }

    private func isSafe(_ writer: LogWriter, _ end: UInt64) async -> Bool {
        await withCheckedContinuation { continuation in writer.whenSafe(end) { continuation.resume(returning: $0) } }
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

    @Test func `changes that arrive during a write are the next group`() async {
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
        await eventually { await isSafe(writer, 2) }
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

    @Test func `background work runs after each group until it is done`() async {
        let writer = makeWriter()
        writer.append(mark("a"))
        _ = await isSafe(writer, 1)
        await writer.close()
        #expect(store.state.withLockedValue { $0.tidied } >= 1)
        let other = makeWriter(after: 1)
        other.append(mark("b"))
        await eventually { store.state.withLockedValue({ $0.tidied }) >= 4 }
        await other.close()
    }

    /// Adds changes one after the other, and expects each to be safe.
    private func write(_ count: Int, to writer: LogWriter) async {
        for number in 1...count {
            writer.append(mark("\(number)"))
            #expect(await isSafe(writer, writer.end))
        }
    }

    @Test func `a clean-up that fails refuses no change, is said once, and is not tried with every change`() async {
        let writer = makeWriter(backgroundPauses: Self.endless)
        store.state.withLockedValue { $0.tidyFailure = Self.damage }
        await write(20, to: writer)
        #expect(writer.backgroundFailure == Self.damage)
        await writer.close()
        #expect(store.entries.count == 20)
        #expect(store.state.withLockedValue { $0.tidied } == 1)
        #expect(troubles.withLockedValue { $0 } == [])
        #expect(changes.withLockedValue { $0 } == [BackgroundChange(work: .tidying, error: Self.damage)])
    }

    @Test func `a clean-up that fails is tried again, and works again when all of it has succeeded`() async {
        let writer = makeWriter()
        store.state.withLockedValue { $0.tidyFailure = Self.damage }
        await write(1, to: writer)
        await eventually { store.state.withLockedValue({ $0.tidied }) >= 5 }
        #expect(changes.withLockedValue { $0.count } == 1)
        store.state.withLockedValue { ($0.tidyFailure, $0.tidied) = (nil, 0) }
        await eventually { writer.backgroundFailure == nil }
        #expect(store.state.withLockedValue { $0.tidied } > 3)
        await writer.close()
        let expected = [Self.damage, nil].map { BackgroundChange(work: .tidying, error: $0) }
        #expect(changes.withLockedValue { $0 } == expected)
        #expect(troubles.withLockedValue { $0 } == [])
    }

    @Test func `a snapshot that fails refuses no change, and is written later`() async {
        let writer = makeWriter(snapshotInterval: 2)
        store.state.withLockedValue { $0.snapshotFailure = Self.damage }
        await write(10, to: writer)
        #expect(store.state.withLockedValue { $0.snapshots.isEmpty })
        store.state.withLockedValue { $0.snapshotFailure = nil }
        await eventually { writer.backgroundFailure == nil }
        // The try that succeeds may have begun before the last change.
        #expect(store.state.withLockedValue { !$0.snapshots.isEmpty })
        await writer.close()
        #expect(store.state.withLockedValue { $0.snapshots.last?.position } == 10)
        let expected = [Self.damage, nil].map { BackgroundChange(work: .snapshot, error: $0) }
        #expect(changes.withLockedValue { $0 } == expected)
        #expect(troubles.withLockedValue { $0 } == [])
    }

    @Test func `a change that comes when a snapshot was taken is in the next one`() async {
        let waiting = NIOLockedValueBox<LogWriter?>(nil)
        let late = mark("late")
        let writer = makeWriter(snapshotInterval: 2) { waiting.withLockedValue { $0.take() }?.append(late) }
        waiting.withLockedValue { $0 = writer }
        await write(2, to: writer)
        await eventually { store.state.withLockedValue { !$0.snapshots.isEmpty } }
        await writer.close()
        #expect(store.state.withLockedValue { $0.snapshots.map(\.position) } == [2, 3])
    }

    @Test func `a store whose files are gone refuses changes until they are back`() async {
        let loss = StoreError(.lost, "a.sqlite was deleted")
        let writer = makeWriter()
        store.state.withLockedValue { $0.loss = loss }
        writer.append(mark("a"))
        #expect(await !isSafe(writer, 1))
        #expect(store.entries.isEmpty)
        store.state.withLockedValue { $0.loss = nil }
        await eventually { troubles.withLockedValue({ $0.count }) >= 2 }
        #expect(await isSafe(writer, 1))
        await writer.close()
        #expect(store.entries.map(\.position) == [1])
        #expect(troubles.withLockedValue { $0 } == [loss, nil])
    }

    @Test func `a loss of files is noticed without a change, and no snapshot is written over it`() async {
        let loss = StoreError(.lost, "a.sqlite was deleted")
        let writer = makeWriter()
        await write(1, to: writer)
        writer.check()
        store.state.withLockedValue { $0.loss = loss }
        writer.check()
        await eventually { !troubles.withLockedValue({ $0.isEmpty }) }
        await writer.close()
        #expect(troubles.withLockedValue { $0 } == [loss])
        #expect(store.state.withLockedValue { $0.snapshots.isEmpty })
    }

    @Test func `without changes since the last snapshot, the end writes none`() async {
        let writer = makeWriter(after: 7)
        await writer.close()
        #expect(store.state.withLockedValue { $0.snapshots.isEmpty })
        #expect(store.state.withLockedValue { $0.isClosed })
    }

    @Test func `after its end, the writer keeps nothing and nothing waits`() async {
        let writer = makeWriter()
        await writer.close()
        writer.append(mark("late"))
        #expect(await !isSafe(writer, 1))
        #expect(store.entries.isEmpty)
    }
}

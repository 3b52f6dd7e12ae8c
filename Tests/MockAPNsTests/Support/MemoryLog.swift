import Foundation
import MockAPNsLog
import MockAPNsWorld
import NIOConcurrencyHelpers
import TestSupport

/// A database in memory that replicas share, each through a `MemoryLog`.
final class MemoryDatabase: Sendable {
    /// What goes wrong once, at the next end of a turn with entries.
    enum Mishap {
        /// The entries are not written, and the replica does not know.
        case lostBefore
        /// The entries are written, and the replica does not know.
        case lostAfter
    }

    struct State {
        var head = LogHead(position: 0, namespaces: 0)
        var entries: [SharedEntry] = []
        var turns: [UInt64: UInt64] = [:]
        var replicas: [UInt64: ReplicaStatus] = [:]
        var lastNumber: UInt64 = 0
        var holder: UInt64?
        var mishap: Mishap?
        /// Called once after the next mishap, before anybody else knows.
        var afterMishap: (@Sendable () -> Void)?
        var isDown = false
        /// The numbers of the replicas for which the database is down.
        var cutOff: Set<UInt64> = []
        /// The most entries that a replica has read at once during its turn.
        var mostReadInTurn = 0
        /// How often turns were renewed.
        var renewals = 0
        /// The reason why the list of namespaces cannot be read.
        var listFailure: StoreError?
        /// The names of namespaces that cannot be opened.
        var damaged: Set<String> = []
        /// The reason why clean-ups and snapshots fail.
        var choreFailure: StoreError?
        var snapshots = 0
    }

    let state: NIOLockedValueBox<State>
    let stores: MemoryStores
    /// Signalled when a turn ends.
    let ended = NSCondition()

    init() {
        let state = NIOLockedValueBox(State())
        self.state = state
        stores = MemoryStores { state.withLockedValue { $0.head.namespaces += 1 } }
    }

    /// Makes the database fail, or work again.
    func setDown(_ isDown: Bool) { state.withLockedValue { $0.isDown = isDown } }
}

/// The view that one replica has of a `MemoryDatabase`.
final class MemoryLog: SharedLog {
    private let database: MemoryDatabase
    private let number = NIOLockedValueBox<UInt64>(0)
    let stores: any WorldStores

    init(_ database: MemoryDatabase) {
        self.database = database
        stores = SharedMemoryStores(database)
    }

    private static let down = StoreError(.failed, "the database is down")

    private func use<Value>(_ use: (inout MemoryDatabase.State) throws(StoreError) -> Value) throws(StoreError) -> Value
    {
        try database.stores.silence.pass()
        let own = number.withLockedValue { $0 }
        let outcome = database.state.withLockedValue { state -> Result<Value, StoreError> in
            guard !state.isDown, !state.cutOff.contains(own) else { return .failure(Self.down) }
            return Result { () throws(StoreError) in try use(&state) }
        }
        return try outcome.get()
    }

    func join(as replica: ReplicaStatus) throws(StoreError) -> UInt64 {
        let given = try use { state in
            state.lastNumber += 1
            state.replicas[state.lastNumber] = replica
            return state.lastNumber
        }
        number.withLockedValue { $0 = given }
        return given
    }

    func head() throws(StoreError) -> LogHead { try use { $0.head } }

    func visitEntries(
        after position: UInt64, upTo end: UInt64, _ visit: (SharedEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        let own = number.withLockedValue { $0 }
        let entries = try use { state in
            let entries = state.entries.filter { $0.position > position && $0.position <= end }
            if state.holder == own { state.mostReadInTurn = max(state.mostReadInTurn, entries.count) }
            return entries
        }
        for entry in entries { try visit(entry) }
    }

    func beginTurn(whileWaiting: () -> Void) throws(StoreError) -> LogHead {
        let own = number.withLockedValue { $0 }
        let deadline = Date(timeIntervalSinceNow: Double(LastResort.seconds))
        database.ended.lock()
        defer { database.ended.unlock() }
        while true {
            let head = try use { state -> LogHead? in
                guard state.holder == nil else { return nil }
                state.holder = own
                return state.head
            }
            if let head { return head }
            guard Date.now < deadline else { throw StoreError(.failed, "no turn") }
            guard !database.ended.wait(until: Date(timeIntervalSinceNow: 0.005)) else { continue }
            database.ended.unlock()
            whileWaiting()
            database.ended.lock()
        }
    }

    func keepTurn() throws(StoreError) { try use { $0.renewals += 1 } }

    func endTurn(_ turn: UInt64, with entries: [SharedEntry]) throws(StoreError) {
        let own = number.withLockedValue { $0 }
        let mishap = database.state.withLockedValue { state in
            defer { state.mishap = nil }
            return state.mishap
        }
        defer { leaveTurn() }
        if mishap != .lostBefore {
            for entry in entries { try database.stores.open(entry.namespace)?.write([entry.entry]) }
            try use { state in
                state.entries += entries
                state.head.position = entries.last?.position ?? state.head.position
                state.turns[own] = turn
            }
        }
        guard mishap != nil else { return }
        let after = database.state.withLockedValue { $0.afterMishap.take() }
        leaveTurn()
        after?()
        throw StoreError(.failed, "the answer was lost")
    }

    func leaveTurn() {
        let own = number.withLockedValue { $0 }
        database.state.withLockedValue { state in if state.holder == own { state.holder = nil } }
        database.ended.lock()
        database.ended.broadcast()
        database.ended.unlock()
    }

    func hasEnded(_ turn: UInt64) throws(StoreError) -> Bool {
        let own = number.withLockedValue { $0 }
        return try use { ($0.turns[own] ?? 0) >= turn }
    }

    func report(_ status: ReplicaStatus) throws(StoreError) { try use { $0.replicas[status.number] = status } }

    func replicas() throws(StoreError) -> [ReplicaStatus] {
        try use { $0.replicas.values.sorted { $0.number < $1.number } }
    }

    func close() {
        let own = number.withLockedValue { $0 }
        database.state.withLockedValue { $0.replicas[own] = nil }
    }
}

/// The stores of a database, which count what happens to namespaces.
private final class SharedMemoryStores: WorldStores {
    private let database: MemoryDatabase
    let place = "shared memory"

    init(_ database: MemoryDatabase) { self.database = database }

    private func count() { database.state.withLockedValue { $0.head.namespaces += 1 } }

    func names() throws(StoreError) -> [String] {
        if let failure = database.state.withLockedValue({ $0.listFailure }) { throw failure }
        return try database.stores.names()
    }

    func open(_ name: String) throws(StoreError) -> (any WorldStore)? {
        if database.state.withLockedValue({ $0.damaged.contains(name) }) {
            throw StoreError(.damaged, "cannot open it")
        }
        return try database.stores.open(name).map { ChoreStore($0, database) }
    }

    func create(_ name: String) throws(StoreError) -> any WorldStore {
        if try database.stores.open(name) == nil { count() }
        return ChoreStore(try database.stores.create(name), database)
    }

    func interrupt() { database.stores.interrupt() }

    func remove(_ name: String) throws(StoreError) {
        try database.stores.remove(name)
        database.state.withLockedValue { state in state.entries.removeAll { $0.namespace == name } }
        count()
    }

    func close() {}
}

/// A store whose background work fails when the database says so.
private final class ChoreStore: WorldStore {
    private let store: any WorldStore
    private let database: MemoryDatabase

    init(_ store: any WorldStore, _ database: MemoryDatabase) { (self.store, self.database) = (store, database) }

    private func work() throws(StoreError) {
        if let failure = database.state.withLockedValue({ $0.choreFailure }) { throw failure }
    }

    func newestSnapshot(below position: UInt64?) throws(StoreError) -> LogSnapshot? {
        try store.newestSnapshot(below: position)
    }

    func visitJournal(of snapshot: LogSnapshot, _ use: (ReadPush) throws(StoreError) -> Void) throws(StoreError) {
        try store.visitJournal(of: snapshot, use)
    }

    func visitEntries(after position: UInt64, _ use: (LogEntry) throws(StoreError) -> Void) throws(StoreError) {
        try store.visitEntries(after: position, use)
    }

    func write(_ entries: [LogEntry]) throws(StoreError) { try store.write(entries) }

    func write(_ snapshot: LogSnapshot) throws(StoreError) {
        try work()
        try store.write(snapshot)
        database.state.withLockedValue { $0.snapshots += 1 }
    }

    func tidy(at now: Int64, keeping pins: Set<UInt64>) throws(StoreError) -> Bool {
        try work()
        return try store.tidy(at: now, keeping: pins)
    }

    var history: any PushHistory { store.history }

    func properties() throws(StoreError) -> [String: String] { try store.properties() }

    func write(properties: [String: String]) throws(StoreError) { try store.write(properties: properties) }

    func close() { store.close() }
}

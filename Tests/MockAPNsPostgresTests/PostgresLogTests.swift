import Foundation
import MockAPNsLog
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsPostgres

/// Turns of replicas, each a log of its own for the same database.
struct PostgresLogTests {
    private let server: PostgresServer
    private let url: String

    init() throws {
        server = try PostgresServer.shared()
        url = try server.database()
    }

    private func replica(_ name: String, joins: Bool = true) throws -> PostgresLog {
        let log = try PostgresLog(url)
        if joins { _ = try log.join(as: ReplicaStatus(name: name, address: "\(name):2197", version: "1")) }
        return log
    }

    /// Entries of a world, each with a push, from a position in the log and in its world on.
    private func entries(
        of namespace: String, from position: UInt64, world: UInt64? = nil, count: UInt64 = 1
    ) -> [SharedEntry] {
        (0..<count).map { offset in
            let world = (world ?? position) + offset
            let entry = LogEntry.made(world, [world * 10])
            return SharedEntry(position: position + offset, namespace: namespace, entry: entry)
        }
    }

    private func log(_ log: PostgresLog, after position: UInt64 = 0, upTo end: UInt64) throws -> [SharedEntry] {
        var found: [SharedEntry] = []
        try log.visitEntries(after: position, upTo: end) { entry throws(StoreError) in found.append(entry) }
        return found
    }

    @Test func `replicas get numbers that are never given twice, and are listed until they end`() throws {
        let a = try replica("a")
        let b = try replica("b")
        #expect(try a.replicas().map(\.number) == [1, 2])
        try b.report(ReplicaStatus(number: 2, name: "b", address: "x", position: 7, version: "2"))
        #expect(try a.replicas().last == ReplicaStatus(number: 2, name: "b", address: "x", position: 7, version: "2"))
        b.close()
        let c = try PostgresLog(url)
        #expect(try c.join(as: ReplicaStatus(name: "c", address: "", version: "")) == 3)
        let silence = "update mock_apns.replica set seen_at = now() - interval '11 s' where number = 1"
        try server.query(silence, in: url)
        #expect(try c.replicas().map(\.name) == ["c"])
        try a.report(ReplicaStatus(name: "a", address: "", version: ""))
        #expect(try c.replicas().map(\.name) == ["a", "c"])
    }

    @Test func `what one replica writes in its turn, another reads in the next`() throws {
        let a = try replica("a")
        let b = try replica("b")
        _ = try a.stores.create("default")
        #expect(try a.beginTurn() == LogHead(position: 0, namespaces: 1))
        let first = entries(of: "default", from: 1, count: 300)
        try a.endTurn(1, with: first)
        #expect(try b.head() == LogHead(position: 300, namespaces: 1))
        #expect(try b.beginTurn().position == 300)
        #expect(try log(b, upTo: 300) == first)
        #expect(try log(b, after: 297, upTo: 299) == Array(first[297...298]))
        try b.keepTurn()
        try b.endTurn(1, with: entries(of: "default", from: 301))
        #expect(try a.beginTurn().position == 301)
        #expect(try a.hasEnded(1))
        #expect(try !a.hasEnded(2))
        a.leaveTurn()
        a.leaveTurn()
        #expect(try log(a, after: 300, upTo: 301).map(\.entry.pushes.count) == [1])
    }

    @Test func `turns exclude each other: every entry has its place, whichever replica writes it`() async throws {
        _ = try replica("opener").stores.create("default")
        try await withThrowingTaskGroup { group in
            for name in ["a", "b", "c"] {
                group.addTask {
                    let log = try replica(name)
                    for turn in 1...40 as ClosedRange<UInt64> {
                        let head = try log.beginTurn()
                        try log.endTurn(turn, with: entries(of: "default", from: head.position + 1))
                    }
                }
            }
            try await group.waitForAll()
        }
        let reader = try replica("reader")
        #expect(try reader.head().position == 120)
        #expect(try log(reader, upTo: 120).map(\.position) == Array(1...120))
    }

    @Test func `a replica that waits for its turn reads what others have written, and takes the turn when it is free`()
        throws
    {
        let a = try replica("a")
        let b = try replica("b")
        _ = try a.stores.create("default")
        let first = entries(of: "default", from: 1, count: 3)
        _ = try a.beginTurn()
        try a.endTurn(1, with: first)
        _ = try a.beginTurn()
        var found: [SharedEntry] = []
        let head = try b.beginTurn {
            found = (try? b.head()).flatMap { try? log(b, upTo: $0.position) } ?? []
            a.leaveTurn()
        }
        #expect(found == first)
        #expect(head.position == 3)
        try b.endTurn(1, with: entries(of: "default", from: 4))
        #expect(try a.head().position == 4)
    }

    @Test func `a replica that waits too long for its turn gets an error`() throws {
        let a = try replica("a")
        let b = try replica("b")
        _ = try a.beginTurn()
        let stop = Stopwatch()
        #expect(throws: StoreError.self) {
            // The turn of `a` is kept meanwhile, so that it does not end by itself.
            let keeper = Repeater { try? a.keepTurn() }
            defer { keeper.stop() }
            _ = try b.beginTurn()
        }
        #expect(stop.seconds < 5)
        a.leaveTurn()
        _ = try b.beginTurn()
    }

    @Test(arguments: [SIGKILL, SIGSTOP]) func `a turn ends when its process dies, or is stopped`(signal: Int32) throws {
        let log = try replica("a")
        let program = try RunningProgram([try Self.program("turn-holder"), url])
        #expect(program.outputLine() == "0")
        program.signal(signal)
        let head = try Self.retrying { try log.beginTurn() }
        #expect(head.position == 0)
        program.signal(SIGKILL)
    }

    @Test(arguments: [true, false]) func `a turn tells later whether it has ended, when its connection was cut`(
        isCutBefore: Bool
    ) throws {
        let log = try replica("a")
        _ = try log.stores.create("default")
        _ = try log.beginTurn()
        let cut = """
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()
            """
        if isCutBefore {
            try server.query(cut, in: url)
            #expect(throws: StoreError.self) { try log.endTurn(1, with: entries(of: "default", from: 1)) }
        } else {
            try log.endTurn(1, with: entries(of: "default", from: 1))
            try server.query(cut, in: url)
        }
        #expect(try Self.retrying { try log.beginTurn() }.position == (isCutBefore ? 0 : 1))
        #expect(try log.hasEnded(1) == !isCutBefore)
        log.leaveTurn()
    }

    @Test func `entries at a wrong position are not written, and the turn is over`() throws {
        let log = try replica("a")
        _ = try log.stores.create("default")
        _ = try log.beginTurn()
        let error = #expect(throws: StoreError.self) { try log.endTurn(1, with: entries(of: "default", from: 2)) }
        #expect(error?.description.contains("the log, which ends at 0") == true)
        #expect(throws: StoreError.self) { try log.endTurn(1, with: entries(of: "default", from: 1)) }
        #expect(try log.beginTurn().position == 0)
    }

    @Test func `entries of namespaces that were removed are left out`() throws {
        let a = try replica("a")
        let b = try replica("b")
        _ = try a.stores.create("one")
        _ = try b.stores.create("two")
        #expect(try a.beginTurn().namespaces == 2)
        let both = entries(of: "one", from: 1, world: 1) + entries(of: "two", from: 2, world: 1)
        // Another replica removes a namespace and makes it anew during the turn.
        try b.stores.remove("two")
        _ = try b.stores.create("two")
        try a.endTurn(1, with: both)
        #expect(try b.beginTurn() == LogHead(position: 2, namespaces: 4))
        #expect(try log(b, upTo: 2) == Array(both.prefix(1)))
        try b.endTurn(1, with: entries(of: "two", from: 3, world: 1) + entries(of: "none", from: 4, world: 1))
        #expect(try a.beginTurn().position == 4)
        #expect(try log(a, upTo: 4).map(\.namespace) == ["one", "two"])
    }

    @Test func `the log says how far it was trimmed, also during a turn`() throws {
        let a = try replica("a")
        let store = try a.stores.create("default")
        _ = try a.beginTurn()
        try a.endTurn(1, with: entries(of: "default", from: 1, count: 20))
        try store.write(LogSnapshot.made(10, firstPush: 100))
        try store.write(LogSnapshot.made(20, firstPush: 200))
        _ = try a.beginTurn()
        try store.tidyAll()
        #expect(throws: StoreError.self) { try log(a, after: 9, upTo: 20) }
        #expect(try log(a, after: 10, upTo: 20).count == 10)
        a.leaveTurn()
        #expect(try a.head().trimmed == 10)
    }

    @Test func `a change of the namespaces counts up`() throws {
        let log = try replica("a")
        let store = try log.stores.create("default")
        _ = try log.stores.create("default")
        #expect(try log.head().namespaces == 1)
        try store.write(properties: [:])
        try store.write(properties: ["port": "2197"])
        #expect(try log.head().namespaces == 3)
        try log.stores.remove("default")
        try log.stores.remove("default")
        #expect(try log.head().namespaces == 4)
        #expect(try log.stores.names() == [])
    }

    @Test func `opening a namespace that does not exist creates none`() throws {
        let log = try replica("a")
        #expect(try log.stores.open("missing") == nil)
        #expect(try log.stores.names() == [] && log.head().namespaces == 0)
        _ = try log.stores.create("there")
        #expect(try log.stores.open("there") != nil)
        let data = try PostgresData(url)
        defer { data.close() }
        _ = try data.world("there")
        let problem = #expect(throws: StoreError.self) { _ = try data.world("missing") }
        #expect(problem?.code == .noAccess)
        #expect(try data.names() == ["there"])
    }

    /// Without the interruption, it would last an hour.
    @Test func `a call of a silent database ends when it is interrupted`() async throws {
        let silent = try PostgresServer()
        defer { silent.stop() }
        var options = PostgresOptions()
        (options.callTimeout, options.bulkTimeout) = (3_600, 3_600)
        let log = try PostgresLog(try silent.database(), options: options)
        _ = try log.join(as: ReplicaStatus(name: "a", address: "", version: "1"))
        _ = try log.head()
        let server = try silent.processIdentifier()
        let children = try RunningProgram.run(["pgrep", "-P", "\(server)"]).output
        let all = [server] + String(decoding: children, as: UTF8.self).split(separator: "\n").compactMap { Int32($0) }
        for process in all { kill(process, SIGSTOP) }
        defer { for process in all { kill(process, SIGCONT) } }
        let head = Task { try await onOwnThread { try log.head() } }
        log.stores.interrupt()
        let problem = await #expect(throws: StoreError.self) { _ = try await head.value }
        #expect(problem?.description.contains("had not answered when this server stopped") == true)
        log.close()
    }

    private static func program(_ name: String) throws -> String {
        var directory = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0])
        while directory.path != "/" {
            directory.deleteLastPathComponent()
            let candidate = directory.appending(path: name).path
            if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
        }
        throw PostgresServer.StartFailure(description: "\(name) is not built")
    }

    /// Tries for up to 10 seconds: each attempt waits for the turn.
    private static func retrying<Result>(_ attempt: () throws -> Result) throws -> Result {
        let stop = Stopwatch()
        while true { do { return try attempt() } catch  where stop.seconds < 10 { continue } }
    }
}

/// Measures time.
private struct Stopwatch {
    private let start = ContinuousClock.now
    var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }
}

/// Calls a function every 100 ms on a thread.
private final class Repeater {
    private let timer: any DispatchSourceTimer

    init(_ action: @escaping @Sendable () -> Void) {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "repeater"))
        timer.schedule(deadline: .now(), repeating: .milliseconds(100))
        timer.setEventHandler(handler: action)
        self.timer = timer
        timer.resume()
    }

    func stop() { timer.cancel() }
}

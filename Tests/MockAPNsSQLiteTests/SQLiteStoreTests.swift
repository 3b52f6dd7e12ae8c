import Foundation
import MockAPNsLog
import MockAPNsWorld
import Synchronization
import TestSupport
import Testing

@testable import MockAPNsSQLite

struct SQLiteStoreTests {
    private let directory: ScratchDirectory

    init() throws { directory = try ScratchDirectory() }

    @Test func `entries are read back exactly, after the store was opened again`() throws {
        let odd = LogEntry.made(3, [9, 10]) { push in
            push.body = push.seq == 9 ? [0, 1, 255] : []
            push.headers =
                push.seq == 9 ? [] : [("", ""), (": ", "\u{7f}"), ("apns-topic", "é\n"), ("apns-topic", "b")]
        }
        let entries = [LogEntry.made(1, 1...4), LogEntry.made(2), odd]
        let store = try directory.open()
        try store.write(Array(entries.prefix(2)))
        try store.write([odd])
        store.close()
        let again = try directory.open()
        #expect(try again.entries() == entries)
        #expect(try again.entries(after: 2) == [odd])
    }

    @Test func `a batch with an entry at a wrong position is not written at all`() throws {
        let store = try directory.open()
        #expect(throws: StoreError.self) { try store.write([.made(1, [1]), .made(3, [2])]) }
        #expect(try store.entries().isEmpty)
        try store.write([.made(1, [1])])
        #expect(try store.history.extent().count == 1)
    }

    @Test func `the two newest snapshots are kept`() throws {
        let store = try directory.open()
        #expect(try store.newestSnapshot() == nil)
        for position in 1...3 as ClosedRange<UInt64> {
            try store.write([.made(position)])
            try store.write(.made(position, firstPush: 1))
        }
        #expect(try store.newestSnapshot() == .made(3, firstPush: 1))
        #expect(try store.newestSnapshot(below: 3) == .made(2, firstPush: 1))
        #expect(try store.newestSnapshot(below: 2) == nil)
    }

    @Test func `changes go when the older of two snapshots does not need them`() throws {
        let store = try directory.open(.small)
        try store.write((1...20).map { .made($0, [$0]) })
        try store.write(.made(10, firstPush: 8))
        try store.tidyAll()
        #expect(try store.entries().count == 20)
        try store.write(.made(20, firstPush: 15))
        try store.tidyAll()
        #expect(try store.entries(after: 10).count == 10)
        #expect(throws: StoreError.self) { try store.entries(after: 9) }
        #expect(try store.kept().count == 20)
    }

    @Test func `a step changes the delivery state, and is found with its push`() throws {
        let store = try directory.open()
        try store.write([.made(1, [1, 2])])
        var entry = LogEntry.made(2)
        entry.steps = [
            LoggedStep(seq: 5, push: 1, at: 9, event: "delivered", delivery: "delivered", facts: [7]),
            LoggedStep(seq: 6, push: 1, at: 10, event: "opened", delivery: "delivered"),
        ]
        entry.fanOuts = [LogEntry.FanOut(push: 2, data: [8])]
        try store.write([entry])
        let expected = ReadPush.success(.made(1, at: 1).later(entry.steps))
        #expect(try store.history.push(seq: 1) == expected)
        #expect(try store.history.push(seq: 2) == .success(.made(2, at: 1).later([], fanOut: [8])))
        #expect(try store.database.number("select count(*) from push where delivery = 'delivered'") == 1)
    }

    @Test func `deleted pushes are gone at once, and are there for those who replay`() throws {
        let store = try directory.open(.small)
        try store.write([.made(1, 1...6)])
        try store.write(.made(1, firstPush: 1))
        var deletion = LogEntry.made(2)
        deletion.removed = [3, 99]
        try store.write([deletion])
        #expect(try store.kept() == [6, 5, 4, 2, 1])
        #expect(try store.history.push(seq: 3) == nil)
        #expect(try store.history.extent().count == 5)
        #expect(try store.journal(of: .made(1, firstPush: 1)).map(\.seq) == [1, 2, 3, 4, 5, 6])
        try store.tidyAll()
        #expect(try store.entries().first?.pushes.count == 6)

        try store.write(.made(2, firstPush: 1))
        #expect(try store.journal(of: .made(2, firstPush: 1)).map(\.seq) == [1, 2, 4, 5, 6])
        try store.write([.made(3, [7])])
        try store.write(.made(3, firstPush: 7))
        try store.write([.made(4, [8])])
        try store.write(.made(4, firstPush: 8))
        try store.tidyAll()
        #expect(try store.database.number("select count(*) from record") == 7)
    }

    @Test func `a reset deletes everything before it in one small step, and the rows later`() throws {
        let store = try directory.open(.small)
        try store.write([.made(1, 1...10)])
        try store.write(.made(1, firstPush: 1))
        var reset = LogEntry.made(2)
        reset.clearedUpTo = 10
        try store.write([reset, .made(3, [11, 12])])
        #expect(try store.kept() == [12, 11])
        #expect(try store.database.number("select count(*) from push") == 2)
        #expect(try store.history.extent() == HistoryExtent(count: 2, firstSeq: 11, firstReceivedAt: 11_000))
        #expect(try store.journal(of: .made(1, firstPush: 1)).count == 10)
        try store.tidyAll()
        #expect(try store.database.number("select count(*) from record") == 12)
        try store.write(.made(3, firstPush: 11))
        try store.write([.made(4)])
        try store.write(.made(4, firstPush: 11))
        try store.tidyAll()
        #expect(try store.database.number("select count(*) from record") == 2)
    }

    @Test func `the journal of a snapshot has the steps that were there then`() throws {
        let store = try directory.open()
        try store.write([.made(1, 1...3)])
        var step = LogEntry.made(2)
        step.steps = [LoggedStep(seq: 8, push: 2, at: 9, event: "delivered", delivery: "delivered")]
        try store.write([step])
        #expect(
            try store.journal(of: .made(1, firstPush: 2)) == [.success(.made(2, at: 1)), .success(.made(3, at: 1))])
        let later = try store.journal(of: .made(2, firstPush: 2))
        #expect(later.first == .success(.made(2, at: 1).later(step.steps)))
    }

    @Test func `properties are replaced together`() throws {
        let store = try directory.open()
        try store.write(properties: ["port": "2197", "owner": "é"])
        try store.write(properties: ["port": "1"])
        #expect(try store.properties() == ["port": "1"])
    }

    @Test func `only one server uses a directory, and the error names it`() throws {
        let path = "\(directory.path)/a/b"
        var first: DataDirectory? = try DataDirectory(path)
        #expect(first?.path == path)
        let error = #expect(throws: StoreError.self) { try DataDirectory(path) }
        #expect(error?.code == .inUse)
        #expect(error?.description.contains("process \(getpid())") == true)
        _ = try first?.open("one")
        #expect(try DataDirectory(reading: path).namespaces() == ["one"])
        try first?.remove("one")
        #expect(try first?.namespaces() == [])
        first = nil
        _ = try DataDirectory(path)
    }

    @Test func `a directory that is in use is refused without closing a file of another thread`() throws {
        let path = directory.path
        let held = try DataDirectory(path)
        let attempts = Attempts()
        Thread.detachNewThread {
            for _ in 0..<3_000 { _ = try? DataDirectory(path) }
            attempts.areOver.store(true, ordering: .relaxed)
        }
        // Files here get the number that the other thread has just closed.
        var closed = 0
        while !attempts.areOver.load(ordering: .relaxed) {
            let files = (0..<8).map { _ in open("/dev/null", O_RDONLY) }
            for file in files where close(file) != 0 { closed += 1 }
        }
        #expect(closed == 0)
        withExtendedLifetime(held) {}
    }
}

private final class Attempts: Sendable { let areOver = Atomic(false) }

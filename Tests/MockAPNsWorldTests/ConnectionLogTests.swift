import MockAPNsRules
import Testing

@testable import MockAPNsWorld

@Suite struct ConnectionLogTests {
    @Test func `an open connection is listed`() throws {
        let journal = Journal()
        journal.connectionOpened(.made(2))
        journal.connectionOpened(.made(1))
        #expect(journal.connections.map(\.id) == [1, 2])
        let connection = try #require(journal.connections.first)
        #expect(connection.remoteAddress == "192.0.2.1:1")
        #expect(connection.closedAt == nil && connection.closeCode == nil && connection.closeDetail == nil)
    }

    @Test func `an ended connection says how it ended`() throws {
        let journal = Journal()
        journal.connectionOpened(.made(1))
        journal.connectionClosed(.made(1), at: Draft.now, code: "idle-timeout", detail: "nobody spoke")
        let connection = try #require(journal.connections.first)
        #expect(connection.closedAt == Draft.now)
        #expect(connection.closeCode == "idle-timeout")
        #expect(connection.closeDetail == "nobody spoke")
        #expect(connection.serverName == "localhost")
    }

    @Test func `a connection counts its pushes and GOAWAYs`() throws {
        let world = try World(ruleset: Ruleset())
        let journal = world.journal
        for id in 1...2 as ClosedRange<UInt64> { journal.connectionOpened(.made(id)) }
        // Two in the middle went to another world; the third connection is not known here.
        let drafts = ([(1, 1), (1, 4), (2, 1), (3, 1), (1, 5)] as [(UInt64, UInt32)]).map { id, request in
            var draft = Draft.lone()
            draft.connection = id
            draft.requestOnConnection = request
            return draft
        }
        journal.record(drafts)
        #expect(journal.connections.map(\.pushes) == [3, 1])
        #expect(journal.connections.map(\.streams) == [5, 1])
        #expect(journal.connections.map(\.goAwayCode) == [nil, nil])
        world.noteGoAway(code: 0, on: 2)
        world.noteGoAway(code: 11, on: 2)
        world.noteGoAway(code: 0, on: 7)
        journal.connectionClosed(.made(2), at: Draft.now, code: "peer-closed", detail: "end of stream")
        let ended = try #require(journal.connection(2))
        #expect(ended.goAways == 2 && ended.goAwayCode == 11 && ended.pushes == 1)
        #expect(journal.connection(1)?.goAways == 0)
        #expect(journal.connections.map(\.id) == [1, 2])
    }

    @Test func `a handshake that failed is listed too`() {
        let journal = Journal()
        journal.connectionClosed(.made(1), at: Draft.now, code: "tls-failure", detail: "no shared cipher")
        #expect(journal.connections.map(\.closeCode) == ["tls-failure"])
    }

    @Test(arguments: [-1, 0, 1, 2, 10_500]) func `keeps the last 10,000 ended connections`(excess: Int) {
        let capacity = ConnectionLog.capacity
        #expect(capacity == 10_000)
        var log = ConnectionLog()
        let last = UInt64(capacity + excess)
        for id in 1...last { log.end(id) }
        let first = UInt64(max(excess, 0)) + 1
        #expect(log.all.map(\.id) == Array(first...last))
        #expect(log[first]?.id == first)
        #expect(log[first - 1]?.id == nil)
    }

    /// It is the order of ending that counts.
    @Test func `open connections are never dropped`() {
        var log = ConnectionLog()
        for id in 1...20_000 as ClosedRange<UInt64> { log.opened(.made(id)) }
        #expect(log.all.count == 20_000)
        for id in 5_001...15_001 as ClosedRange<UInt64> { log.end(id) }
        #expect(log.all.count == 19_999)
        #expect(log[5_001]?.id == nil)
        #expect(log.all.filter { $0.closedAt == nil }.count == 9_999)
        log.end(1)
        #expect(log[5_002]?.id == nil)
        #expect(log[1]?.closeCode == "shutdown")
        #expect(log[2]?.closedAt == nil && log[2]?.id == 2)
    }

    @Test func `a record outlives its connection`() throws {
        let journal = Journal()
        journal.record(.push())
        for id in 1...10_001 as ClosedRange<UInt64> {
            journal.connectionClosed(.made(id), at: Draft.now, code: "shutdown", detail: "")
        }
        let record = try #require(journal.push(seq: 1))
        #expect(record.connectionID == 1)
        #expect(record.connection?.id == nil)
    }
}

extension ConnectionLog {
    fileprivate mutating func end(_ id: UInt64) {
        closed(.made(id), at: Draft.now, code: "shutdown", detail: "the end", hint: nil)
    }
}

extension ConnectionRecord {
    /// A connection of this number.
    static func made(_ id: UInt64) -> ConnectionRecord {
        var record = ConnectionRecord(
            id: id, remoteAddress: "192.0.2.1:\(id)", environment: .sandbox, openedAt: Draft.now)
        record.tlsVersion = "TLSv1.3"
        record.applicationProtocol = "h2"
        record.serverName = "localhost"
        return record
    }
}

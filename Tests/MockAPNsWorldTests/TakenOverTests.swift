import MockAPNsFormats
import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// A server whose world has left the log of others reads it again, and takes over what it has read.
@Suite struct TakenOverTests {
    @Test func `a world has all that changes have made of the one that it takes over`() throws {
        let other = try ArchiveFormatTests.world()
        let (state, records, portrait) = (other.archive(), other.canonicalBytes(), other.portrait)
        let world = try World(ruleset: Ruleset(), seed: 1)
        _ = try world.devices.add(.phone("gone", token: .numbered(9), topic: "a"))
        world.replaceState(by: other)
        #expect(world.archive().data == state.data)
        #expect(world.canonicalBytes() == records)
        #expect(world.portrait == portrait)
        #expect(world.ruleset.find(.numbered(1)) != nil && world.ruleset.find(.numbered(9)) == nil)
    }

    @Test func `a world keeps what belongs to the process when it takes over another`() throws {
        let world = try World(ruleset: Ruleset())
        world.journal.connectionOpened(
            ConnectionRecord(id: 7, remoteAddress: "a:1", environment: .sandbox, openedAt: Draft.now))
        world.setKept(false)
        let (clock, cursor) = (world.clock, world.eventCursor())
        world.replaceState(by: try ArchiveFormatTests.world())
        #expect(world.journal.connections.map(\.id) == [7] && world.tally.connections == 1)
        #expect(world.ruleset.refusal == .serviceUnavailable)
        #expect(world.clock === clock)
        #expect(world.eventCursor().position == cursor.position)
    }
}

import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsLog
@testable import MockAPNsWorld

/// What is said of a stored world that cannot be read.
@Suite struct StoredStateTests {
    private let store = LogWriterTests.Store()
    private let material = WorldKeeper.Material(replay: ReplayContext(match: { _ in nil }) { _ in nil }) { _ in "" }

    private func error<Result>(_ use: () throws -> Result) -> String? {
        do {
            _ = try use()
            return nil
        } catch { return "\(error)" }
    }

    @Test func `a store with changes but no snapshot is not taken for a new one`() throws {
        #expect(error { try World.requireNew(store) } == nil)
        try store.write([.made(1)])
        let seen = "there is no snapshot, although there are changes or pushes"
        #expect(error { try World.requireNew(store) } == "the stored world is damaged: \(seen); restore a copy of it")
    }

    @Test(arguments: [
        ([UInt8](), "it ends too early"), ([208, 1], "it has version 208 of the format, expected 3"),
        ([3, 0x80], "it ends too early"),
    ]) func `an unreadable snapshot is reported in words`(data: [UInt8], expected: String) throws {
        try store.write(LogSnapshot(position: 3, data: data, digest: "", firstPush: 1))
        let text = error { try WorldKeeper.world(of: store, material) }
        let start = "the stored world is damaged: the state after change 3 cannot be read: \(expected)"
        #expect(text?.hasPrefix(start) == true, "\(text ?? "")")
        #expect(text?.hasSuffix("; restore a copy of it") == true)
    }

    @Test func `a change that cannot be applied is reported in words`() throws {
        let world = try World(ruleset: Ruleset())
        var entry = LogEntry.made(7)
        entry.data = [173]
        entry.kind = try #require(ChangeKinds.all.first).kind
        let text = error { try world.replay(entry, of: "d/a.sqlite", material) }
        #expect(text?.hasPrefix("d/a.sqlite is damaged: change 7 cannot be applied: it has version 173") == true)
        entry.kind = "dance"
        #expect(
            error { try world.replay(entry, of: "d/a.sqlite", material) }
                == "d/a.sqlite: change 7 (dance) was written by a newer mock-apns; use that version")
    }

    @Test func `a failure that several namespaces share is reported once`() {
        let stores = KeptStores(MemoryStores())
        let (lock, disk) = (StoreError(.lost, "lock"), StoreError(.full, "disk"))
        #expect(stores.isFirst(lock, of: "a"))
        #expect(!stores.isFirst(lock, of: "b"))
        #expect(stores.isFirst(disk, of: "c"))
        #expect(!stores.isFirst(nil, of: "a"))
        #expect(stores.isFirst(nil, of: "c"))
        #expect(stores.isFirst(nil, of: "b"))
        #expect(stores.isFirst(lock, of: "b"))
    }
}

import Dispatch
import Foundation
import MockAPNsFormats
import MockAPNsLog
import MockAPNsRules
import MockAPNsWorld
import NIOConcurrencyHelpers
import NIOCore
import TestSupport
import Testing

@testable import MockAPNs

/// Worlds that outlive their servers.
struct KeepingTests {
    private let stores = MemoryStores()

    /// Runs a server on the stores; it ends in the usual way.
    private func withServer<Result: Sendable>(
        _ change: (inout Configuration) -> Void = { _ in }, _ use: (Live) async throws -> Result
    ) async throws -> Result {
        try await withLive({ configuration in
            var keeping = Configuration.Keeping(in: KeptStores(stores)) { FaultDraft.Match(text: $0) { _, _ in true } }
            keeping.options.timeout = 0
            keeping.options.retryInterval = 1_000_000
            configuration.keeping = keeping
            change(&configuration)
        }) { try await use($0) }
    }

    @Test func `pushes, keys, devices and marks are there after a restart`() async throws {
        let token = Push.freshToken
        let (before, id) = try await withServer { live in
            let key = Configuration.Key(key: TestKey.stranger.configured.key, pem: TestKey.stranger.configured.pem)
            _ = try KeyRing(of: live.world).add(key.key, pem: key.pem)
            let client = try await live.connectAuthenticated()
            let replies = try await client.send([Push(try TestKey.team.token(), token: token)])
            _ = live.world.mark("before")
            try live.change(token, to: .uninstalled)
            live.journal.setNote("kept", on: 1, epoch: 1)
            #expect(try live.world.apps.put(AppDescription(name: "Shop"), as: "com.example.app"))
            #expect(live.journal.setPinned(true, on: 1, epoch: 1))
            #expect(try live.world.savedPushes.put("{}", as: "saved"))
            let schema = try JSONSchema(Array(#"{ "type": "object" }"#.utf8))
            #expect(try live.world.schemas.put(schema, as: AppKey(app: "com.example.app", key: .payload)))
            return (live.server.namespaces.standard.digest(), replies[0].id)
        }
        try await withServer { live in
            #expect(live.registration(token)?.state == .uninstalled)
            #expect(live.world.marks.map(\.text) == ["before"])
            #expect(live.world.apps["com.example.app"] == AppDescription(name: "Shop"))
            #expect(live.journal.note(on: 1, epoch: 1) == .some("kept"))
            #expect(live.journal.push(seq: 1)?.isPinned == true)
            #expect(live.world.savedPushes["saved"] == "{}")
            #expect(live.world.schemas.all.map(\.value.text) == [#"{ "type": "object" }"#])
            #expect(try await live.journal.storedPush(apnsID: id ?? "")?.answer.id == id)
            // The start of a server with a configuration is a change, but not one that anything shows.
            #expect(live.journal.extent.lastSeq == before.lastSeq)
            #expect(live.server.namespaces.standard.digest() == before)
            let client = try await live.connectAuthenticated()
            #expect(try await client.send(Push(try TestKey.team.token(), token: token)).status == 410)
        }
    }

    /// The digest of the newest snapshot is that of the state that the changes lead to.
    @Test func `snapshots are checked by what they contain`() async throws {
        for _ in 1...2 { try await withServer { live in _ = live.world.mark("a") } }
        let old = try stores.create("default")
        let material = WorldKeeper.Material { _ in nil }
        let newest = try #require(try old.newestSnapshot())
        let older = try #require(try old.newestSnapshot(below: newest.position))
        func problems(_ snapshots: [LogSnapshot]) throws -> [String] {
            let store = try MemoryStores().create("default")
            try old.visitEntries(after: 0) { entry throws(StoreError) in try store.write([entry]) }
            for snapshot in snapshots { try store.write(snapshot) }
            return try WorldKeeper.check(store, material).problems
        }
        #expect(try problems([older, newest]).isEmpty)
        var damaged = newest
        damaged.digest = "damaged"
        #expect(try problems([older, damaged]).count == 1)
    }

    @Test func `pushes that have left the memory are read from the store`() async throws {
        try await withServer({ $0.journal = Journal.Capacity(records: 3) }) { live in
            let client = try await live.connectAuthenticated()
            let pushes = try (0..<10).map { _ in Push(try TestKey.team.token()) }
            let replies = try await client.send(pushes)
            for reply in replies {
                let record = try await live.journal.storedPush(apnsID: try #require(reply.id))
                #expect(record?.answer.status == 200)
            }
            #expect(live.journal.setPinned(true, on: 1, epoch: 1))
            #expect(live.journal.pushes(PushQuery()).pushes.count == 3)
            #expect(try await live.journal.storedPush(seq: 1)?.isPinned == true)
            #expect(live.journal.remove([1], epoch: 1) == 1)
            _ = await live.server.namespaces.standard.keeper?.isSafe()
            #expect(try await live.journal.storedPush(seq: 1) == nil)
        }
    }

    @Test func `a kept push that cannot be read is reported`() async throws {
        let told = NIOLockedValueBox<[String]>([])
        let configure: (inout Configuration) -> Void = { configuration in
            configuration.journal = Journal.Capacity(records: 3)
            configuration.keeping?.onTrouble = { text in told.withLockedValue { $0.append(text) } }
        }
        try await withServer(configure) { live in
            let client = try await live.connectAuthenticated()
            _ = try await client.send(try (0..<10).map { _ in Push(try TestKey.team.token()) })
            let keeper = try #require(live.server.namespaces.standard.keeper)
            #expect(try await live.journal.storedPush(seq: 1) != nil)
            #expect(keeper.readFailure == nil)
            stores.damaged.withLockedValue { $0 = [1] }
            for _ in 1...2 { #expect(try await live.journal.storedPush(seq: 1) == nil) }
            let reason = "the stored world is damaged: push 1 cannot be read: it ends too early; restore a copy of it"
            #expect(keeper.readFailure?.description == reason)
            #expect(keeper.trouble == nil)
            let text = "memory, namespace default: \(reason). Lists miss pushes."
            #expect(told.withLockedValue(\.self) == [text])
        }
    }

    @Test func `namespaces come back at their ports`() async throws {
        let port = try await withServer { live in
            var draft = Namespaces.Draft(name: "team")
            draft.ttl = .seconds(600)
            let made = try await live.server.namespaces.add(draft)
            _ = try await live.server.namespaces.add(Namespaces.Draft(name: "gone"))
            #expect(await live.server.namespaces.remove("gone"))
            _ = made.world.mark("here")
            return made.listeners[0].address.port
        }
        try await withServer { live in
            #expect(live.server.namespaces.all.map(\.name) == ["default", "team"])
            let team = try #require(live.server.namespaces["team"])
            #expect(team.listeners[0].address.port == port)
            #expect(team.ttl == .seconds(600))
            #expect(team.world.marks.map(\.text) == ["here"])
        }
    }

    @Test func `a namespace begins when the one of the same name before it has ended`() async throws {
        try await withServer { live in
            _ = try await live.namespace("team").world.mark("old")
            let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            stores.onRemove.withLockedValue {
                $0 = {
                    begun.signal()
                    mayEnd.wait()
                }
            }
            async let removed = live.server.namespaces.remove("team")
            try await onOwnThread { begun.wait() }
            async let made = live.namespace("team")
            // Time enough to open what is deleted next.
            for _ in 0..<1_000 { await Task.yield() }
            mayEnd.signal()
            #expect(await removed)
            _ = try await made.world.mark("new")
        }
        try await withServer { live in #expect(live.server.namespaces["team"]?.world.marks.map(\.text) == ["new"]) }
    }

    @Test func `feedback is sent once it is kept that it was read`() async throws {
        let binary = ListenAddress(host: "127.0.0.1", port: 0, environment: .sandbox, interface: .feedback)
        try await withServer({ $0.binaryListeners = [binary] }) { live in
            let token = Push.freshToken
            var device = DeviceDraft()
            device.registrations = [
                DeviceDraft.Registration(token: try Live.deviceToken(token), topic: Live.gatewayTopic)
            ]
            _ = try live.world.devices.put([device])
            try live.change(token, to: .uninstalled)
            let keeper = try #require(live.server.namespaces.standard.keeper)
            #expect(await keeper.isSafe())
            stores.failure.withLockedValue { $0 = StoreError(.full, "no room") }
            let refused = try await live.connect(to: .feedback)
            #expect(try await refused.rest().isEmpty)
            refused.end()
            // The client reads the end before the journal has it.
            await eventually { live.journal.connections.last?.closeCode == "unsaved" }
            stores.failure.withLockedValue { $0 = nil }
            try await live.settle { keeper.trouble == nil }
            try live.change(token, to: .registered)
            try live.change(token, to: .uninstalled)
            let client = try await live.connect(to: .feedback)
            #expect(try await client.rest().count == 38)
            client.end()
        }
    }

    @Test func `a store that fails lets pushes fail, and then goes on`() async throws {
        try await withServer { live in
            let token = try TestKey.team.token()
            let client = try await live.connectAuthenticated()
            stores.failure.withLockedValue { $0 = StoreError(.full, "no room") }
            // This one was accepted before anybody knew: its connection ends without an answer.
            let outcome = try await client.attempt([Push(token)])[0]
            #expect(throws: (any Error).self) { try outcome.get() }
            let keeper = try #require(live.server.namespaces.standard.keeper)
            #expect(keeper.trouble == StoreError(.full, "no room"))
            // Nothing more is recorded, so that nothing grows, and no answer waits.
            let received = live.journal.counters.received
            let refused = try await live.connect()
            for _ in 1...3 {
                let reply = try await refused.send(Push(token))
                #expect(reply.status == 503 && reply.reason == "ServiceUnavailable")
            }
            #expect(live.journal.counters.received == received)
            stores.failure.withLockedValue { $0 = nil }
            try await live.settle { keeper.trouble == nil }
            let other = try await live.connectAuthenticated()
            #expect(try await other.send(Push(token)).status == 200)
        }
    }

    @Test func `a world that cannot be kept answers 503`() async throws {
        try await withServer { live in
            let client = try await live.connectAuthenticated()
            live.world.setKept(false)
            let reply = try await client.send(Push(try TestKey.team.token()))
            #expect(reply.status == 503)
            #expect(reply.reason == "ServiceUnavailable")
            live.world.setKept(true)
            #expect(try await client.send(Push(try TestKey.team.token())).status == 200)
        }
    }
}

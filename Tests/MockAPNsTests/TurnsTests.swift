import Foundation
import MockAPNsLog
import MockAPNsRules
import MockAPNsWorld
import NIOConcurrencyHelpers
import NIOCore
import TestSupport
import Testing

@testable import MockAPNs

/// Servers that share their worlds, and change them in turns.
struct TurnsTests {
    private let database = MemoryDatabase()

    @Test func `a change on one server decides about the next push on another`() async throws {
        try await database.withReplicas { first, second in
            let token = try TestKey.team.token()
            let clients = [try await first.connectAuthenticated(), try await second.connectAuthenticated()]
            for number in 0..<40 {
                let (here, there) = number % 2 == 0 ? (first, second) : (second, first)
                let device = Push.freshToken
                #expect(try await clients[number % 2].send(Push(token, token: device)).status == 200)
                try await there.inTurn { try there.change(device, to: .uninstalled) }
                let reply = try await clients[number % 2].send(Push(token, token: device))
                #expect(reply.status == 410)
                try await there.inTurn { try there.change(device, to: .registered) }
                #expect(try await clients[number % 2].send(Push(token, token: device)).status == 200)
                #expect(here.server.replica?.turns.statistics.rebuilt == 0)
            }
            try await Live.expectSame(first, second)
            #expect(first.journal.extent.lastSeq == second.journal.extent.lastSeq)
            // Metrics and connections are a server's own; the records are those of all.
            #expect(first.world.tally.connections == 1)
            #expect(Set(first.pushes.compactMap { Replica.number(ofConnection: $0.connectionID) }) == [1, 2])
        }
    }

    @Test func `the limit on token updates is one for three servers`() async throws {
        let scope: (inout Configuration) -> Void = { $0.rules.tokenUpdateScope = .key }
        try await database.withReplica(scope) { first in
            try await database.withReplica(scope) { second in
                try await database.withReplica(scope) { third in
                    let lives = [first, second, third]
                    var clients: [Client] = []
                    for live in lives { clients.append(try await live.connect()) }
                    func statuses(_ token: String) async throws -> [Int] {
                        var statuses: [Int] = []
                        for client in clients { statuses.append(Int(try await client.send(Push(token)).status)) }
                        return statuses
                    }
                    let (old, new) = (try TestKey.team.token(), try TestKey.team.token(at: Live.now + 1))
                    #expect(try await statuses(old) == [200, 200, 200])
                    #expect(try await statuses(new) == [429, 429, 429])
                    try await second.inTurn { second.setClock(Live.now + 1_200) }
                    #expect(try await statuses(new) == [200, 200, 200])
                    #expect(try await statuses(old) == [200, 200, 200])
                    #expect(try await statuses(TestKey.team.token(at: Live.now + 2)) == [429, 429, 429])
                    try await Live.expectSame(first, second, third)
                }
            }
        }
    }

    @Test func `clients on two servers at once lose and double nothing`() async throws {
        try await database.withReplicas { first, second in
            let token = try TestKey.team.token()
            try await withThrowingTaskGroup(of: [Reply].self) { group in
                for number in 0..<8 {
                    let live = number % 2 == 0 ? first : second
                    group.addTask {
                        let client = try await live.connectAuthenticated()
                        var replies: [Reply] = []
                        for _ in 0..<10 {
                            replies += try await client.send((0..<20).map { _ in Push(token, token: Push.freshToken) })
                        }
                        return replies
                    }
                }
                for try await replies in group {
                    #expect(replies.count == 200 && replies.allSatisfy { $0.status == 200 })
                }
            }
            try await Live.expectSame(first, second)
            #expect(first.journal.counters.received == 1_608)
            #expect(second.journal.counters.received == 1_608)
            let turns = first.server.replica?.turns.statistics.turns ?? 0
            #expect(turns < 804, "a turn has the input of many connections")
        }
    }

    @Test func `a device that is offline on one server gets the last push when it is online on another`() async throws {
        try await database.withReplicas { first, second in
            let token = try TestKey.team.token()
            let device = try Live.deviceToken(Push.freshToken)
            try await first.inTurn {
                let app = DeviceDraft.Registration(token: device, topic: "com.example.app")
                _ = try first.world.devices.add(DeviceDraft(label: "phone", isOnline: false, registrations: [app]))
            }
            for live in [first, second, first] {
                let client = try await live.connect()
                #expect(try await client.send(Push(token, token: device.hex)).status == 200)
            }
            try await second.inTurn {
                var change = DeviceChange()
                change.isOnline = true
                _ = try second.world.devices.change(.label("phone"), change)
            }
            try await Live.expectSame(first, second)
            for live in [first, second] {
                let states = live.pushes.map { $0.delivery?.state }
                #expect(states == [.discardedCollapsed, .discardedCollapsed, .deliveredFromStorage])
                #expect(live.registration(device.hex)?.counters.delivered == 1)
            }
        }
    }

    @Test func `a fault that fires once fires once in all`() async throws {
        try await database.withReplicas { first, second in
            let token = try TestKey.team.token()
            try await first.inTurn {
                var when = FaultTrigger()
                when.times = 1
                let action = FaultAction.respond(FaultAction.Response(.serviceUnavailable))
                _ = try first.world.faults.add(FaultDraft(when: when, action: action))
            }
            var statuses: [Int] = []
            for live in [second, first, second, first] {
                statuses.append(try await live.connect().send(Push(token)).status)
            }
            #expect(statuses == [503, 200, 200, 200])
            try await Live.expectSame(first, second)
        }
    }

    @Test(arguments: [MemoryDatabase.Mishap.lostBefore, .lostAfter])
    func `a turn whose end is not answered is neither lost nor doubled`(_ mishap: MemoryDatabase.Mishap) async throws {
        try await database.withReplicas { first, second in
            let token = try TestKey.team.token()
            let client = try await first.connectAuthenticated()
            database.state.withLockedValue { $0.mishap = mishap }
            #expect(try await client.send(Push(token)).status == 200)
            #expect(try await client.send(Push(token)).status == 200)
            try await Live.expectSame(first, second)
            #expect(second.journal.counters.received == 3)
            #expect(first.server.replica?.turns.statistics.rebuilt == 0)
            #expect(first.server.replica?.turns.statistics.inDoubt == 1)
        }
    }

    @Test func `a lost turn after which another server came first has no effect`() async throws {
        try await database.withReplicas { first, second in
            let token = try TestKey.team.token()
            let (client, other) = (try await first.connectAuthenticated(), try await second.connectAuthenticated())
            let late = Push(token, token: Push.freshToken)
            // The other server's turn comes before the first one can look.
            let isFirst = NIOLockedValueBox(false)
            database.state.withLockedValue { state in
                state.mishap = .lostBefore
                state.afterMishap = {
                    let done = NIOLockedValueBox(false)
                    Task {
                        let reply = try? await other.send(Push(token))
                        isFirst.withLockedValue { $0 = reply?.status == 200 }
                        done.withLockedValue { $0 = true }
                    }
                    while !done.withLockedValue({ $0 }) { sched_yield() }
                }
            }
            let outcome = try await client.attempt([late])[0]
            #expect(isFirst.withLockedValue { $0 })
            #expect(throws: (any Error).self) { try outcome.get() }
            try await Live.expectSame(first, second)
            #expect(first.server.replica?.turns.statistics.rebuilt == 1)
            #expect(first.journal.counters.received == 3)
            #expect(first.registration(String(late.path.dropFirst("/3/device/".count))) == nil)
            let again = try await first.connectAuthenticated()
            #expect(try await again.send(late).status == 200)
            try await Live.expectSame(first, second)
        }
    }

    @Test func `without the database pushes get 503, and then all goes on`() async throws {
        try await database.withReplicas { first, second in
            let token = try TestKey.team.token()
            let client = try await first.connectAuthenticated()
            database.setDown(true)
            let reply = try await client.send(Push(token))
            #expect(reply.status == 503 && reply.reason == "ServiceUnavailable")
            #expect(first.keeper.trouble == StoreError(.failed, "the database is down"))
            #expect(await first.keeper.enter() == nil)
            #expect(await !first.keeper.catchUp())
            #expect(try await client.send(Push(token)).status == 503)
            database.setDown(false)
            await eventually { first.keeper.trouble == nil && second.keeper.trouble == nil }
            #expect(try await client.send(Push(token)).status == 200)
            try await Live.expectSame(first, second)
            #expect(second.journal.counters.received == 2)
        }
    }

    @Test func `a server that joins has everything, and one that ends takes nothing along`() async throws {
        let token = try TestKey.team.token()
        let digest = try await database.withReplica { first in
            #expect(try await first.connectAuthenticated().send(Push(token)).status == 200)
            try await database.withReplica { second in
                try await Live.expectSame(first, second)
                #expect(try await second.connect().send(Push(token)).status == 200)
            }
            #expect(await first.keeper.catchUp())
            return first.server.namespaces.standard.digest()
        }
        try await database.withReplica { third in
            #expect(third.server.replica?.number == 3)
            #expect(third.journal.counters.received == 3)
            #expect(third.server.namespaces.standard.digest().lastSeq == digest.lastSeq)
        }
    }

    @Test func `what is due happens once, whichever server notices`() async throws {
        try await database.withReplicas { first, second in
            let token = try TestKey.team.token()
            let device = try Live.deviceToken(Push.freshToken)
            try await first.inTurn {
                let app = DeviceDraft.Registration(token: device, topic: "com.example.app")
                _ = try first.world.devices.add(DeviceDraft(isOnline: false, registrations: [app]))
            }
            let push = Push(token, token: device.hex, ("apns-expiration", "\(Live.now + 60)"))
            #expect(try await second.connect().send(push).status == 200)
            try await second.inTurn { _ = second.world.advanceClock(by: 3_600_000_000) }
            try await Live.expectSame(first, second)
            #expect(first.registration(device.hex)?.counters.discarded == 1)
        }
    }

    @Test func `with fuzzy detection, all servers answer 410 for the same tokens from the same time`() async throws {
        let fuzzy: (inout Configuration) -> Void = {
            $0.deviceOptions.uninstallDetection = .fuzzy
            $0.deviceOptions.uninstallDelay = 60_000_000...1_800_000_000
        }
        try await database.withReplica(fuzzy) { first in
            try await database.withReplica(fuzzy) { second in
                let (lives, token) = ([first, second], try TestKey.team.token())
                let clients = [try await first.connect(), try await second.connect()]
                let devices = (0..<12).map { _ in Push.freshToken }
                for (number, device) in devices.enumerated() {
                    // Known from one server, deleted on the other, and noticed on either.
                    #expect(try await clients[number % 2].send(Push(token, token: device)).status == 200)
                    let other = lives[(number + 1) % 2]
                    try await other.inTurn { try other.change(device, to: .uninstalled) }
                    #expect(try await clients[number / 2 % 2].send(Push(token, token: device)).status == 200)
                }
                var deaths: [String: Int] = [:]
                for minute in 1...30 {
                    let mover = lives[minute % 2]
                    try await mover.inTurn { _ = mover.world.advanceClock(by: 60_000_000) }
                    for device in devices {
                        var answers: [Reply] = []
                        for client in clients { answers.append(try await client.send(Push(token, token: device))) }
                        // The body of a 410 has the time from which the token is invalid.
                        #expect(answers[0].status == answers[1].status && answers[0].body == answers[1].body)
                        if answers[0].status == 410, deaths[device] == nil { deaths[device] = minute }
                        #expect(answers[0].status == (deaths[device] == nil ? 200 : 410))
                    }
                }
                #expect(deaths.count == devices.count && Set(deaths.values).count > 1)
                try await Live.expectSame(first, second)
            }
        }
    }

    @Test func `a broadcast to many devices ends on every server`() async throws {
        try await database.withReplicas { first, second in
            let channel = try await first.inTurn {
                let app = ChannelApp(bundleID: "com.example.app", environment: .sandbox)
                let channel = try #require(first.world.channels.add(app, .newest)).id
                for _ in 0..<10_000 {
                    let app = DeviceDraft.Registration(topic: "com.example.app")
                    let device = try first.world.devices.add(DeviceDraft(registrations: [app]))
                    _ = try first.world.channels.subscribe(.id(device.id), topic: "com.example.app", to: channel)
                }
                return channel
            }
            #expect(try await second.connect().send(.broadcast(channel)).status == 200)
            await eventually { second.pushes.first?.delivery?.fanOut?.pending == 0 }
            try await Live.expectSame(first, second)
            #expect(first.pushes.first?.delivery?.fanOut?.delivered == 10_000)
        }
    }

    @Test func `namespaces are the same everywhere`() async throws {
        try await database.withReplicas { first, second in
            let token = try TestKey.team.token()
            let device = Push.freshToken
            try await first.inTurn {
                var draft = Namespaces.Draft(name: "team")
                draft.source = first.server.namespaces.standard
                _ = try await first.server.namespaces.add(draft)
            }
            try await first.inTurn {
                let team = try #require(first.server.namespaces["team"])
                let app = DeviceDraft.Registration(token: try Live.deviceToken(device), topic: "com.example.app")
                _ = try team.world.devices.add(DeviceDraft(registrations: [app]))
            }
            // On the shared port of the other server, its device token leads to it.
            #expect(try await second.connect().send(Push(token, token: device)).status == 200)
            let team = try #require(second.server.namespaces["team"])
            #expect(team.world.journal.counters.received == 1)
            #expect(await first.keeper.catchUp())
            #expect(try #require(first.server.namespaces["team"]).digest() == team.digest())
            try await second.inTurn { #expect(await second.server.namespaces.remove("team")) }
            #expect(await first.keeper.catchUp())
            #expect(first.server.namespaces["team"] == nil)
            #expect(try await first.connect().send(Push(token, token: device)).status == 200)
            try await Live.expectSame(first, second)
        }
    }

    @Test func `a world that has diverged is read again`() async throws {
        try await database.withReplicas { first, second in
            let token = try TestKey.team.token()
            let client = try await first.connectAuthenticated()
            // One that hits a turn by chance is a change like any other.
            while first.server.replica?.turns.statistics.rebuilt == 0 {
                _ = first.world.mark("outside of a turn")
                try await first.inTurn {}
            }
            #expect(try await client.send(Push(token)).status == 200)
            try await Live.expectSame(first, second)
            #expect(first.world.marks.count == second.world.marks.count)
        }
    }

    @Test func `feedback is read once, on one server or another`() async throws {
        try await database.withReplicas { first, second in
            let device = Push.freshToken
            try await first.inTurn {
                let app = DeviceDraft.Registration(token: try Live.deviceToken(device), topic: Live.gatewayTopic)
                _ = try first.world.devices.add(DeviceDraft(registrations: [app]))
                try first.change(device, to: .uninstalled)
            }
            var bytes: [Int] = []
            for live in [second, first] {
                let client = try await live.connect(to: .feedback)
                defer { client.end() }
                bytes.append(try await client.rest().count)
            }
            #expect(bytes == [38, 0])
            try await Live.expectSame(first, second)
        }
    }
}

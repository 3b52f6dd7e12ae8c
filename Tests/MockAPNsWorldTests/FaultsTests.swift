import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// The list of faults, and what records and devices make of a fault that fired.
@Suite struct FaultsTests {
    private static let token = DeviceToken.numbered(1)

    private static func draft(
        _ name: String? = nil, _ action: FaultAction = .lose, _ change: (inout FaultTrigger) -> Void = { _ in }
    ) throws -> FaultDraft {
        var trigger = FaultTrigger()
        change(&trigger)
        return try FaultDraft(name: name, when: trigger, action: action)
    }

    private static func names(_ world: World) -> [String] { world.faults.all.map { $0.draft.name ?? "" } }

    /// Asks the plan in force about one push.
    private static func firing(_ world: World, requests: Int = 0) -> FaultFiring? {
        RequestView.withRequest(headers: [(":path", "/3/device/aa"), ("apns-topic", "t")], body: []) { request in
            world.ruleset.faults?.firing(
                for: request, PushOutline(), on: .from("h:1"),
                FaultOccasion(now: JudgingWorld.start, requestsBefore: requests))
        }
    }

    // MARK: The list

    @Test func `faults are in force the moment they are there`() throws {
        let world = try JudgingWorld().world
        #expect(world.ruleset.faults == nil)
        let before = world.rulesetVersion
        let fault = try world.faults.add(Self.draft("a"))
        #expect(world.rulesetVersion > before && world.ruleset.faults != nil)
        #expect(fault.id == FaultID(number: 1) && fault.position == 1)
        #expect(Self.firing(world)?.id == fault.id)

        // Off, it costs what none costs.
        var off = Faults.Change()
        off.isEnabled = false
        #expect(try world.faults.change(fault.id, off).draft.isEnabled == false)
        #expect(world.ruleset.faults == nil)
        try world.faults.remove(fault.id)
        #expect(world.faults.all.isEmpty)
        #expect(throws: FaultError(.unknownFault, "there is no such fault")) { try world.faults.fault(fault.id) }
        #expect(throws: FaultError.self) { try world.faults.remove(fault.id) }
        // A number is nobody else's.
        #expect(try world.faults.add(Self.draft()).id == FaultID(number: 2))
    }

    @Test func `a change of the rules leaves faults alone`() throws {
        let world = try JudgingWorld(devices: [.phone("alice", token: Self.token)]).world
        _ = try world.faults.add(Self.draft("a"))
        let plan = try #require(world.ruleset.faults)
        _ = world.changeRuleset { $0.stopping() }
        #expect(world.ruleset.faults === plan && world.ruleset.refusal == .shutdown)
        // One that knows nothing of faults, as somebody else makes it.
        _ = world.changeRuleset { _ in Ruleset() }
        #expect(world.ruleset.faults === plan)
        _ = try world.devices.add(.phone("bob"))
        #expect(world.ruleset.faults === plan)
    }

    @Test func `only the first fault that fires applies`() throws {
        let world = try JudgingWorld().world
        let first = try world.faults.add(Self.draft("first", .resetStream(.cancel)) { $0.times = 1 })
        let second = try world.faults.add(Self.draft("second", .duplicate))
        #expect(Self.firing(world)?.id == first.id)
        #expect(try world.faults.fault(second.id).evaluated == 0)
        // One that has had its times lets the next have it.
        #expect(Self.firing(world)?.id == second.id)
        #expect(try world.faults.fault(first.id).evaluated == 2)
        let order = try world.faults.reorder([second.id, first.id])
        #expect(order.map(\.id) == [second.id, first.id] && order.map(\.position) == [1, 2])
        #expect(Self.firing(world)?.id == second.id)
        #expect(try world.faults.fault(first.id).evaluated == 2)
    }

    @Test func `an order names each fault once`() throws {
        let world = try JudgingWorld().world
        let ids = try (0..<3).map { try world.faults.add(Self.draft("\($0)")).id }
        let mistakes: [([FaultID], FaultProblem, String)] = [
            ([ids[0], ids[1]], .badValue, "/order"), ([], .badValue, "/order"),
            ([ids[0], ids[1], ids[0]], .badValue, "/order/2"),
            ([ids[0], FaultID(number: 9), ids[1]], .unknownFault, "/order/1"),
        ]
        for (order, code, pointer) in mistakes {
            let error = #expect(throws: FaultError.self) { try world.faults.reorder(order) }
            #expect(error?.code == code && error?.pointer == pointer)
        }
        #expect(world.faults.all.map(\.id) == ids)
    }

    @Test func `a changed fault keeps its counters only if its condition stays the same`() throws {
        let world = try JudgingWorld().world
        let id = try world.faults.add(Self.draft("a") { $0.times = 3 }).id
        _ = Self.firing(world)
        var change = Faults.Change()
        change.name = "b"
        change.isEnabled = false
        var fault = try world.faults.change(id, change)
        #expect(fault.fired == 1 && fault.draft.name == "b" && fault.draft.when.times == 3)
        change = Faults.Change()
        change.isEnabled = true
        fault = try world.faults.change(id, change)
        #expect(fault.fired == 1 && Self.firing(world) != nil)
        change = Faults.Change()
        change.action = .duplicate
        fault = try world.faults.change(id, change)
        #expect(fault.fired == 0 && fault.draft.action == .duplicate && fault.draft.when.times == 3)
        _ = Self.firing(world)
        fault = try world.faults.replace(id, with: Self.draft("c"))
        #expect(fault.fired == 0 && fault.draft.name == "c" && fault.draft.when.times == nil && fault.position == 1)
        // What cannot be changes nothing.
        change = Faults.Change()
        change.name = ""
        #expect(throws: FaultError.self) { try world.faults.change(id, change) }
        #expect(try world.faults.fault(id).draft.name == "c")
    }

    @Test func `keeps at most 1,000 faults`() throws {
        let world = try JudgingWorld().world
        for _ in 0..<FaultList.capacity { _ = try world.faults.add(Self.draft("x")) }
        let error = #expect(throws: FaultError.self) { try world.faults.add(Self.draft()) }
        #expect(error?.code == .tooMany)
        #expect(world.faults.removeAll { $0.name == "y" } == 0)
        #expect(world.faults.removeAll() == FaultList.capacity)
        #expect(world.ruleset.faults == nil)
    }

    // MARK: Reset and seeds

    private static func world(_ drafts: [FaultDraft], seed: UInt64 = 5) throws -> World {
        var startUp = World.StartUp()
        startUp.faults = drafts
        return try World(ruleset: Ruleset(), startUp: startUp, seed: seed)
    }

    @Test func `a reset of faults restores those of the start`() throws {
        let world = try Self.world([Self.draft("start") { $0.times = 1 }])
        #expect(Self.names(world) == ["start"])
        _ = Self.firing(world)
        _ = try world.faults.add(Self.draft("more"))
        #expect(world.reset([.pushes, .devices]).cleared[.faults] == 0)
        #expect(Self.names(world) == ["start", "more"])
        #expect(world.reset([.faults]).cleared[.faults] == 2)
        #expect(Self.names(world) == ["start"])
        #expect(world.faults.all.map(\.id) == [FaultID(number: 1)] && world.faults.all[0].fired == 0)
        #expect(Self.firing(world) != nil)
        #expect(try world.faults.add(Self.draft("new")).id == FaultID(number: 3))
        _ = world.faults.removeAll()
        #expect(world.reset().cleared[.faults] == 0)
        #expect(Self.names(world) == ["start"])
    }

    /// What a fault of chance draws in 40 pushes.
    private static func draws(_ world: World, _ id: FaultID) throws -> [Double] {
        for _ in 0..<40 { _ = firing(world) }
        return try world.faults.fault(id).draws.map(\.value)
    }

    @Test func `the same seed fires for the same pushes`() throws {
        let chance = try Self.draft("chance") { $0.probability = 0.5 }
        let world = try Self.world([])
        let draws = try Self.draws(world, world.faults.add(chance).id)
        #expect(draws.count == 40)
        // Another world of the seed; the same one after a reset; another seed.
        let again = try Self.world([])
        #expect(try Self.draws(again, again.faults.add(chance).id) == draws)
        _ = world.reset()
        #expect(try Self.draws(world, world.faults.add(chance).id) == draws)
        let other = try Self.world([], seed: 6)
        #expect(try Self.draws(other, other.faults.add(chance).id) != draws)
    }

    @Test func `adding a fault does not change the random decisions of others`() throws {
        let chance = try Self.draft("chance", .resetStream(.cancel)) { $0.probability = 0.5 }
        let alone = try Self.world([])
        let draws = try Self.draws(alone, alone.faults.add(chance).id)
        let world = try Self.world([])
        let first = try world.faults.add(chance)
        let second = try world.faults.add(chance)
        #expect(try Self.draws(world, first.id) == draws)
        #expect(try world.faults.fault(second.id).draws.map(\.value) != Array(draws.prefix(20)))
    }

    // MARK: Idle connections and rehearsals

    @Test func `an idle connection is asked once in a pause`() throws {
        let world = try JudgingWorld().world
        let id = try world.faults.add(
            Self.draft("idle", .connection(.rst)) {
                $0.afterIdle = 10
                $0.skip = 1
            }
        ).id
        let plan = try #require(world.ruleset.faults)
        #expect(plan.hasIdleFaults && Self.firing(world) == nil)
        let connection = ConnectionRecord.from("h:1")
        func ask(_ idle: Int64, _ asked: inout [FaultID]) -> FaultID? {
            let occasion = FaultOccasion(now: JudgingWorld.start, idle: idle)
            return plan.firing(idling: connection, occasion, asked: &asked)?.id
        }
        var asked: [FaultID] = []
        #expect(ask(9, &asked) == nil && asked.isEmpty)
        #expect(ask(10, &asked) == nil && asked == [id])
        #expect(ask(20, &asked) == nil)
        asked = []
        #expect(ask(10, &asked) == id)
        #expect(try world.faults.fault(id).evaluated == 2)
    }

    @Test func `a rehearsal changes nothing`() throws {
        let judging = try JudgingWorld(devices: [.phone("alice", token: Self.token)])
        for _ in 0..<6 { judging.push(Self.token) }
        var query = PushQuery()
        query.order = .ascending
        let pushes = judging.world.journal.pushes(query).pushes
        let seqs = pushes.map(\.seq)
        let faults = judging.world.faults
        let every = try Self.draft { $0.every = 2 }
        #expect(faults.rehearse(every, on: pushes).hits == [seqs[0], seqs[2], seqs[4]])
        let chance = try Self.draft { $0.probability = 0.5 }
        let hits = faults.rehearse(chance, on: pushes).hits
        #expect(faults.rehearse(chance, on: pushes).hits == hits)
        var connections = FaultDraft.Connections()
        connections.ids = [2]
        let elsewhere = try FaultDraft(connections: connections, action: .lose)
        #expect(faults.rehearse(elsewhere, on: pushes).matched == 0)
        #expect(faults.all.isEmpty && judging.world.ruleset.faults == nil)
    }
}

extension ConnectionRecord {
    /// A connection from an address.
    static func from(_ address: String, id: UInt64 = 1) -> ConnectionRecord {
        ConnectionRecord(id: id, remoteAddress: address, environment: .sandbox, openedAt: Draft.now)
    }
}

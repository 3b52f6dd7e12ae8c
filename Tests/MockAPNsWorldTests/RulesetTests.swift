import MockAPNsRules
import Synchronization
import Testing

@testable import MockAPNsWorld

@Suite struct RulesetTests {
    struct NeverValid: SignatureVerifier {
        func verify(
            signature: UnsafeRawBufferPointer, of message: UnsafeRawBufferPointer, algorithm: ProviderToken.Algorithm
        ) -> Bool? { false }
    }

    @Test func `a stopping ruleset keeps the rest`() throws {
        var options = RuleOptions()
        options.refusesInvalidJSON = true
        let key = ProviderKey(keyID: "ABC123DEFG", teamID: "DEF123GHIJ")
        let pipeline = try Pipeline.standard.reordered(["path", "method"])
        let ruleset = Ruleset(
            options: options, pipeline: pipeline,
            keys: [key.keyID: Ruleset.RegisteredKey(key: key, verifier: NeverValid())])
        #expect(ruleset.refusal == nil)
        let stopping = ruleset.stopping()
        #expect(stopping.refusal == .shutdown)
        #expect(stopping.options.refusesInvalidJSON)
        #expect(stopping.pipeline.checks.map(\.id) == pipeline.checks.map(\.id))
        #expect(stopping.keys.mapValues(\.key) == [key.keyID: key])
    }

    // MARK: Registrations

    private static let token = DeviceToken(hex: Draft.token)!

    /// A world with one device, after a reset of its journal.
    private func world() throws -> World {
        var startUp = World.StartUp()
        startUp.devices = [DeviceDraft(registrations: [.init(token: Self.token, topic: "com.example.app")])]
        let world = try World(ruleset: Ruleset(), startUp: startUp)
        _ = world.reset([.pushes])
        return world
    }

    @Test func `a new ruleset has no devices`() {
        #expect(Ruleset().find(Self.token) == nil)
        #expect(Ruleset().topicNumber("com.example.app") == 0)
        #expect(Ruleset().hasTopics(of: Ruleset()))
    }

    /// Whatever somebody makes of the rules, devices and the journal's epoch are not theirs to change.
    @Test func `a change keeps what is registered`() throws {
        let world = try world()
        let (known, number) = (world.ruleset.find(Self.token), world.ruleset.topicNumber("com.example.app"))
        #expect(known?.standing == .valid && known?.topic == number && number != 0)
        #expect(world.ruleset.epoch == 2)
        let changes: [(Ruleset) -> Ruleset] = [
            { _ in Ruleset() }, { $0.stopping() }, { $0 }, { Ruleset(options: $0.options) },
            { _ in Ruleset(refusal: .shutdown) },
        ]
        for change in changes {
            let before = world.ruleset
            let changed = world.changeRuleset(change)
            #expect(changed === world.ruleset)
            #expect(changed.find(Self.token) == known)
            #expect(changed.topicNumber("com.example.app") == number)
            #expect(changed.epoch == 2 && changed.hasTopics(of: before))
            let batch = RecordBatch()
            batch.begin(by: changed)
            #expect(batch.epoch == 2 && batch.deviceEpoch == changed.registrations.epoch)
            Draft.push().append(to: batch)
            world.journal.publish(batch, at: Draft.now)
            #expect(world.journal.pushes(PushQuery()).pushes.first?.delivery?.state == .delivered)
        }
        #expect(world.ruleset.refusal == .shutdown)
    }

    /// Without a world around it.
    @Test func `a stopping ruleset keeps what is registered`() throws {
        let ruleset = try world().ruleset
        let stopping = ruleset.stopping()
        #expect(stopping.find(Self.token) != nil && stopping.find(Self.token) == ruleset.find(Self.token))
        #expect(stopping.epoch == 2 && stopping.registrations.epoch == ruleset.registrations.epoch)
        #expect(stopping.hasTopics(of: ruleset))
    }

    /// The other way round: what devices do leaves the rules alone.
    @Test func `devices keep the rules`() throws {
        let world = try world()
        _ = world.changeRuleset { ruleset in
            var options = ruleset.options
            options.refusesInvalidJSON = true
            return Ruleset(options: options, refusal: .shutdown)
        }
        try world.devices.forget(.token(Self.token))
        #expect(world.ruleset.find(Self.token) == nil)
        _ = world.reset([.pushes, .devices, .feedback, .clock])
        #expect(world.ruleset.find(Self.token)?.standing == .valid)
        #expect(world.ruleset.options.refusesInvalidJSON && world.ruleset.refusal == .shutdown)
        #expect(world.ruleset.epoch == 3)
        // Options go back where they are meant; that the server stops is no option.
        _ = world.reset([.settings])
        #expect(!world.ruleset.options.refusesInvalidJSON && world.ruleset.refusal == .shutdown)
    }

    /// Who remembers a version knows when to look again, and is not called for nothing.
    @Test func `the version counts what verdicts depend on`() throws {
        let world = try world()
        var version = world.rulesetVersion
        func hasChanged() -> Bool {
            defer { version = world.rulesetVersion }
            return world.rulesetVersion != version
        }
        _ = world.changeRuleset { $0.stopping() }
        #expect(hasChanged())
        world.journal.record(.push(), .push(), .lone(), .push(reason: .badTopic))
        _ = world.journal.pushes(PushQuery())
        _ = world.devices.devices(DeviceQuery())
        _ = world.stopClock(at: Draft.now)
        #expect(!hasChanged())
        world.journal.record(.push(token: "abcd"))
        #expect(hasChanged())
        var change = RegistrationChange()
        change.appState = .foreground
        _ = try world.devices.change(Self.token, change)
        #expect(!hasChanged())
        change.state = .uninstalled
        _ = try world.devices.change(Self.token, change)
        #expect(hasChanged())
        #expect(world.ruleset.find(Self.token)?.standing == .unregistered)
        _ = world.reset([.feedback])
        #expect(!hasChanged())
        _ = world.reset([.pushes])
        #expect(hasChanged())
    }

    /// Topics are remembered by their numbers, which begin anew with other devices.
    @Test func `a changed set of devices has its own topics`() throws {
        let world = try world()
        let first = world.ruleset
        world.journal.record(.push(), .push(token: "abcd"))
        #expect(world.ruleset.find(DeviceToken(hex: "abcd")!)?.topic == first.find(Self.token)?.topic)
        #expect(world.ruleset.hasTopics(of: first))
        world.journal.record(.push(token: "ef01", topic: "com.example.other"))
        let second = world.ruleset
        #expect(!second.hasTopics(of: first) && !first.hasTopics(of: second))
        #expect(second.topicNumber("com.example.other") != second.topicNumber("com.example.app"))
        #expect(first.topicNumber("com.example.other") == 0)
        _ = world.reset([.devices])
        #expect(!world.ruleset.hasTopics(of: second) && !world.ruleset.hasTopics(of: first))
    }

    /// Rules and devices changed at once: neither loses what the other did.
    @Test func `changes of rules and devices do not overwrite each other`() async throws {
        let world = try World(ruleset: Ruleset())
        try await withThrowingTaskGroup { group in
            for number in 1...100 as ClosedRange<UInt64> {
                group.addTask {
                    _ = world.changeRuleset { ruleset in
                        var options = ruleset.options
                        options.tokenLifetime += 1
                        return Ruleset(options: options)
                    }
                }
                group.addTask {
                    let token = DeviceToken((0, 0, 0, number))
                    let app = DeviceDraft.Registration(token: token, topic: "com.example.app\(number % 7)")
                    let device = try world.devices.add(DeviceDraft(registrations: [app]))
                    // Visible to whoever asks after the call, whatever others do meanwhile.
                    #expect(world.ruleset.find(token)?.standing == .valid)
                    if number % 2 == 0 { try world.devices.forget(.id(device.id)) }
                }
            }
            try await group.waitForAll()
        }
        let ruleset = world.ruleset
        #expect(ruleset.options.tokenLifetime == RuleOptions().tokenLifetime + 100)
        for number in 1...100 as ClosedRange<UInt64> {
            #expect((ruleset.find(DeviceToken((0, 0, 0, number))) != nil) == (number % 2 == 1))
        }
    }

    // MARK: Changes

    @Test func `a change starts from the present rules`() throws {
        let world = try World(ruleset: Ruleset())
        let changed = world.changeRuleset { $0.stopping() }
        #expect(world.ruleset === changed)
        let same = world.changeRuleset { $0 }
        #expect(same === changed)
    }

    /// Two at once, and neither is lost.
    @Test func `changes do not overwrite each other`() async throws {
        let world = try World(ruleset: Ruleset())
        await withTaskGroup { group in
            for _ in 0..<200 {
                group.addTask {
                    _ = world.changeRuleset { ruleset in
                        var options = ruleset.options
                        options.tokenLifetime += 1
                        return Ruleset(options: options)
                    }
                }
            }
        }
        #expect(world.ruleset.options.tokenLifetime == RuleOptions().tokenLifetime + 200)
    }
}

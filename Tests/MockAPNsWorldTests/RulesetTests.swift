import MockAPNsRules
import Synchronization
import Testing

@testable import MockAPNsWorld

@Suite struct RulesetTests {
    private struct NeverValid: SignatureVerifier {
        func verify(
            signature: UnsafeRawBufferPointer,
            of message: UnsafeRawBufferPointer
        ) -> SignatureOutcome { .invalid }
    }

    @Test func aStoppingRulesetKeepsTheRest() throws {
        var options = RuleOptions()
        options.refusesInvalidJSON = true
        let key = ProviderKey(keyID: "ABC123DEFG", teamID: "DEF123GHIJ")
        let pipeline = try Pipeline.standard.reordered(["path", "method"])
        let ruleset = Ruleset(
            options: options,
            pipeline: pipeline,
            keys: [key.keyID: Ruleset.RegisteredKey(key: key, verifier: NeverValid())]
        )
        #expect(!ruleset.isStopping)
        let stopping = ruleset.stopping()
        #expect(stopping.isStopping)
        #expect(stopping.options.refusesInvalidJSON)
        #expect(stopping.pipeline.checks.map(\.id) == pipeline.checks.map(\.id))
        #expect(stopping.keys.mapValues(\.key) == [key.keyID: key])
    }

    @Test func aChangeStartsFromThePresentRules() {
        let world = World(ruleset: Ruleset())
        let changed = world.changeRuleset { $0.stopping() }
        #expect(world.ruleset === changed)
        let same = world.changeRuleset { $0 }
        #expect(same === changed)
    }

    /// Two at once, and neither is lost.
    @Test func changesDoNotOverwriteEachOther() async {
        let world = World(ruleset: Ruleset())
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

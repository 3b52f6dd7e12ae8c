import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// Random sequences of everything that can be done to a world, compared with the naive model after each.
@Suite struct DevicesModelTests {
    /// Sequences of each run; the runs go on side by side.
    private static let sequences: UInt64 = 300
    private static let length = 30

    @Test(arguments: UInt64(0)..<8) func `a random sequence leaves the devices of the model`(run: UInt64) throws {
        var coverage: Set<String> = []
        for seed in (run * Self.sequences + 1)...((run + 1) * Self.sequences) {
            let plan = WorldPlan(seed: seed, length: Self.length)
            let done = try WorldRun(plan, comparingEvery: 5)
            coverage.formUnion(done.coverage)
            guard done.difference == nil else {
                Issue.record("seed \(seed): \(try Self.shortest(plan))")
                return
            }
            #expect(done.operations == Self.length)
        }
        // A generator that never got somewhere would prove nothing.
        let expected =
            DeliveryEvent.allCases.filter { !DeliveryEvent.ofNoModel.contains($0) }.map { "\($0)" } + [
                "labelTaken", "tokenTaken", "registrationTaken",
            ] + ["badValue", "unknownToken", "unknownDevice"] + RegistrationState.allCases.map(\.rawValue) + [
                "Unregistered", "ExpiredToken", "BadDeviceToken", "DeviceTokenNotForTopic",
            ]
        #expect(Set(expected).subtracting(coverage).isEmpty)
    }

    /// A sequence as short as leaving out operations can make it, and where it goes wrong.
    private static func shortest(_ plan: WorldPlan) throws -> String {
        var best = plan
        best.operations = Array(plan.operations.prefix(try WorldRun(plan).operations))
        for position in best.operations.indices.reversed() {
            var shorter = best
            shorter.operations.remove(at: position)
            if try WorldRun(shorter).difference != nil { best = shorter }
        }
        return "\(best)\n\(try WorldRun(best).difference ?? "")"
    }
}

import Testing

@testable import MockAPNsRules

/// One row of the table of hints: a request that is rejected, and what its hint says.
struct HintCase: Sendable, CustomTestStringConvertible {
    let name: String
    let reason: Reason
    /// A part of the first sentence.
    let says: String
    let scenario: HintScenario

    var testDescription: String { name }

    init(
        _ name: String, _ reason: Reason, _ says: String, _ start: HintScenario = HintScenario(),
        _ change: (inout HintScenario) -> Void
    ) {
        (self.name, self.reason, self.says) = (name, reason, says)
        var scenario = start
        change(&scenario)
        self.scenario = scenario
    }
}

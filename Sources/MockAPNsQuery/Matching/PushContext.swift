internal import MockAPNsRules
package import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// The data that conditions and lints can use in addition to the push itself.
package final class PushContext: Sendable {
    package let world: World
    package let verifications = VerifiedPushes()
    let lintHistory = LintHistory()

    package init(_ world: World) { self.world = world }

    /// Returns all lint findings for a push, in the order of `Lint.allCases`.
    package func lints(of facts: PushFacts) -> [LintFinding] {
        let record = facts.record
        guard record.problem == nil else { return earlierFindings(of: record.seq) }
        let push = record.withRequest { request in
            LintedPush(
                request,
                payload: facts.payload,
                at: record.clockTime,
                parse: lintHistory.providerToken
            )
        }
        return (push?.findings() ?? []) + earlierFindings(of: record.seq)
    }

    /// Do not call while holding the world's lock (deadlock).
    func earlierFindings(of seq: UInt64) -> [LintFinding] {
        lintHistory.findings(of: seq, in: world.journal)
    }
}

package final class VerifiedPushes: Sendable {
    private struct State {
        var last: UInt64 = 0
        var matched: [UInt64: [UInt64]] = [:]
        var epoch: UInt64 = 0
    }

    private static let mostOfOne = 20
    private let state = NIOLockedValueBox(State())

    package init() {}

    /// Records a verification and returns its id.
    ///
    /// Removes entries of other epochs; entries for pushes older than `first` may be removed too.
    package func note(_ seqs: [UInt64], epoch: UInt64, first: UInt64) -> String {
        state.withLockedValue { state in
            if state.epoch != epoch {
                state.epoch = epoch
                state.matched = [:]
            }
            if state.matched.count > 100_000 { state.matched = state.matched.filter { $0.key >= first } }
            state.last += 1
            for seq in seqs where state.matched[seq, default: []].count < Self.mostOfOne {
                state.matched[seq, default: []].append(state.last)
            }
            return Self.id(state.last)
        }
    }

    package func has(_ seq: UInt64) -> Bool { state.withLockedValue { $0.matched[seq] != nil } }

    package func ids(of seq: UInt64) -> [String] {
        state.withLockedValue { $0.matched[seq, default: []].map(Self.id) }
    }

    private static func id(_ number: UInt64) -> String { "vfy_\(number)" }
}

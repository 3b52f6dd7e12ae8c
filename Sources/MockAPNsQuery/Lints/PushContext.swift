internal import MockAPNsRules
package import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// The data that conditions and lints can use in addition to the push itself.
package final class PushContext: Sendable {
    package let world: World
    package let verifications = VerifiedPushes()
    let lintHistory = LintHistory()
    let topics = KnownTopics()

    package init(_ world: World) { self.world = world }

    /// Returns all lint findings for a push, in the order of `Lint.allCases`.
    package func lints(of facts: PushFacts) -> [LintFinding] {
        Candidate.with(facts.record, in: self) { push in
            push.payload = facts.payload
            return push.findings
        }
    }

    /// Returns the findings about a connection as a whole.
    package func lints(ofConnection id: UInt64) -> [LintFinding] {
        lintHistory.findings(ofConnection: id, in: world.journal)
    }
}

/// The spellings of topics: a server sees few, and reading one takes longer than everything else about a push.
final class KnownTopics: Sendable {
    private struct Key: Hashable {
        let topic: String
        let type: PushType?
    }

    private static let most = 100
    private let spellings = NIOLockedValueBox<[Key: TopicSpelling]>([:])

    func spelling(of topic: String, for type: PushType?) -> TopicSpelling {
        let key = Key(topic: topic, type: type)
        if let known = spellings.withLockedValue({ $0[key] }) { return known }
        let spelling = TopicSpelling(topic, for: type)
        spellings.withLockedValue { spellings in
            if spellings.count >= Self.most { spellings = [:] }
            spellings[key] = spelling
        }
        return spelling
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

    /// Records a verification and returns its id.
    ///
    /// Removes entries of other epochs; entries of evicted pushes may be removed too.
    package func note(_ seqs: [UInt64], in extent: Journal.Extent) -> String {
        state.withLockedValue { state in
            if state.epoch != extent.epoch { (state.epoch, state.matched) = (extent.epoch, [:]) }
            if state.matched.count > 100_000 { state.matched = state.matched.filter { $0.key >= extent.firstSeq } }
            state.last += 1
            for seq in seqs where state.matched[seq, default: []].count < Self.mostOfOne {
                state.matched[seq, default: []].append(state.last)
            }
            return Self.id(state.last)
        }
    }

    package func has(_ seq: UInt64) -> Bool { state.withLockedValue { $0.matched[seq] != nil } }

    package func ids(of seq: UInt64) -> [String] { state.withLockedValue { $0.matched[seq, default: []].map(Self.id) } }

    private static func id(_ number: UInt64) -> String { "vfy_\(number)" }
}

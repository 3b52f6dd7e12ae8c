internal import NIOConcurrencyHelpers

/// Records which verifications matched which pushes.
package final class VerifiedPushes: Sendable {
    private struct State {
        var last: UInt64 = 0
        var matched: [UInt64: [UInt64]] = [:]
        var epoch: UInt64 = 0
    }

    private static let mostOfOne = 20
    private let state = NIOLockedValueBox(State())

    package init() {}

    /// Removes entries of other epochs; entries for pushes older than `first` may be removed too. Returns the
    /// verification's id.
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

internal import NIOConcurrencyHelpers

/// Which verification matched which pushes.
package final class VerificationBook: Sendable {
    private struct State {
        var last: UInt64 = 0
        /// The verifications of a push, by its number.
        var matched: [UInt64: [UInt64]] = [:]
        var epoch: UInt64 = 0
    }

    /// More verifications of one push are not told apart.
    private static let mostOfOne = 20
    private let state = NIOLockedValueBox(State())

    /// A book without any verification.
    package init() {}

    /// Notes a verification that succeeded.
    ///
    /// - Parameters:
    ///   - seqs: the pushes that it matched.
    ///   - epoch: the epoch of the journal; what was noted in one before is forgotten.
    ///   - first: the oldest push that the journal has; what was noted of older ones is forgotten.
    /// - Returns: its id.
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

    /// Whether a verification has matched the push of this number.
    package func has(_ seq: UInt64) -> Bool { state.withLockedValue { $0.matched[seq] != nil } }

    /// The verifications that matched the push of this number.
    package func ids(of seq: UInt64) -> [String] {
        state.withLockedValue { $0.matched[seq, default: []].map(Self.id) }
    }

    private static func id(_ number: UInt64) -> String { "vfy_\(number)" }
}

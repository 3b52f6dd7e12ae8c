internal import MockAPNsFormats
internal import MockAPNsRules
package import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// Writes pushes to a file of lines, for `/pushes/import`, piece by piece, so that memory never holds all of it.
package final class PushExport: Sendable {
    private static let pieceCount = 100

    private struct State {
        var position = 0
        var isOver = false
        /// The length of the last piece in bytes, used as the capacity of the next.
        var lastLength = 0
    }

    private let seqs: [UInt64]
    private let subject: ShownNamespace
    private let state = NIOLockedValueBox(State())

    package init(_ seqs: [UInt64], in subject: ShownNamespace) { (self.seqs, self.subject) = (seqs, subject) }

    /// Returns what writes the next pushes; `nil` at the end.
    ///
    /// Not safe to call concurrently.
    package func next() async throws(HistoryFailure) -> (@Sendable () -> [UInt8])? {
        guard let seqs = nextNumbers() else { return nil }
        // Skips pushes that were deleted meanwhile.
        return piece(of: try await subject.journal.storedPushes(seqs))
    }

    /// Returns the numbers of the next pushes, for `piece(of:)`; `nil` at the end.
    package func nextNumbers() -> [UInt64]? {
        state.withLockedValue { state in
            guard !state.isOver else { return nil }
            let end = min(state.position + Self.pieceCount, seqs.count)
            state.isOver = end == seqs.count
            defer { state.position = end }
            return Array(seqs[state.position..<end])
        }
    }

    /// Returns what writes the pushes whose numbers came last.
    package func piece(of pushes: [PushRecord]) -> @Sendable () -> [UInt8] {
        { [self] in
            var piece: [UInt8] = []
            let length = state.withLockedValue(\.lastLength)
            piece.reserveCapacity(length + length / 8)
            for push in pushes {
                ShownPush(push, in: subject).json.write(to: &piece)
                piece.append(UInt8(ascii: "\n"))
            }
            state.withLockedValue { [count = piece.count] in $0.lastLength = count }
            return piece
        }
    }
}

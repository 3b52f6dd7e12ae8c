internal import MockAPNsFormats
internal import MockAPNsRules
package import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// Writes pushes to a file piece by piece, so that memory never holds all of it.
package final class PushExport: Sendable {
    package enum Format: String, CaseIterable {
        /// One push per line, for `/pushes/import`.
        case ndjson
        /// HTTP Archive 1.2, for browsers and proxies.
        case har
    }

    private static let pieceCount = 100

    private struct State {
        var position = 0
        /// Whether the last numbers were the first ones.
        var isFirst = true
        var isOver = false
        var hasEntry = false
        /// The length of the last piece in bytes, used as the capacity of the next.
        var lastLength = 0
    }

    private let seqs: [UInt64]
    private let format: Format
    private let subject: ShownNamespace
    private let version: String
    private let state = NIOLockedValueBox(State())

    /// `version` is that of the program, for files that name what wrote them.
    package init(_ seqs: [UInt64], as format: Format, in subject: ShownNamespace, version: String) {
        self.seqs = seqs
        self.format = format
        self.subject = subject
        self.version = version
    }

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
            state.isFirst = state.position == 0
            state.isOver = end == seqs.count
            defer { state.position = end }
            return Array(seqs[state.position..<end])
        }
    }

    /// Returns what writes the pushes whose numbers came last.
    package func piece(of pushes: [PushRecord]) -> @Sendable () -> [UInt8] {
        let (isFirst, isLast, hasEntry) = state.withLockedValue { state in
            defer { if !pushes.isEmpty { state.hasEntry = true } }
            return (state.isFirst, state.isOver, state.hasEntry)
        }
        return { [self] in
            var piece: [UInt8] = []
            let length = state.withLockedValue(\.lastLength)
            piece.reserveCapacity(length + length / 8)
            switch format {
            case .ndjson:
                for push in pushes {
                    ShownPush(push, in: subject).json.write(to: &piece)
                    piece.append(UInt8(ascii: "\n"))
                }
            case .har:
                if isFirst { piece += HARShape.head(version: version).utf8 }
                for (position, push) in pushes.enumerated() {
                    if hasEntry || position > 0 { piece += ",\n".utf8 }
                    HARShape(push, in: subject).json.write(to: &piece)
                }
                if isLast { piece += HARShape.tail.utf8 }
            }
            state.withLockedValue { [count = piece.count] in $0.lastLength = count }
            return piece
        }
    }
}

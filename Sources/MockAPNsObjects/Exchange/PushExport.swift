internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld
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
    package func next() -> (@Sendable () -> [UInt8])? {
        state.withLockedValue { state in
            guard !state.isOver else { return nil }
            let end = min(state.position + Self.pieceCount, seqs.count)
            // Skips pushes that were evicted from the journal meanwhile.
            let pushes = seqs[state.position..<end].compactMap { subject.journal.push(seq: $0) }
            let (isFirst, isLast, hasEntry) = (state.position == 0, end == seqs.count, state.hasEntry)
            state.position = end
            state.isOver = isLast
            if !pushes.isEmpty { state.hasEntry = true }
            return { [self] in
                var piece: [UInt8] = []
                let length = self.state.withLockedValue(\.lastLength)
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
                self.state.withLockedValue { [count = piece.count] in $0.lastLength = count }
                return piece
            }
        }
    }
}

internal import MockAPNsRules
internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// Pushes on their way into a file, a piece at a time, so that no second copy of them all is ever in memory.
final class PushExport: PieceSource {
    /// The forms of a file.
    enum Format: String, CaseIterable {
        /// One push per line, which `/pushes/import` takes.
        case ndjson
        /// HTTP Archive 1.2, which browsers and proxies show.
        case har
    }

    private static let pieceCount = 50

    private struct State {
        var position = 0
        var isOver = false
        var hasEntry = false
        /// The length of the last piece, in bytes.
        var lastLength = 0
    }

    private let seqs: [UInt64]
    private let format: Format
    private let subject: InspectedServer
    private let state = NIOLockedValueBox(State())

    init(_ seqs: [UInt64], as format: Format, in subject: InspectedServer) {
        self.seqs = seqs
        self.format = format
        self.subject = subject
    }

    func next() -> [UInt8]? {
        state.withLockedValue { state in
            guard !state.isOver else { return nil }
            var piece: [UInt8] = []
            // Pushes are much alike, so this one will have about the length of the last.
            piece.reserveCapacity(state.lastLength + state.lastLength / 8)
            if state.position == 0, format == .har { piece += HARShape.head(subject).utf8 }
            let end = min(state.position + Self.pieceCount, seqs.count)
            for seq in seqs[state.position..<end] {
                // One that the journal has dropped meanwhile is left out.
                guard let push = subject.journal.push(seq: seq) else { continue }
                switch format {
                case .ndjson:
                    PushShape(push, in: subject).write(to: &piece)
                    piece.append(UInt8(ascii: "\n"))
                case .har:
                    if state.hasEntry { piece += ",\n".utf8 }
                    piece += HARShape(push, in: subject).json.text
                }
                state.hasEntry = true
            }
            state.position = end
            state.lastLength = piece.count
            if end == seqs.count {
                state.isOver = true
                if format == .har { piece += HARShape.tail.utf8 }
            }
            return piece
        }
    }
}

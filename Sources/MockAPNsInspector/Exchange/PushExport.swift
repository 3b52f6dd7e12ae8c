internal import MockAPNsFormats
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

    private static let pieceCount = 100

    private struct State {
        var position = 0
        var isOver = false
        var hasEntry = false
    }

    private let seqs: [UInt64]
    private let format: Format
    private let subject: InspectedServer
    private let state = NIOLockedValueBox(State())
    /// The length of the last piece in bytes, used as the capacity of the next.
    private let lastLength = NIOLockedValueBox(0)

    init(_ seqs: [UInt64], as format: Format, in subject: InspectedServer) {
        self.seqs = seqs
        self.format = format
        self.subject = subject
    }

    func next() -> Piece? {
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
                let length = lastLength.withLockedValue { $0 }
                piece.reserveCapacity(length + length / 8)
                switch format {
                case .ndjson: writeLines(pushes, to: &piece)
                case .har:
                    if isFirst { piece += HARShape.head(subject).utf8 }
                    writeEntries(pushes, isBehindEntry: hasEntry, to: &piece)
                    if isLast { piece += HARShape.tail.utf8 }
                }
                lastLength.withLockedValue { [count = piece.count] in $0 = count }
                return piece
            }
        }
    }

    private func writeLines(_ pushes: [PushRecord], to piece: inout [UInt8]) {
        for push in pushes {
            ShownPush(push, in: subject).json.write(to: &piece)
            piece.append(UInt8(ascii: "\n"))
        }
    }

    private func writeEntries(_ pushes: [PushRecord], isBehindEntry: Bool, to piece: inout [UInt8]) {
        for (position, push) in pushes.enumerated() {
            if isBehindEntry || position > 0 { piece += ",\n".utf8 }
            piece += HARShape(push, in: subject).json.text
        }
    }
}

internal import NIOConcurrencyHelpers

/// What people wrote beside pushes.
final class NoteBook: Sendable {
    private struct State {
        /// By the number of the push; `nil` where a note was taken away.
        var notes: [UInt64: String?] = [:]
        var epoch: UInt64 = 0
    }

    /// The longest note, in characters.
    static let longest = 1_000
    /// From how many notes on those of pushes that are gone are looked for.
    private static let many = 1_000
    private let state = NIOLockedValueBox(State())

    /// Writes a note, in the place of the one before; `nil` takes that away.
    ///
    /// - Parameters:
    ///   - note: the note.
    ///   - seq: the number of the push.
    ///   - epoch: the epoch of the journal; what was written in one before is forgotten.
    ///   - first: the oldest push that the journal has; what was written of older ones is forgotten.
    func write(_ note: String?, of seq: UInt64, epoch: UInt64, first: UInt64) {
        state.withLockedValue { state in
            if state.epoch != epoch { state = State(epoch: epoch) }
            if state.notes.count >= Self.many { state.notes = state.notes.filter { $0.key >= first } }
            state.notes[seq] = .some(note)
        }
    }

    /// The note of a push: `nil` where nobody has said anything about it, `.some(nil)` where it was taken away.
    func note(of seq: UInt64, epoch: UInt64) -> String?? {
        state.withLockedValue { $0.epoch == epoch ? $0.notes[seq] : nil }
    }
}

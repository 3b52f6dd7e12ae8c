internal import NIOConcurrencyHelpers

/// People's notes about pushes.
final class NoteBook: Sendable {
    private struct State {
        /// By the number of the push; `nil` for a deleted note.
        var notes: [UInt64: String?] = [:]
        var epoch: UInt64 = 0
    }

    /// The longest note, in characters.
    static let longest = 1_000
    /// From this many notes on, those of evicted pushes are dropped.
    private static let many = 1_000
    private let state = NIOLockedValueBox(State())

    /// Sets or deletes the note of a push; `first` is the oldest push in the journal.
    func write(_ note: String?, of seq: UInt64, epoch: UInt64, first: UInt64) {
        state.withLockedValue { state in
            if state.epoch != epoch { state = State(epoch: epoch) }
            if state.notes.count >= Self.many { state.notes = state.notes.filter { $0.key >= first } }
            state.notes[seq] = .some(note)
        }
    }

    /// The note of a push: `nil` if there was none, `.some(nil)` if it was deleted.
    func note(of seq: UInt64, epoch: UInt64) -> String?? {
        state.withLockedValue { $0.epoch == epoch ? $0.notes[seq] : nil }
    }
}

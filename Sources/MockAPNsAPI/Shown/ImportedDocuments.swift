internal import NIOConcurrencyHelpers

/// The documents of imported pushes, which have more than the records in the journal.
final class ImportedDocuments: Sendable {
    private struct State {
        /// By the number of the push.
        var documents: [UInt64: [UInt8]] = [:]
        var epoch: UInt64 = 0
    }

    private let state = NIOLockedValueBox(State())

    /// Adds documents, and nobody reads until `make` has returned them; `first` is the oldest push in the journal.
    func add(_ make: () -> (documents: [UInt64: [UInt8]], epoch: UInt64, first: UInt64)) {
        state.withLockedValue { state in
            let (documents, epoch, first) = make()
            if state.epoch != epoch { state = State(epoch: epoch) }
            state.documents.merge(documents) { $1 }
            state.documents = state.documents.filter { $0.key >= first }
        }
    }

    func document(of seq: UInt64, epoch: UInt64) -> [UInt8]? {
        state.withLockedValue { $0.epoch == epoch ? $0.documents[seq] : nil }
    }
}

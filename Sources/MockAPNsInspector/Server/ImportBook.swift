internal import MockAPNsFormats
internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// The documents of imported pushes: the journal has only the parts that can be searched.
final class ImportBook: Sendable {
    private struct State {
        var documents: [UInt64: [UInt8]] = [:]
        var epoch: UInt64 = 0
    }

    private let state = NIOLockedValueBox(State())

    /// Adds pushes to a journal, together with their documents.
    func adopt(
        _ batch: RecordBatch,
        _ answers: [AdoptedAnswer],
        _ documents: [[UInt8]],
        into journal: Journal
    ) -> (seqs: [UInt64], extent: Journal.Extent) {
        state.withLockedValue { state in
            let (seqs, extent) = journal.adopt(batch, answers)
            if state.epoch != extent.epoch { state.documents = [:] }
            state.epoch = extent.epoch
            state.documents = state.documents.filter { $0.key >= extent.firstSeq }
            for (seq, document) in zip(seqs, documents) where seq >= extent.firstSeq {
                state.documents[seq] = document
            }
            return (seqs, extent)
        }
    }

    func document(of seq: UInt64, epoch: UInt64) -> JSONValue? {
        let document = state.withLockedValue { state in state.epoch == epoch ? state.documents[seq] : nil }
        return document.flatMap { JSONParser.value(of: $0) }
    }
}

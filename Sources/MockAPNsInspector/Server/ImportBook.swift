internal import MockAPNsFormats
internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// What other servers said of the pushes that were imported.
///
/// The journal keeps what can be searched for; the rest is shown as it was exported.
final class ImportBook: Sendable {
    private struct State {
        var documents: [UInt64: [UInt8]] = [:]
        var epoch: UInt64 = 0
    }

    private let state = NIOLockedValueBox(State())

    /// Takes pushes into a journal; nobody sees one of them without what was said of it.
    ///
    /// - Returns: their numbers, and what the journal holds then.
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
            // What the journal has dropped since is dropped here, too.
            state.documents = state.documents.filter { $0.key >= extent.firstSeq }
            for (seq, document) in zip(seqs, documents) where seq >= extent.firstSeq {
                state.documents[seq] = document
            }
            return (seqs, extent)
        }
    }

    /// What another server said of a push; `nil` for one that was not imported.
    func document(of seq: UInt64, epoch: UInt64) -> JSONValue? {
        let document = state.withLockedValue { state in state.epoch == epoch ? state.documents[seq] : nil }
        return document.flatMap { JSONParser.value(of: $0) }
    }
}

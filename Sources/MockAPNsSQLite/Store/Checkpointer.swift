internal import Dispatch
internal import MockAPNsLog
internal import NIOConcurrencyHelpers

/// Checkpoints the WAL of a database in the background, on a separate connection.
///
/// The writer continues while the checkpointer waits for the disk. The WAL restarts only after a complete checkpoint.
/// While writes continue without a pause, this never completes one; the writer's `wal_autocheckpoint` then does.
final class Checkpointer: Sendable {
    private let files: WorldFiles
    /// The number of written pages after which to checkpoint.
    private let enough: Int
    private let queue = DispatchQueue(label: "mock-apns.checkpoint")
    private let state = NIOLockedValueBox(State())

    private struct State {
        /// The number of pages written since the last checkpoint started.
        var pages = 0
        var isRunning = false
        var failure: StoreError?
    }

    init(_ files: WorldFiles, pages enough: Int) {
        self.files = files
        self.enough = enough
    }

    /// Starts a checkpoint if enough pages were written and none is running.
    func wrote(pages: Int) {
        let mustStart = state.withLockedValue { state in
            state.pages += pages
            guard !state.isRunning, state.pages >= enough else { return false }
            (state.pages, state.isRunning) = (0, true)
            return true
        }
        guard mustStart else { return }
        queue.async { [self] in
            // A failure loses nothing: it is retried later, and a full disk makes the next commit fail.
            var failure: StoreError?
            do throws(StoreError) {
                try files.checkpoint { connection throws(StoreError) in
                    try connection.execute("pragma wal_checkpoint(passive)")
                }
            } catch { failure = error }
            state.withLockedValue { ($0.isRunning, $0.failure) = (false, failure) }
        }
    }

    /// Throws the failure of the last checkpoint, once.
    func throwFailure() throws(StoreError) {
        if let failure = state.withLockedValue({ $0.failure.take() }) { throw failure }
    }

    /// Waits for a running checkpoint.
    ///
    /// Make no calls afterwards.
    func close() { queue.sync {} }
}

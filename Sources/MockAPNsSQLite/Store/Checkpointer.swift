internal import Dispatch
internal import MockAPNsLog
internal import NIOConcurrencyHelpers

/// Checkpoints the WAL of a database in the background, on a separate connection.
///
/// The writer continues while the checkpointer waits for the disk. The WAL restarts only after a complete checkpoint.
/// While writes continue without a pause, this never completes one; the writer's `wal_autocheckpoint` then does.
final class Checkpointer: Sendable {
    private let database: Database
    /// The number of written pages after which to checkpoint.
    private let enough: Int
    private let queue = DispatchQueue(label: "mock-apns.checkpoint")
    /// The number of pages written since the last checkpoint started, and whether one is running.
    private let state = NIOLockedValueBox((pages: 0, isRunning: false))

    init(path: String, pages enough: Int) throws(StoreError) {
        database = try Database(path, .write)
        self.enough = enough
    }

    /// Starts a checkpoint if enough pages were written and none is running.
    func wrote(pages: Int) {
        let mustStart = state.withLockedValue { state in
            state.pages += pages
            guard !state.isRunning, state.pages >= enough else { return false }
            state = (pages: 0, isRunning: true)
            return true
        }
        guard mustStart else { return }
        queue.async { [self] in
            // A failure loses nothing: it is retried later, and a full disk makes the next commit fail.
            try? database.execute("pragma wal_checkpoint(passive)")
            state.withLockedValue { $0.isRunning = false }
        }
    }

    /// Waits for a running checkpoint, and closes the file.
    ///
    /// Make no calls afterwards.
    func close() { queue.sync { database.close() } }
}

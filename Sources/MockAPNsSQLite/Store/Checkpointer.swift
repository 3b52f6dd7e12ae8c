internal import Dispatch
internal import MockAPNsLog
internal import NIOConcurrencyHelpers

/// Moves what was written from the log of a database to its file, on a connection of its own: it waits for the disk, and the
/// writer goes on meanwhile.
///
/// The log begins anew only when all of it was moved. While the writer goes on without a pause, some of it always is left,
/// and the writer itself moves that from time to time (`wal_autocheckpoint`).
final class Checkpointer: Sendable {
    private let database: Database
    /// The number of pages that are worth it.
    private let enough: Int
    private let queue = DispatchQueue(label: "mock-apns.checkpoint")
    /// The number of pages that were written since it last began.
    private let state = NIOLockedValueBox((pages: 0, isRunning: false))

    init(path: String, pages enough: Int) throws(StoreError) {
        database = try Database(path, .write)
        self.enough = enough
    }

    /// Begins in the background if enough pages were written and it is not under way.
    func wrote(pages: Int) {
        let mustStart = state.withLockedValue { state in
            state.pages += pages
            guard !state.isRunning, state.pages >= enough else { return false }
            state = (pages: 0, isRunning: true)
            return true
        }
        guard mustStart else { return }
        queue.async { [self] in
            // Nothing is lost when this fails: it is tried again, and if the disk is full the next commit says so.
            try? database.execute("pragma wal_checkpoint(passive)")
            state.withLockedValue { $0.isRunning = false }
        }
    }

    /// Waits until it has ended, and releases the file; nothing is called afterwards.
    func close() { queue.sync { database.close() } }
}

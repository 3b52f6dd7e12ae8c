internal import Synchronization

/// Whether the client that waits for an answer is still there, and the server, too.
///
/// Looked at only where a client is made to wait; other answers cost nothing for it.
final class ClientPresence: Sendable {
    private let begin: @Sendable () -> StreamStop
    private let end: @Sendable (StreamStop) -> Void
    private let stop = Mutex<StreamStop?>(nil)

    /// A client that never leaves.
    convenience init() { self.init(begin: { StreamStop() }, end: { _ in }) }

    /// - Parameters:
    ///   - begin: begins to look.
    ///   - end: ends that.
    init(begin: @escaping @Sendable () -> StreamStop, end: @escaping @Sendable (StreamStop) -> Void) {
        self.begin = begin
        self.end = end
    }

    /// What says that a wait has to end.
    func watch() -> StreamStop {
        if let stop = stop.withLock({ $0 }) { return stop }
        // Outside of the lock: who has left already is told of at once.
        let made = begin()
        stop.withLock { $0 = made }
        return made
    }

    /// The answer is there.
    func answered() {
        if let stop = stop.withLock({ $0.take() }) { end(stop) }
    }
}

internal import MockAPNs
internal import NIOConcurrencyHelpers

/// Whether the client that waits for an answer is still there, and the server, too.
///
/// Looked at only where a client is made to wait; other answers cost nothing for it.
final class ClientPresence: Sendable {
    private let begin: @Sendable (Namespace?) -> StreamStop
    private let end: @Sendable (StreamStop) -> Void
    private let stop = NIOLockedValueBox<StreamStop?>(nil)
    private let namespace = NIOLockedValueBox<Namespace?>(nil)

    /// A client that never leaves.
    convenience init() { self.init(begin: { _ in StreamStop() }, end: { _ in }) }

    /// - Parameters:
    ///   - begin: begins to look, at a namespace too where the request is about one.
    ///   - end: ends that.
    init(begin: @escaping @Sendable (Namespace?) -> StreamStop, end: @escaping @Sendable (StreamStop) -> Void)
    {
        self.begin = begin
        self.end = end
    }

    /// The request is about a namespace: waits end with it.
    func isAbout(_ namespace: Namespace) { self.namespace.withLockedValue { $0 = namespace } }

    /// What says that a wait has to end.
    func watch() -> StreamStop {
        if let stop = stop.withLockedValue({ $0 }) { return stop }
        // Outside of the lock: who has left already is told of at once.
        let made = begin(namespace.withLockedValue { $0 })
        stop.withLockedValue { $0 = made }
        return made
    }

    /// The answer is there.
    func answered() {
        if let stop = stop.withLockedValue({ $0.take() }) { end(stop) }
    }
}

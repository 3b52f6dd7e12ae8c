package import MockAPNs
internal import NIOConcurrencyHelpers

/// Tells a request whether its client, its namespace and the server are still there.
///
/// Only requests that wait look at it; others pay nothing for it.
package final class ClientPresence: Sendable {
    private let begin: @Sendable (Namespace?) -> StopSignal
    private let end: @Sendable (StopSignal) -> Void
    private let stop = NIOLockedValueBox<StopSignal?>(nil)
    private let namespace = NIOLockedValueBox<Namespace?>(nil)

    /// Creates the presence of a client that never leaves.
    package convenience init() { self.init(begin: { _ in StopSignal() }, end: { _ in }) }

    /// Creates the presence of a client.
    ///
    /// - Parameters:
    ///   - begin: Begins to watch the client, and the namespace of the request, if it has one.
    ///   - end: Ends that.
    package init(
        begin: @escaping @Sendable (Namespace?) -> StopSignal,
        end: @escaping @Sendable (StopSignal) -> Void
    ) {
        self.begin = begin
        self.end = end
    }

    /// Sets the namespace of the request; waits end when it is removed.
    package func isAbout(_ namespace: Namespace) { self.namespace.withLockedValue { $0 = namespace } }

    /// Returns the signal that ends waits; begins to watch the client on first use.
    package func watch() -> StopSignal {
        if let stop = stop.withLockedValue({ $0 }) { return stop }
        // Outside of the lock: a client that has left already is reported at once.
        let made = begin(namespace.withLockedValue { $0 })
        stop.withLockedValue { $0 = made }
        return made
    }

    /// Ends the watch; the response is complete.
    package func answered() {
        if let stop = stop.withLockedValue({ $0.take() }) { end(stop) }
    }
}

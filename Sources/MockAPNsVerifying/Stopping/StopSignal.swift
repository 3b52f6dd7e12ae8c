package import MockAPNs
internal import NIOConcurrencyHelpers

/// Tells a wait or an open stream to end.
package final class StopSignal: Sendable {
    /// Why it has to end.
    package enum Cause: Sendable {
        /// The client has closed its side of the connection.
        case clientGone
        case shutdown
        /// The namespace that the request is about has been removed.
        case namespaceGone
    }

    private struct State {
        var cause: Cause?
        var waiter: CheckedContinuation<Void, Never>?
        var call: (@Sendable () -> Void)?
    }

    private let state = NIOLockedValueBox(State())

    package init() {}

    /// The reason to end; `nil` while the wait may continue.
    package var cause: Cause? { state.withLockedValue { $0.cause } }

    /// Gives the signal; only the first cause counts.
    package func ask(_ cause: Cause) {
        let (waiter, call) = state.withLockedValue { state in
            if state.cause == nil { state.cause = cause }
            return (state.waiter.take(), state.call.take())
        }
        waiter?.resume()
        call?()
    }

    /// Calls a function once the signal is given: at once, or later on the thread that gives it.
    package func whenAsked(_ call: @escaping @Sendable () -> Void) {
        let isAsked = state.withLockedValue { state in
            if state.cause == nil { state.call = call }
            return state.cause != nil
        }
        if isAsked { call() }
    }

    /// Forgets the function of `whenAsked`.
    package func forget() { state.withLockedValue { $0.call = nil } }

    /// Returns when the signal is given or the task is cancelled; only one task may wait.
    package func wait() async { await state.wait(at: \.waiter) { $0.cause != nil } }
}

extension NIOLockedValueBox where Value: Sendable {
    /// Stores the task as the waiter at `place`, and returns when another task resumes it.
    ///
    /// Returns at once if `isOver` holds, and ends early if the task is cancelled.
    func wait(
        at place: any WritableKeyPath<Value, CheckedContinuation<Void, Never>?> & Sendable,
        unless isOver: (Value) -> Bool
    ) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isWaiting = withLockedValue { value in
                    if isOver(value) || Task.isCancelled { return false }
                    value[keyPath: place] = waiter
                    return true
                }
                if !isWaiting { waiter.resume() }
            }
        } onCancel: {
            withLockedValue { $0[keyPath: place].take() }?.resume()
        }
    }
}

/// Tells a request whether its client is connected, its namespace exists and the server runs.
///
/// Watching begins only when a request waits, so other requests have no cost.
package final class ClientPresence: Sendable {
    private let begin: @Sendable (Namespace?) -> StopSignal
    private let end: @Sendable (StopSignal) -> Void
    private let stop = NIOLockedValueBox<StopSignal?>(nil)
    private let namespace = NIOLockedValueBox<Namespace?>(nil)

    /// `begin` starts to watch the client, and the namespace of the request if it has one; `end` stops.
    ///
    /// By default, the client never leaves.
    package init(
        begin: @escaping @Sendable (Namespace?) -> StopSignal = { _ in StopSignal() },
        end: @escaping @Sendable (StopSignal) -> Void = { _ in }
    ) {
        self.begin = begin
        self.end = end
    }

    /// Sets the namespace of the request; waits end when it is removed.
    package func isAbout(_ namespace: Namespace) { self.namespace.withLockedValue { $0 = namespace } }

    /// Returns the signal that ends waits; begins to watch the client on first use.
    package func watch() -> StopSignal {
        if let stop = stop.withLockedValue({ $0 }) { return stop }
        // Not under the lock, because `begin` may report a client that has already left.
        let made = begin(namespace.withLockedValue { $0 })
        stop.withLockedValue { $0 = made }
        return made
    }

    /// Ends the watch; the response is complete.
    package func answered() { if let stop = stop.withLockedValue({ $0.take() }) { end(stop) } }
}

internal import NIOConcurrencyHelpers

/// Tells a wait or an open stream to end.
package final class StopSignal: Sendable {
    /// Why it has to end.
    package enum Cause: Sendable {
        /// The client has closed its side of the connection.
        case clientGone
        /// The server is going down.
        case shutdown
        /// The namespace that the request is about has been removed.
        case namespaceGone
    }

    private struct State {
        var cause: Cause?
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = NIOLockedValueBox(State())

    /// Creates a signal that has not been given.
    package init() {}

    /// Why the wait has to end; `nil` while it may go on.
    package var cause: Cause? { state.withLockedValue { $0.cause } }

    /// Gives the signal; only the first cause counts.
    package func ask(_ cause: Cause) {
        let waiter = state.withLockedValue { state in
            if state.cause == nil { state.cause = cause }
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Returns when the signal has been given, or the task is cancelled; for one caller.
    package func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isOver = state.withLockedValue { state in
                    let isOver = state.cause != nil || Task.isCancelled
                    if !isOver { state.waiter = waiter }
                    return isOver
                }
                if isOver { waiter.resume() }
            }
        } onCancel: {
            state.withLockedValue { $0.waiter.take() }?.resume()
        }
    }
}

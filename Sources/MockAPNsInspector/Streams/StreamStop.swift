internal import NIOConcurrencyHelpers

/// Tells an open stream to end.
final class StreamStop: Sendable {
    /// Who wants it.
    enum Cause: Sendable {
        /// The client has closed its side of the connection.
        case clientGone
        /// The server is going down.
        case shutdown
        /// The namespace that the stream is about has been removed.
        case namespaceGone
    }

    private struct State {
        var cause: Cause?
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = NIOLockedValueBox(State())

    /// Why the stream has to end; `nil` while it may go on.
    var cause: Cause? { state.withLockedValue { $0.cause } }

    /// Asks for the end; who asks first is heard.
    func ask(_ cause: Cause) {
        let waiter = state.withLockedValue { state in
            if state.cause == nil { state.cause = cause }
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Returns when somebody has asked, or the task is cancelled; for one caller.
    func wait() async {
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

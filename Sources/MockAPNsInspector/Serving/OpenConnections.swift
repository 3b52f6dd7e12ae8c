internal import NIOConcurrencyHelpers
internal import NIOCore

/// The connections to the API, whether their clients are still there, and whether a request is being answered.
final class OpenConnections: Sendable {
    private struct Connection {
        let channel: any Channel
        var isAnswering = false
        /// Whether the client has closed its side.
        var hasLeft = false
        var onLeave: (@Sendable () -> Void)?
    }

    private struct State {
        var isStopping = false
        var all: [ObjectIdentifier: Connection] = [:]
    }

    private let state = NIOLockedValueBox(State())

    /// Adds a connection until it is closed.
    func add(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        let isStopping = state.withLockedValue { state in
            state.all[id] = Connection(channel: channel)
            return state.isStopping
        }
        channel.closeFuture.whenComplete { _ in
            self.clientLeft(channel)
            self.state.withLockedValue { $0.all[id] = nil }
        }
        if isStopping { channel.close(promise: nil) }
    }

    /// Keeps a connection open until `requestEnded`, except at the end of the grace period.
    func requestBegan(on channel: any Channel) {
        state.withLockedValue { $0.all[ObjectIdentifier(channel)]?.isAnswering = true }
    }

    /// Returns whether the connection may take another request.
    func requestEnded(on channel: any Channel) -> Bool {
        state.withLockedValue { state in
            state.all[ObjectIdentifier(channel)]?.isAnswering = false
            return !state.isStopping
        }
    }

    /// Closes every connection on which no request is being answered; the others take no more requests.
    func stop() {
        let idle = state.withLockedValue { state in
            state.isStopping = true
            return state.all.values.filter { !$0.isAnswering }
        }
        for connection in idle { connection.channel.close(promise: nil) }
    }

    /// Closes every connection.
    func closeAll() {
        for connection in state.withLockedValue({ Array($0.all.values) }) {
            connection.channel.close(promise: nil)
        }
    }

    // MARK: Clients that leave

    /// Calls a function once when the client closes its side, at once if it has done so; `nil` revokes it.
    func onLeave(of channel: any Channel, _ notify: (@Sendable () -> Void)?) {
        let id = ObjectIdentifier(channel)
        let hasLeft = state.withLockedValue { state in
            state.all[id]?.onLeave = notify
            return state.all[id]?.hasLeft ?? true
        }
        if hasLeft { notify?() }
    }

    /// Notes that a client has closed its side.
    func clientLeft(_ channel: any Channel) {
        let notify = state.withLockedValue { state in
            state.all[ObjectIdentifier(channel)]?.hasLeft = true
            return state.all[ObjectIdentifier(channel)]?.onLeave.take()
        }
        notify?()
    }
}

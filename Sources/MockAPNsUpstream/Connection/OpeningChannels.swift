internal import NIOConcurrencyHelpers
internal import NIOCore

/// The channels of a connection that is being opened, so that it can be cancelled.
///
/// A name has several addresses, so there can be several attempts.
final class OpeningChannels: Sendable {
    private let state = NIOLockedValueBox<(isCancelled: Bool, channels: [any Channel])>((false, []))

    var isCancelled: Bool { state.withLockedValue { $0.isCancelled } }

    /// Adds a channel; fails after `cancel`.
    func add(_ channel: any Channel) -> EventLoopFuture<Void> {
        let isCancelled = state.withLockedValue { state in
            if !state.isCancelled { state.channels.append(channel) }
            return state.isCancelled
        }
        return isCancelled
            ? channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
            : channel.eventLoop.makeSucceededVoidFuture()
    }

    /// Closes all channels, now and later.
    func cancel() {
        let channels = state.withLockedValue { state in
            state.isCancelled = true
            return exchange(&state.channels, with: [])
        }
        for channel in channels { channel.close(promise: nil) }
    }

    /// Releases the channels, of which one is open.
    func end() { state.withLockedValue { $0.channels = [] } }
}

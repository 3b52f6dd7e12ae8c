internal import NIOCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Pauses a listener when the system has no file descriptor or memory left for a connection.
///
/// After such an error NIO keeps watching the socket, which stays readable, so the event loop would spin.
/// NIO's `AcceptBackoffHandler` only delays reads, and there are none in this case. In an asynchronous
/// channel, the error would end the sequence of connections.
final class AcceptPause: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias OutboundIn = any Channel

    static let duration = TimeAmount.milliseconds(250)

    private let onShortage: (String) -> Void
    private var isPaused = false

    init(onShortage: @escaping (String) -> Void) { self.onShortage = onShortage }

    func read(context: ChannelHandlerContext) { if !isPaused { context.read() } }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let code = (error as? IOError)?.errnoCode else {
            context.fireErrorCaught(error)
            return
        }
        switch code {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM:
            pause(context)
            onShortage(String(cString: strerror(code)))
        case ECONNABORTED: break  // the client disconnected first
        default: context.fireErrorCaught(error)
        }
    }

    private func pause(_ context: ChannelHandlerContext) {
        guard !isPaused else { return }
        isPaused = true
        let channel = context.channel
        // Turning it off stops watching the socket; turning it on accepts the next connection.
        _ = channel.setOption(.autoRead, value: false)
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.duration) {
            self.isPaused = false
            _ = channel.setOption(.autoRead, value: true)
        }
    }
}

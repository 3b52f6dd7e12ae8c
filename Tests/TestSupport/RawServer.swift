import NIOConcurrencyHelpers
package import NIOCore
import NIOPosix

/// A server that answers each connection with bytes of a script, whatever they are.
package struct RawServer: Sendable {
    /// What is sent once a text has arrived since the last step; an empty text means immediately.
    package struct Step: Sendable {
        package let after: String
        package let bytes: [UInt8]
        package let closes: Bool

        package init(after: String, bytes: [UInt8], closes: Bool = false) {
            (self.after, self.bytes, self.closes) = (after, bytes, closes)
        }
    }

    package let channel: any Channel
    private let connections: NIOLockedValueBox<Int>
    /// The number of connections that are open.
    package var openConnections: Int { connections.withLockedValue { $0 } }
    package var port: Int { channel.localAddress?.port ?? 0 }

    /// The preface of HTTP/2, which every client sends.
    package static let preface = "PRI * HTTP/2.0"

    /// Bytes of frames with a type, flags and a stream.
    package static func frame(_ type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) -> [UInt8] {
        let count = payload.count
        let head = [UInt8(count >> 16 & 0xff), UInt8(count >> 8 & 0xff), UInt8(count & 0xff), type, flags]
        return head + (0..<4).map { UInt8(stream >> (24 - 8 * $0) & 0xff) } + payload
    }

    package static let settings = frame(4)
    /// A response of 200 without a body.
    package static func ok(_ stream: UInt32 = 1) -> [UInt8] { frame(1, flags: 0x5, stream: stream, [0x88]) }
    package static func goAway(last: UInt8, code: UInt8 = 0, debug: String = "") -> [UInt8] {
        frame(7, [0, 0, 0, last, 0, 0, 0, code] + Array(debug.utf8))
    }

    package static func start(_ script: [Step]) async throws -> RawServer {
        let connections = NIOLockedValueBox(0)
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).childChannelInitializer {
            channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(Player(script, connections))
            }
        }
        let channel = try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
        return RawServer(channel: channel, connections: connections)
    }

    private final class Player: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let connections: NIOLockedValueBox<Int>
        private var script: ArraySlice<Step>
        private var received: [UInt8] = []

        init(_ script: [Step], _ connections: NIOLockedValueBox<Int>) {
            (self.script, self.connections) = (script[...], connections)
        }

        func channelActive(context: ChannelHandlerContext) {
            connections.withLockedValue { $0 += 1 }
            play(context)
        }

        func channelInactive(context: ChannelHandlerContext) { connections.withLockedValue { $0 -= 1 } }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received += unwrapInboundIn(data).readableBytesView
            play(context)
        }

        private func play(_ context: ChannelHandlerContext) {
            while let step = script.first {
                let marker = Array(step.after.utf8)
                if !marker.isEmpty {
                    guard let found = received.firstRange(of: marker) else { return }
                    received.removeSubrange(..<found.upperBound)
                }
                script.removeFirst()
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: step.bytes)), promise: nil)
                if step.closes { context.close(promise: nil) }
            }
        }
    }
}

/// Lends a raw server.
package func withRawServer<Result: Sendable>(
    _ script: [RawServer.Step], _ use: (RawServer) async throws -> Result
) async throws -> Result {
    let server = try await RawServer.start(script)
    do {
        let result = try await use(server)
        try await server.channel.close()
        return result
    } catch {
        try? await server.channel.close()
        throw error
    }
}

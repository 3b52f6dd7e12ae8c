import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL
import NIOTLS

/// One HTTP/2 connection over TLS, verified by BoringSSL.
struct Connection {
    private typealias Stream = NIOAsyncChannel<HTTP2Frame.FramePayload, HTTP2Frame.FramePayload>

    private let multiplexer: NIOHTTP2Handler.AsyncStreamMultiplexer<Void>
    private let channel: any Channel
    private let authority: String

    /// Connects, and verifies the server's chain and its name.
    init(host: String, port: Int) async throws {
        let context = try NIOSSLContext(configuration: trustingConfiguration())
        authority = "\(host):\(port)"
        let handshake = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: Void.self)
        (channel, multiplexer) = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(
            host: host, port: port
        ) { channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: host))
                try pipeline.addHandler(HandshakeWait(promise: handshake))
                let multiplexer = try pipeline.configureAsyncHTTP2Pipeline(mode: .client) { stream in
                    stream.eventLoop.makeSucceededVoidFuture()
                }
                return (channel, multiplexer)
            }
        }
        try await handshake.futureResult.get()
    }

    /// Sends a request and reads its response.
    func send(_ request: Job.Request) async -> Answer {
        do {
            let stream = try await multiplexer.openStream { channel in
                channel.eventLoop.makeCompletedFuture { try Stream(wrappingChannelSynchronously: channel) }
            }
            return try await stream.executeThenClose { inbound, outbound in
                var headers: HPACKHeaders = [
                    ":method": request.method, ":scheme": "https", ":authority": authority, ":path": request.path,
                ]
                for header in request.headers { headers.add(name: header[0], value: header[1]) }
                try await outbound.write(.headers(.init(headers: headers, endStream: request.body.isEmpty)))
                if !request.body.isEmpty {
                    let body = ByteBuffer(string: request.body)
                    try await outbound.write(.data(.init(data: .byteBuffer(body), endStream: true)))
                }
                return try await Self.answer(from: inbound)
            }
        } catch { return Answer(error: "\(error)") }
    }

    /// Ends the connection.
    func close() async throws { try await channel.close() }

    private static func answer(
        from inbound: NIOAsyncChannelInboundStream<HTTP2Frame.FramePayload>
    ) async throws -> Answer {
        var answer = Answer()
        for try await frame in inbound {
            switch frame {
            case .headers(let part):
                for (name, value, _) in part.headers {
                    if name == ":status" {
                        answer.status = Int(value) ?? 0
                    } else {
                        answer.headers.append([name, value])
                    }
                }
                if part.endStream { return answer }
            case .data(let part):
                if case .byteBuffer(let bytes) = part.data { answer.body += String(buffer: bytes) }
                if part.endStream { return answer }
            default: break
            }
        }
        answer.error = "the stream ended without a complete response"
        return answer
    }
}

/// Completes a promise when the TLS handshake does, or fails it with the error of the handshake.
private final class HandshakeWait: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let promise: EventLoopPromise<Void>

    init(promise: EventLoopPromise<Void>) { self.promise = promise }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent { promise.succeed() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        promise.fail(error)
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        promise.fail(ChannelError.eof)
        context.fireChannelInactive()
    }
}

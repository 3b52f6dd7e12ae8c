internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// Asks the debug API of a running server: one request per connection, for commands that ask once.
struct APIClient {
    private typealias Connection = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    /// How long a stream may be silent; the API sends something every 15 seconds.
    static let longestSilence = TimeAmount.seconds(60)

    let address: APIAddress
    /// What the API wants to see; `nil` when it wants nothing.
    var token: String?
    /// The namespace that is asked about; `nil` for the standard one.
    var namespace: String?

    /// Sends a request and reads the whole answer, whatever its status.
    ///
    /// - Throws: `CommandFailure` when no answer comes.
    func send(_ request: APIRequest, timeout: TimeAmount = .seconds(30)) async throws -> APIResponse {
        let deadline = NIODeadline.now() + timeout
        let connection = try await connect(timeout: min(timeout, .seconds(5)))
        let end = connection.channel.eventLoop.scheduleTask(deadline: deadline) {
            connection.channel.close(promise: nil)
        }
        defer { end.cancel() }
        do {
            return try await connection.executeThenClose { inbound, outbound in
                try await write(request, to: outbound)
                var head: HTTPResponseHead?
                var body: [UInt8] = []
                for try await part in inbound {
                    switch part {
                    case .head(let received): head = received
                    case .body(let bytes): body += bytes.readableBytesView
                    case .end:
                        if let head { return response(head, body) }
                    }
                }
                throw ChannelError.inputClosed
            }
        } catch {
            throw failure(error, timedOut: NIODeadline.now() >= deadline ? timeout : nil)
        }
    }

    /// Sends a request and hands every event of the answer to `receive`, until that says it is enough.
    ///
    /// - Returns: what came instead of a stream; `nil` when `receive` has had enough.
    /// - Throws: `CommandFailure` when no answer comes, or the stream ends, and whatever `receive` throws.
    func stream(
        _ request: APIRequest,
        _ receive: (ServerSentEvent) throws -> Bool
    ) async throws -> APIResponse? {
        var request = request
        request.accept = "text/event-stream"
        let connection = try await connect(timeout: .seconds(5), longestSilence: Self.longestSilence)
        var isOpen = false
        do {
            return try await connection.executeThenClose { inbound, outbound in
                try await write(request, to: outbound)
                var head: HTTPResponseHead?
                var parser = EventStreamParser()
                var body: [UInt8] = []
                for try await part in inbound {
                    switch part {
                    case .head(let received):
                        head = received
                        isOpen = received.status == .ok
                    case .body(let bytes) where isOpen:
                        for event in parser.events(in: bytes.readableBytesView) {
                            guard try receive(event) else { return nil }
                        }
                    case .body(let bytes): body += bytes.readableBytesView
                    case .end:
                        if let head, !isOpen { return response(head, body) }
                    }
                }
                throw ChannelError.inputClosed
            }
        } catch let failure as CommandFailure {
            throw failure
        } catch let cancellation as CancellationError {
            throw cancellation
        } catch {
            guard isOpen else { throw failure(error, timedOut: nil) }
            throw CommandFailure(.unreachable, "the connection to \(address.url) has ended")
        }
    }

    private func connect(
        timeout: TimeAmount,
        longestSilence: TimeAmount? = nil
    ) async throws -> Connection {
        do {
            return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(timeout)
                .connect(host: address.host, port: address.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        if let longestSilence {
                            try pipeline.addHandler(IdleStateHandler(readTimeout: longestSilence))
                            try pipeline.addHandler(SilenceHandler())
                        }
                        try pipeline.addHTTPClientHandlers()
                        return try Connection(wrappingChannelSynchronously: channel)
                    }
                }
        } catch {
            throw failure(error, timedOut: nil)
        }
    }

    private func write(
        _ request: APIRequest,
        to outbound: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>
    ) async throws {
        var head = HTTPRequestHead(
            version: .http1_1,
            method: HTTPMethod(rawValue: request.method),
            uri: request.target(in: namespace)
        )
        head.headers = [
            "host": address.authority, "connection": "close", "accept": request.accept,
            "user-agent": "mock-apns/\(Version.text)",
        ]
        if let lastEventID = request.lastEventID {
            head.headers.add(name: "last-event-id", value: lastEventID)
        }
        if let token { head.headers.add(name: "authorization", value: "Bearer \(token)") }
        if let body = request.body {
            head.headers.add(name: "content-type", value: "application/json")
            head.headers.add(name: "content-length", value: "\(body.count)")
        }
        do {
            try await outbound.write(.head(head))
            if let body = request.body {
                try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: body))))
            }
            try await outbound.write(.end(nil))
        } catch let error where !(error is CancellationError) {
            // A server that refuses a large body answers before it has read all of it: the answer says why.
            // Where there is none, reading it fails.
        }
    }

    private func response(_ head: HTTPResponseHead, _ body: [UInt8]) -> APIResponse {
        let contentType = head.headers.first(name: "content-type") ?? ""
        return APIResponse(
            status: Int(head.status.code),
            contentType: contentType.split(separator: ";").first.map(String.init) ?? "",
            body: body
        )
    }

    /// What keeps an answer from coming, and what to do about it.
    private func failure(_ error: any Error, timedOut: TimeAmount?) -> CommandFailure {
        if let timedOut {
            return CommandFailure(
                .unreachable,
                "\(address.url) has not answered within \(timedOut.nanoseconds / 1_000_000_000) seconds"
            )
        }
        let advice = "start it with mock-apns serve, or name its debug API with --api"
        switch error {
        case let error as NIOConnectionError:
            let causes = error.connectionErrors.map { Self.describe($0.error) }
            let cause = causes.last ?? "there is no host of this name"
            return CommandFailure(.unreachable, "nobody answers at \(address.url) (\(cause)); \(advice)")
        case is HTTPParserError:
            return CommandFailure(
                .unreachable,
                "what listens at \(address.url) does not speak HTTP; the ready line of mock-apns says api=..."
            )
        case let error as ChannelError where error == .inputClosed || error == .eof:
            return CommandFailure(
                .unreachable,
                "\(address.url) closed the connection before its answer ended"
            )
        default:
            return CommandFailure(
                .unreachable,
                "nobody answers at \(address.url) (\(Self.describe(error))); \(advice)"
            )
        }
    }

    private static func describe(_ error: any Error) -> String {
        switch error {
        case let error as IOError: SystemFacts.describe(errno: error.errnoCode)
        case ChannelError.connectTimeout: "the connection was not accepted in time"
        default: "\(error)"
        }
    }

    /// Closes a connection over which nothing comes any more.
    private final class SilenceHandler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is IdleStateHandler.IdleStateEvent {
                context.close(promise: nil)
            } else {
                context.fireUserInboundEventTriggered(event)
            }
        }
    }
}

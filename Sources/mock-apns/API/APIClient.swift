internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// A client of a server's debug API that uses one connection per request.
struct APIClient {
    private typealias Connection = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    /// The longest silence of a stream; the API sends something every 15 seconds.
    private static let longestSilence = TimeAmount.seconds(60)
    private static let stream = "text/event-stream"

    let address: APIAddress
    /// The API's token; `nil` when it requires none.
    var token: String?
    var namespace: String?

    func send(_ request: APIRequest) async throws -> APIResponse {
        let deadline = NIODeadline.now() + request.timeout
        let connection = try await connect(timeout: min(request.timeout, .seconds(5)))
        do {
            guard let response = try await exchange(request, over: connection, until: deadline) else {
                throw ChannelError.inputClosed
            }
            return response
        } catch {
            throw failure(error, timedOut: NIODeadline.now() >= deadline ? request.timeout : nil)
        }
    }

    @discardableResult
    func ask(_ request: APIRequest) async throws -> APIResponse {
        let response = try await send(request)
        try check(response, to: request)
        return response
    }

    /// Checks that the API accepted a request.
    func check(_ response: APIResponse, to request: APIRequest) throws {
        if (200..<300).contains(response.status), response.answers(request) { return }
        guard let problem = response.problem else {
            throw CommandFailure(
                .unreachable,
                "the server at \(address.url) (status \(response.status)) is not a debug API of mock-apns;"
                    + " use the api= URL of the ready line"
            )
        }
        let hint = response.status == 404 ? request.hint.map { "\n  " + $0 } ?? "" : ""
        throw CommandFailure(.unmet, problem + hint)
    }

    /// Passes every event of a stream to `receive`, until that returns `false`.
    ///
    /// Returns the response when it is not a stream; `nil` when `receive` has returned `false`.
    func stream(
        _ request: APIRequest,
        _ receive: (ServerSentEvent) throws -> Bool
    ) async throws -> APIResponse? {
        let connection = try await connect(timeout: .seconds(5))
        var isOpen = false
        do {
            return try await exchange(request.with(\.accept, Self.stream), over: connection) { event in
                isOpen = true
                return try receive(event)
            }
        } catch let error where error is CommandFailure || error is CancellationError {
            throw error
        } catch {
            guard isOpen else { throw failure(error, timedOut: nil) }
            throw CommandFailure(.unreachable, "the connection to \(address.url) has ended")
        }
    }

    /// Returns the response, or `nil` when `receive`, which gets the events of a stream, has returned `false`.
    ///
    /// Closes the connection at the deadline; without one, when it has been silent for too long.
    private func exchange(
        _ request: APIRequest,
        over connection: Connection,
        until deadline: NIODeadline? = nil,
        _ receive: (ServerSentEvent) throws -> Bool = { _ in true }
    ) async throws -> APIResponse? {
        let asksForStream = request.accept == Self.stream
        return try await connection.executeThenClose { inbound, outbound in
            func closing() -> Scheduled<Void> {
                let end = deadline ?? .now() + Self.longestSilence
                return connection.channel.eventLoop.scheduleTask(deadline: end) {
                    connection.channel.close(promise: nil)
                }
            }
            var end = closing()
            defer { end.cancel() }
            try await write(request, to: outbound)
            var head: HTTPResponseHead?
            var parser = EventStreamParser()
            var body: [UInt8] = []
            for try await part in inbound {
                end.cancel()
                end = closing()
                switch part {
                case .head(let received): head = received
                case .body(let bytes):
                    guard asksForStream, head?.status == .ok else {
                        body += bytes.readableBytesView
                        continue
                    }
                    for event in parser.events(in: bytes.readableBytesView) {
                        guard try receive(event) else { return nil }
                    }
                case .end:
                    guard let head, !asksForStream || head.status != .ok else { break }
                    let type = head.headers.first(name: "content-type") ?? ""
                    let mediaType = type.split(separator: ";").first.map(String.init) ?? ""
                    return APIResponse(status: Int(head.status.code), contentType: mediaType, body: body)
                }
            }
            throw ChannelError.inputClosed
        }
    }

    private func connect(timeout: TimeAmount) async throws -> Connection {
        do {
            return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(timeout)
                .connect(host: address.host, port: address.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
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
        let method = HTTPMethod(rawValue: request.method)
        var head = HTTPRequestHead(version: .http1_1, method: method, uri: request.target(in: namespace))
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
        let body = request.body.map { HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: $0))) }
        do {
            try await outbound.write(contentsOf: [.head(head), body, .end(nil)].compactMap(\.self))
        } catch let error where !(error is CancellationError) {
            // A server that refuses a large body responds before it has read all of it, and the response says why.
            // Without a response, reading it fails.
        }
    }

    private func failure(_ error: any Error, timedOut: TimeAmount?) -> CommandFailure {
        let url = address.url
        let message =
            switch (error, timedOut) {
            case (_, let limit?):
                "\(url) has not responded within \(limit.nanoseconds / 1_000_000_000) seconds"
            case (is HTTPParserError, _):
                "the server at \(url) does not speak HTTP; use the api= URL of the ready line"
            case (ChannelError.inputClosed, _), (ChannelError.eof, _):
                "\(url) closed the connection before the end of its response"
            default:
                "cannot connect to \(url) (\(Self.describe(error)));"
                    + " start a server with mock-apns serve, or set --api to the URL of its debug API"
            }
        return CommandFailure(.unreachable, message)
    }

    private static func describe(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError:
            error.connectionErrors.last.map { describe($0.error) } ?? "unknown host"
        case let error as IOError: SystemFacts.describe(errno: error.errnoCode)
        case ChannelError.connectTimeout: "connection timed out"
        default: "\(error)"
        }
    }
}

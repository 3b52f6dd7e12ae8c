internal import MockAPNsAPI
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// A client of a server's debug API that uses one connection per request.
struct APIClient {
    /// The longest silence of a stream; the API sends something every 15 seconds.
    private static let longestSilence = TimeAmount.seconds(60)
    private static let stream = "text/event-stream"

    let address: APIAddress
    /// The API's token; `nil` when it requires none.
    var token: String?
    var namespace: String?

    func send(_ request: APIRequest) async throws -> APIResponse {
        let deadline = NIODeadline.now() + request.timeout
        do {
            guard let response = try await exchange(request, until: deadline) else { throw ChannelError.inputClosed }
            return response
        } catch { throw failure(error, timedOut: NIODeadline.now() >= deadline ? request.timeout : nil) }
    }

    @discardableResult func ask(_ request: APIRequest) async throws -> APIResponse {
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
                    + " use the api= URL of the ready line")
        }
        let kind = response.problemKind
        // The hint is about what the request names, not about its namespace.
        let isMissing = response.status == 404 && kind != .unknownNamespace
        let hint = (isMissing ? request.hint : nil) ?? kind?.hint
        let name = kind == .badBody ? request.file.map { "invalid --file '\(TerminalText.plain($0))': " } : nil
        throw CommandFailure(response.exitStatus, (name ?? "") + problem + (hint.map { "\n  " + $0 } ?? ""))
    }

    /// Passes every event of a stream to `receive`, until that returns `false`.
    func stream(_ request: APIRequest, _ receive: (ServerSentEvent) throws -> Bool) async throws {
        var isOpen = false
        do {
            let refusal = try await exchange(request.with(\.accept, Self.stream)) { event in
                isOpen = true
                return try receive(event)
            }
            if let refusal { try check(refusal, to: request) }
        } catch let error where !(error is CommandFailure || error is CancellationError) {
            guard isOpen else { throw failure(error, timedOut: nil) }
            throw CommandFailure(.unreachable, "the connection to \(address.url) has ended")
        }
    }

    /// Returns the response, or `nil` when `receive`, which gets the events of a stream, has returned `false`.
    ///
    /// Closes the connection at the deadline; without one, when it has been silent for too long.
    private func exchange(
        _ request: APIRequest, until deadline: NIODeadline? = nil,
        _ receive: (ServerSentEvent) throws -> Bool = { _ in true }
    ) async throws -> APIResponse? {
        let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connectTimeout(
            min(request.timeout, .seconds(5))
        ).connect(host: address.host, port: address.port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHTTPClientHandlers()
                return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                    wrappingChannelSynchronously: channel)
            }
        }
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
            var isStream: Bool { request.accept == Self.stream && head?.status == .ok }
            var parser = EventStreamParser()
            var body: [UInt8] = []
            for try await part in inbound {
                end.cancel()
                end = closing()
                switch part {
                case .head(let received): head = received
                case .body(let bytes) where isStream:
                    for event in parser.events(in: bytes.readableBytesView) {
                        guard try receive(event) else { return nil }
                    }
                case .body(let bytes): body += bytes.readableBytesView
                case .end:
                    guard let head, !isStream else { break }
                    let type = (head.headers.first(name: "content-type") ?? "").prefix { $0 != ";" }
                    return APIResponse(status: Int(head.status.code), contentType: String(type), body: body)
                }
            }
            throw ChannelError.inputClosed
        }
    }

    private func write(
        _ request: APIRequest, to outbound: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>
    ) async throws {
        let method = HTTPMethod(rawValue: request.method)
        var head = HTTPRequestHead(version: .http1_1, method: method, uri: request.target(in: namespace))
        let headers = [
            ("host", address.authority), ("connection", "close"), ("accept", request.accept),
            ("user-agent", "mock-apns/\(Version.text)"), ("last-event-id", request.lastEventID),
            ("authorization", token.map { "Bearer \($0)" }),
            ("content-type", request.body.map { _ in APIRequest.json }),
            ("content-length", request.body.map { "\($0.count)" }),
        ]
        head.headers = HTTPHeaders(headers.compactMap { name, value in value.map { (name, $0) } })
        let body = request.body.map { HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: $0))) }
        do { try await outbound.write(contentsOf: [.head(head), body, .end(nil)].compactMap(\.self)) } catch let error
            where !(error is CancellationError)
        {
            // A server that refuses a large body responds before it has read all of it, and the response says why.
            // Without a response, reading it fails.
        }
    }

    private func failure(_ error: any Error, timedOut: TimeAmount?) -> CommandFailure {
        let url = address.url
        let message =
            switch (error, timedOut) {
            case (is HTTPParserError, nil):
                "the server at \(url) does not speak HTTP; use the api= URL of the ready line"
            case (ChannelError.inputClosed, nil), (ChannelError.eof, nil):
                "\(url) closed the connection before the end of its response"
            case (is NIOConnectionError, _), (ChannelError.connectTimeout, _), (_, nil):
                "cannot connect to \(url) (\(Self.describe(error)));"
                    + " start a server with mock-apns serve, or set --api to the URL of its debug API"
            case (_, let limit?): "\(url) has not responded within \(limit.nanoseconds / 1_000_000_000) seconds"
            }
        return CommandFailure(.unreachable, message)
    }

    private static func describe(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError: error.connectionErrors.last.map { describe($0.error) } ?? "unknown host"
        case let error as IOError: SystemFacts.describe(errno: error.errnoCode)
        case ChannelError.connectTimeout: "connection timed out"
        default: "\(error)"
        }
    }
}

package import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// A client of a server's debug API that uses one connection per request.
package struct APIClient: Sendable {
    /// The longest silence of a stream; the API sends something every 15 seconds.
    private static let longestSilence = TimeAmount.seconds(60)
    private static let stream = "text/event-stream"

    package let address: APIAddress
    /// The API's token; `nil` when it requires none.
    package var token: String?
    package var namespace: String?
    private let userAgent: String?

    package init(_ address: APIAddress, token: String?, namespace: String? = nil, userAgent: String? = nil) {
        (self.address, self.token, self.namespace, self.userAgent) = (address, token, namespace, userAgent)
    }

    /// Sends a request; closes the connection at the deadline.
    package func send(_ request: APIRequest, until deadline: NIODeadline) async throws -> APIResponse {
        let response = try await exchange(request, until: deadline) { _ in true }
        guard let response else { throw ChannelError.inputClosed }
        return response
    }

    /// Asks for a stream of events, and passes its bytes to `use` until that returns `false`.
    ///
    /// Closes the connection when it has been silent for too long.
    ///
    /// - Returns: the response that came in place of a stream.
    package func receive(_ request: APIRequest, _ use: (ByteBufferView) throws -> Bool) async throws -> APIResponse? {
        try await exchange(request.with(\.accept, Self.stream), until: nil, use)
    }

    private func exchange(
        _ request: APIRequest, until deadline: NIODeadline?, _ use: (ByteBufferView) throws -> Bool
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
            var body: [UInt8] = []
            for try await part in inbound {
                end.cancel()
                end = closing()
                switch part {
                case .head(let received): head = received
                case .body(let bytes) where isStream: guard try use(bytes.readableBytesView) else { return nil }
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
            ("host", address.authority), ("connection", "close"), ("accept", request.accept), ("user-agent", userAgent),
            ("last-event-id", request.lastEventID), ("authorization", token.map { "Bearer \($0)" }),
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
}

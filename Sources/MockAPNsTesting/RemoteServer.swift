internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// A server that runs elsewhere, whose debug API is called over HTTP, with a new connection for each request.
struct RemoteServer: DebugAPITransport {
    /// The timeout of a request; longer than the API ever waits before it responds.
    private static let limit = TimeAmount.seconds(70)

    let host: String
    private let port: Int
    /// The host and the port, as in the URL.
    private let authority: String
    private let token: String?

    /// Creates a server from the URL of its debug API, such as `http://127.0.0.1:8197`.
    init(_ url: String, token: String?) throws {
        let authority = url.hasPrefix("http://") ? url.dropFirst(7).prefix { $0 != "/" } : ""
        let colon = authority.lastIndex(of: ":") ?? authority.endIndex
        let host = authority[..<colon].drop { $0 == "[" }.prefix { $0 != "]" }
        guard !host.isEmpty, let port = Int(authority[colon...].dropFirst()), (1...65_535).contains(port) else {
            throw APNsMock.Failure("invalid URL '\(url)': expected one such as http://127.0.0.1:8197")
        }
        (self.host, self.port, self.authority) = (String(host), port, String(authority))
        self.token = token
    }

    var inspector: String? { openInspector() }

    func openInspector() -> String { "http://\(authority)" }

    func send(_ method: String, _ target: String, _ body: [UInt8]) async throws -> (status: Int, body: [UInt8]) {
        do { return try await exchange(head(method, target, body), body) } catch let error
            where !(error is CancellationError)
        {
            throw APNsMock.Failure(
                "\(method) \(target) at http://\(authority) failed (\(error)): is mock-apns running there?")
        }
    }

    private func head(_ method: String, _ target: String, _ body: [UInt8]) -> HTTPRequestHead {
        var headers: HTTPHeaders = [
            "host": authority, "connection": "close", "content-type": "application/json",
            "content-length": "\(body.count)",
        ]
        if let token { headers.add(name: "authorization", value: "Bearer \(token)") }
        return HTTPRequestHead(version: .http1_1, method: HTTPMethod(rawValue: method), uri: target, headers: headers)
    }

    private func exchange(_ head: HTTPRequestHead, _ body: [UInt8]) async throws -> (status: Int, body: [UInt8]) {
        let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(
            host: host, port: port
        ) { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHTTPClientHandlers()
                return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                    wrappingChannelSynchronously: channel)
            }
        }
        let deadline = connection.channel.eventLoop.scheduleTask(in: Self.limit) {
            connection.channel.close(promise: nil)
        }
        defer { deadline.cancel() }
        return try await connection.executeThenClose { inbound, outbound in
            try await outbound.write(contentsOf: [.head(head), .body(.byteBuffer(ByteBuffer(bytes: body))), .end(nil)])
            var status = 0
            var received: [UInt8] = []
            for try await part in inbound {
                switch part {
                case .head(let head): status = Int(head.status.code)
                case .body(let bytes): received += bytes.readableBytesView
                case .end: return (status, received)
                }
            }
            throw ChannelError.inputClosed
        }
    }
}

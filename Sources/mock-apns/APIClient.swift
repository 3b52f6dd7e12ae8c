internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// Asks the debug API of a running server: one request per connection, for commands that ask once.
struct APIClient {
    /// An answer.
    struct Answer {
        let status: Int
        let body: String
    }

    let host: String
    let port: Int

    /// Reads a URL such as `http://127.0.0.1:8197`.
    init(url: String) throws {
        let rest = url.hasPrefix("http://") ? String(url.dropFirst(7)) : url
        let authority = rest.split(separator: "/", maxSplits: 1).first.map(String.init) ?? ""
        guard let colon = authority.lastIndex(of: ":"),
            let port = Int(authority[authority.index(after: colon)...]),
            (1...65_535).contains(port)
        else { throw Settings.Expected("a URL such as http://127.0.0.1:8197") }
        var name = String(authority[..<colon])
        if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
        // An address that means "everywhere" is no address to call.
        host = name == "0.0.0.0" || name.isEmpty ? "127.0.0.1" : name == "::" ? "::1" : name
        self.port = port
    }

    /// Sends a GET.
    ///
    /// - Throws: whatever keeps the answer from coming.
    func get(_ path: String, timeout: TimeAmount = .seconds(5)) async throws -> Answer {
        let group = MultiThreadedEventLoopGroup.singleton
        let name = host.contains(":") ? "[\(host)]" : host
        let channel = try await ClientBootstrap(group: group)
            .connectTimeout(timeout)
            .connect(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                        wrappingChannelSynchronously: channel
                    )
                }
            }
        let deadline = channel.channel.eventLoop.scheduleTask(in: timeout) {
            channel.channel.close(promise: nil)
        }
        defer { deadline.cancel() }
        return try await channel.executeThenClose { inbound, outbound in
            var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path)
            head.headers = ["host": "\(name):\(port)", "connection": "close", "accept": "application/json"]
            try await outbound.write(.head(head))
            try await outbound.write(.end(nil))
            var status = 0
            var body = ""
            for try await part in inbound {
                switch part {
                case .head(let head): status = Int(head.status.code)
                case .body(let bytes): body += String(buffer: bytes)
                case .end: return Answer(status: status, body: body)
                }
            }
            throw ChannelError.inputClosed
        }
    }
}

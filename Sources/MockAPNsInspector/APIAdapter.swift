internal import Hummingbird
internal import HummingbirdCore
internal import MockAPNs
internal import MockAPNsTransport
internal import MockAPNsVerifying
internal import NIOCore

/// Hands requests from Hummingbird to the API, and answers back.
struct APIAdapter: Sendable {
    /// How much of a body that is too large is read and thrown away before it is answered, in bytes.
    ///
    /// Several clients hear no answer that comes while they are still sending.
    private static let patience = 256 << 20

    /// Requests with a body of this size leave enough freed memory behind to be worth giving back at once, in bytes.
    private static let largeBody = 1 << 20

    /// Longer answers are written in pieces of this size, in bytes.
    private static let piece = 256 << 10

    /// What the system keeps of a stream that its client has not read, in bytes.
    private static let streamBuffer: SocketOptionValue = 64 << 10
    /// What is kept here before the stream waits for its client, in bytes.
    private static let streamWaterMark = ChannelOptions.Types.WriteBufferWaterMark(
        low: 8 << 10,
        high: 16 << 10
    )

    /// Ends a connection: the library closes it when answering fails.
    private struct ConnectionOver: Error {}

    let api: API
    let connections: OpenConnections
    let streams: OpenStreams
    /// The time between two comments that show that a stream is alive.
    let heartbeat: Duration

    /// Answers a request that came on `channel`.
    func respond(
        to request: Request,
        on channel: any Channel,
        _ writer: consuming ResponseWriter
    ) async throws {
        connections.requestBegan()
        defer { connections.requestEnded() }
        var length = 0
        try await respond(to: request, on: channel, writer, length: &length)
        // Here nothing is left in memory of request and answer.
        if length >= Self.largeBody { FreeMemory.giveBack() }
    }

    private func respond(
        to request: Request,
        on channel: any Channel,
        _ writer: consuming ResponseWriter,
        length: inout Int
    ) async throws {
        var answer = try await answer(to: request, on: channel, writer, length: &length)
        if case .events(let source) = answer.body,
            api.subject.eventClients.count >= api.mostStreams
        {
            source.close()
            answer = api.refuseStream(to: Self.asked(request, on: channel))
        }
        let head = HTTPResponse(status: .init(code: answer.status), headerFields: Self.fields(of: answer))
        switch (answer.body, request.method) {
        case (.bytes, .head): try await writer.writeResponse(head)
        case (.bytes(let bytes), _) where bytes.count <= Self.piece:
            try await writer.write(response: head, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
        case (.bytes(let bytes), _):
            // Bit by bit, so that no second copy of it waits until the client has read it.
            var body = try await writer.writeHead(head)
            for start in stride(from: 0, to: bytes.count, by: Self.piece) {
                let end = min(start + Self.piece, bytes.count)
                try await body.write(ByteBuffer(bytes: bytes[start..<end]))
            }
            try await body.finish(nil)
        case (.pieces, .head):
            _ = try await writer.writeHead(head)
            // As below.
            throw ConnectionOver()
        case (.pieces(let source), _):
            var body = try await writer.writeHead(head)
            var pieces = await nextPieces(of: source)
            while !pieces.isEmpty {
                // Prepared while the previous pieces are being sent.
                async let following = nextPieces(of: source)
                for piece in pieces { try await body.write(piece) }
                pieces = await following
            }
            try await body.finish(nil)
        case (.events(let source), .head):
            source.close()
            _ = try await writer.writeHead(head)
            // The library would send the end of a body, which an answer to HEAD does not have.
            throw ConnectionOver()
        case (.events(let source), _):
            try await send(source, of: answer.namespace, after: head, on: channel, writer)
        }
    }

    /// Returns the next piece, or two pieces made in parallel if no other request is waiting; empty at the end.
    private func nextPieces(of source: any PieceSource) async -> [ByteBuffer] {
        await withTaskExecutorPreference(api.threads) {
            guard let piece = source.next() else { return [] }
            guard let helper = api.threads.idleHelper, let other = source.next() else {
                return [ByteBuffer(bytes: piece())]
            }
            return await withTaskGroup(of: ByteBuffer.self) { group in
                group.addTask(executorPreference: helper) { ByteBuffer(bytes: other()) }
                var pieces = [ByteBuffer(bytes: piece())]
                for await second in group { pieces.append(second) }
                return pieces
            }
        }
    }

    /// Reads a request to its end and asks the API; the body is not in memory any more when this returns.
    private func answer(
        to request: Request,
        on channel: any Channel,
        _ writer: borrowing ResponseWriter,
        length: inout Int
    ) async throws -> APIResponse {
        var asked = Self.asked(request, on: channel)
        let limit = api.largestBody(of: asked)
        let declared = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        if request.headers[.expect]?.lowercased() == "100-continue" {
            // Who asks before sending need not send what will be refused.
            if declared > limit { return api.refuseBody(of: asked) }
            try await writer.writeInformationalHead(HTTPResponse(status: .continue))
        }
        // At once, so that a large body is copied once.
        let isKept = request.method != .get && request.method != .head && declared <= limit
        if isKept { asked.body.reserveCapacity(declared) }
        for try await part in request.body {
            length += part.readableBytes
            if length > limit {
                asked.body = []
                if length > Self.patience { break }
            } else if isKept {
                asked.body += part.readableBytesView
            }
        }
        // Who breaks off has not said what is wanted; less of it could mean something else.
        if length < declared, length <= limit { throw ConnectionOver() }
        guard length <= limit else { return api.refuseBody(of: asked) }
        let presence = presence(on: channel)
        defer { presence.answered() }
        return await api.answer(asked, presence: presence)
    }

    private func presence(on channel: any Channel) -> ClientPresence {
        ClientPresence(
            begin: { [streams, connections] namespace in
                let stop = streams.begin(of: namespace)
                connections.onLeave(of: channel) { stop.ask(.clientGone) }
                return stop
            },
            end: { [streams, connections] stop in
                connections.onLeave(of: channel, nil)
                streams.end(stop)
            }
        )
    }

    /// Sends events until the client, the server or their source ends the stream.
    private func send(
        _ source: any EventSource,
        of namespace: Namespace?,
        after head: HTTPResponse,
        on channel: any Channel,
        _ writer: consuming ResponseWriter
    ) async throws {
        let stop = streams.begin(of: namespace)
        api.subject.eventClients.begin()
        connections.onLeave(of: channel) {
            stop.ask(.clientGone)
            // Nobody reads what may still wait to be written, and the writing must not wait for that.
            channel.close(promise: nil)
        }
        defer {
            connections.onLeave(of: channel, nil)
            streams.end(stop)
            api.subject.eventClients.end()
            source.close()
        }
        // Little for a client that does not read: neither here nor in the system.
        try? await channel.setOption(.socketOption(.so_sndbuf), value: Self.streamBuffer).get()
        try? await channel.setOption(.writeBufferWaterMark, value: Self.streamWaterMark).get()
        var body = try await writer.writeHead(head)
        let pump = StreamPump(source: source, stop: stop, heartbeat: heartbeat, threads: api.threads) {
            try await channel.eventLoop.submit {}.get()
        }
        try await pump.run(&body)
        try await body.finish(nil)
    }

    private static func asked(_ request: Request, on channel: any Channel) -> APIRequest {
        var asked = APIRequest(method: request.method.rawValue, target: request.head.path ?? "")
        // The library takes the first Host header for the authority and leaves a second one where it was.
        asked.hosts = [request.head.authority].compactMap { $0 } + values(of: "host", in: request)
        asked.origins = values(of: "origin", in: request)
        asked.fetchSite = values(of: "sec-fetch-site", in: request).last
        asked.fetchMode = values(of: "sec-fetch-mode", in: request).last
        asked.authorizations = values(of: "authorization", in: request)
        asked.cookies = values(of: "cookie", in: request)
        asked.askedMethod = values(of: "access-control-request-method", in: request).first
        asked.accept = values(of: "accept", in: request).joined(separator: ",")
        asked.contentType = values(of: "content-type", in: request).last
        asked.lastEventID = values(of: "last-event-id", in: request).last
        asked.localAddress = channel.localAddress?.ipAddress
        asked.localPort = channel.localAddress?.port
        return asked
    }

    private static func values(of name: String, in request: Request) -> [String] {
        request.headers.filter { $0.name.canonicalName == name }.map(\.value)
    }

    private static func fields(of answer: APIResponse) -> HTTPFields {
        var fields = HTTPFields()
        switch answer.body {
        case .bytes where answer.status == 204: break
        case .bytes(let bytes):
            fields[.contentType] = answer.contentType
            fields[.contentLength] = String(bytes.count)
        case .events, .pieces: fields[.contentType] = answer.contentType
        }
        for header in answer.headers {
            guard let name = HTTPFields.Element.Name(header.name) else { continue }
            fields[name] = header.value
        }
        return fields
    }
}

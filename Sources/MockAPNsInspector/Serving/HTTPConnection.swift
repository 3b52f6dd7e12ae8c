internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsTransport
internal import MockAPNsVerifying
internal import NIOCore
internal import NIOHTTP1

/// A connection to the API: answers its requests in turn.
struct HTTPConnection: Sendable {
    /// How much of a body that is too large is read before the response, in bytes.
    ///
    /// Several clients do not read a response while they are sending.
    private static let mostRead = 256 << 20
    /// After a request with a body of this size, freed memory is given back at once, in bytes.
    private static let largeBody = 1 << 20
    /// Longer responses are written in pieces of this size, in bytes.
    private static let piece = 256 << 10
    /// The size of the system's send buffer of a stream, in bytes.
    private static let streamBuffer: SocketOptionValue = 64 << 10

    /// Ends a connection without a response.
    private struct ConnectionOver: Error {}

    /// A stream has begun, and goes on without the task.
    private struct StreamBegan: Error {}

    let channel: any Channel
    let parts: RequestParts
    let server: HTTPServer

    private var api: DebugAPI { server.api }

    /// Serves the connection: a task begins with the first bytes, and ends with the connection or with a stream.
    func start() { parts.whenReady { serve(goesOn: true) } }

    /// Answers requests in a task until the client, the server or a malformed request ends the connection.
    private func serve(goesOn: Bool) {
        server.connections.beginUse()
        Task {
            defer { server.connections.endUse() }
            // An error is that of a connection which is over; it closes whatever the reason.
            do { try await answerAll(goesOn: goesOn) } catch is StreamBegan { return } catch {}
            channel.close(promise: nil)
        }
    }

    private func answerAll(goesOn: Bool) async throws {
        do {
            var goesOn = goesOn
            while goesOn, case .head(let head)? = try await parts.next() {
                server.connections.requestBegan(on: channel)
                let (isWhole, length) = try await respond(to: head)
                // The request and the response are no longer in memory.
                if length >= Self.largeBody { FreeMemory.giveBack() }
                guard server.connections.requestEnded(on: channel) else { return }
                goesOn = isWhole && head.persists
            }
        } catch is HTTPParserError {
            let headers: HTTPHeaders = ["Connection": "close", "Content-Length": "0"]
            try await write(head(400, headers), .end(nil))
        } catch let timeout as RequestTimeout { try await refuse(timeout) }
        // The client may still be sending. Closing at once would reset the connection, and the response with it.
        try await channel.close(mode: .output).get()
        let deadline = channel.eventLoop.scheduleTask(in: api.settings.linger) { [channel] in
            channel.close(promise: nil)
        }
        defer { deadline.cancel() }
        while try await parts.next() != nil {}
        try await channel.closeFuture.get()
    }

    /// Responds to a request that did not arrive in time.
    private func refuse(_ timeout: RequestTimeout) async throws {
        let (part, limit) =
            switch timeout {
            case .head: ("head", api.settings.head)
            case .body: ("body", api.settings.body)
            }
        let detail =
            "The \(part) of the request did not arrive within \(DurationText.text(limit.nanoseconds / 1_000)); send it at once."
        // Which request it was to be is not known, or does not matter any more.
        let request = APIRequest(target: "/")
        var response = api.refuse(request, .requestTimeout, detail)
        response.headers.append(("Connection", "close"))
        try await send(response, to: request)
    }

    /// Returns whether the body was read to its end, and its length.
    private func respond(to head: HTTPRequestHead) async throws -> (isWhole: Bool, length: Int) {
        var request = APIRequest(head, on: channel)
        let target = api.target(of: request)
        let limit = target.largestBody
        let declared = head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
        // HTTP/1.0 has no such responses (RFC 9110, section 10.1.1).
        let isAwaited = head.version != .http1_0 && head.headers.first(name: "Expect")?.lowercased() == "100-continue"
        // A client that asks before sending does not send a body that will be refused.
        var isUnwanted = isAwaited && declared > limit
        var refusal: APIResponse?
        if isAwaited, !isUnwanted {
            refusal = await api.refusal(of: request, at: target)
            isUnwanted = refusal != nil
            if !isUnwanted { try await write(self.head(100, [:])) }
        }
        let isKept = head.method != .GET && head.method != .HEAD && declared <= limit
        // At once, so that a large body is copied once.
        if isKept { request.body.reserveCapacity(declared) }
        var (isWhole, length) = (false, 0)
        let deadline = channel.eventLoop.scheduleTask(in: api.settings.body) { [channel] in
            channel.pipeline.fireErrorCaught(RequestTimeout.body)
        }
        defer { deadline.cancel() }
        while !isWhole, !isUnwanted {
            switch try await parts.next() {
            case .body(let part)?:
                length += part.readableBytes
                if length > limit { request.body = [] } else if isKept { request.body += part.readableBytesView }
                isUnwanted = length > Self.mostRead
            case .end?: isWhole = true
            // The body was cut short: never act on part of a request.
            case .head?, nil: throw ConnectionOver()
            }
        }
        deadline.cancel()
        if let refusal {
            try await send(refusal, to: request)
        } else if isWhole, length <= limit {
            try await send(await answer(request, at: target), to: request, persists: head.persists)
        } else {
            let detail = "The body of \(request.method) '\(request.path)' may have up to \(limit) bytes."
            try await send(api.refuse(request, .bodyTooLarge, detail), to: request)
        }
        return (isWhole, length)
    }

    private func answer(_ request: APIRequest, at target: DebugAPI.Target) async -> APIResponse {
        let presence = ClientPresence(begin: { watch($0) }, end: { endWatch($0) })
        defer { presence.answered() }
        return await api.answer(request, at: target, presence: presence)
    }

    /// Returns a signal for when the client leaves, the namespace is removed or the server stops, until `endWatch`.
    private func watch(_ namespace: Namespace?, closesOnLeave: Bool = false) -> StopSignal {
        let stop = server.streams.begin(of: namespace)
        server.connections.onLeave(of: channel) { [channel] in
            stop.ask(.clientGone)
            // A write must not wait for a client that has left.
            if closesOnLeave { channel.close(promise: nil) }
        }
        return stop
    }

    private func endWatch(_ stop: StopSignal) {
        server.connections.onLeave(of: channel, nil)
        server.streams.end(stop)
    }

    private func send(_ answer: APIResponse, to request: APIRequest, persists: Bool = false) async throws {
        var headers = Self.headers(of: answer)
        if request.headers.offersUpgrade { headers.add(name: "Connection", value: "close") }
        let head = head(answer.status, headers)
        switch answer.body {
        case .events where api.subject.eventClients.count >= api.settings.streams:
            answer.endEvents()
            let detail = "\(api.settings.streams) event streams are already open; close some, or retry later."
            try await send(api.refuse(request, .tooManyStreams, detail), to: request)
        case .bytes where request.method == "HEAD": try await write(head, .end(nil))
        case _ where request.method == "HEAD":
            answer.endEvents()
            try await write(head)
            // The encoder would write the end of a chunked body, which a response to HEAD does not have.
            throw ConnectionOver()
        case .bytes(let bytes) where bytes.count <= Self.piece: try await write(head, body(bytes[...]), .end(nil))
        case .bytes(let bytes):
            try await write(head)
            // In pieces, so that no second copy of all of it waits for the client.
            for start in stride(from: 0, to: bytes.count, by: Self.piece) {
                try await write(body(bytes[start..<min(start + Self.piece, bytes.count)]))
            }
            try await write(.end(nil))
        case .pieces(let next):
            try await write(head)
            var pieces = try await nextPieces(next)
            while !pieces.isEmpty {
                // Prepared while the previous pieces are being sent.
                async let following = nextPieces(next)
                for piece in pieces { try await write(.body(.byteBuffer(piece))) }
                pieces = try await following
            }
            try await write(.end(nil))
        case .events(let source): try await stream(source, of: answer.namespace, after: head, persists: persists)
        }
    }

    /// Returns the next piece, or two pieces made in parallel if no other request is waiting; empty at the end.
    private func nextPieces(_ next: @Sendable () async throws -> APIResponse.Piece?) async throws -> [ByteBuffer] {
        try await withTaskExecutorPreference(api.settings.threads) {
            guard let piece = try await next() else { return [] }
            guard let helper = api.settings.threads.idleHelper, let other = try await next() else {
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

    /// Begins to send events until the client, the server or their source ends the stream, and ends the task.
    private func stream(
        _ source: any EventSource, of namespace: Namespace?, after head: HTTPServerResponsePart, persists: Bool
    ) async throws {
        let stop = watch(namespace, closesOnLeave: true)
        api.subject.eventClients.begin()
        server.connections.beginUse()
        let pump = StreamPump(
            source: source, stop: stop, heartbeat: TimeAmount(api.settings.heartbeat), on: channel.eventLoop,
            threads: api.settings.threads
        ) { [channel] in channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer($0))) }
        try? await channel.setOption(.socketOption(.so_sndbuf), value: Self.streamBuffer).get()
        channel.write(head, promise: nil)
        pump.start(ByteBuffer(bytes: source.opening?.bytes ?? ServerSentEvent.greeting)) { [self] error in
            endWatch(stop)
            stop.forget()
            api.subject.eventClients.end()
            streamEnded(error, persists: persists)
            // Not on the event loop: a client of many devices takes a while to disconnect.
            Task(executorPreference: api.settings.threads) {
                source.close()
                namespace?.endCall()
                server.connections.endUse()
            }
        }
        throw StreamBegan()
    }

    private func streamEnded(_ error: (any Error)?, persists: Bool) {
        guard error == nil else { return channel.close(promise: nil) }
        channel.writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { [self] result in
            guard case .success = result, server.connections.requestEnded(on: channel) else {
                return channel.close(promise: nil)
            }
            serve(goesOn: persists)
        }
    }

    /// Writes parts together; returns when the operating system has taken them.
    private func write(_ parts: HTTPServerResponsePart...) async throws {
        try await channel.eventLoop.flatSubmit { [channel] in
            for part in parts.dropLast() { channel.write(part, promise: nil) }
            return channel.writeAndFlush(parts.last)
        }.get()
    }

    private func head(_ status: Int, _ headers: HTTPHeaders) -> HTTPServerResponsePart {
        .head(HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: headers))
    }

    private func body(_ bytes: ArraySlice<UInt8>) -> HTTPServerResponsePart {
        .body(.byteBuffer(ByteBuffer(bytes: bytes)))
    }

    private static func headers(of answer: APIResponse) -> HTTPHeaders {
        var headers = HTTPHeaders()
        if answer.status != 204 { headers.add(name: "Content-Type", value: answer.contentType) }
        if case .bytes(let bytes) = answer.body, answer.status != 204 {
            headers.add(name: "Content-Length", value: String(bytes.count))
        }
        for header in answer.headers { headers.replaceOrAdd(name: header.name, value: header.value) }
        return headers
    }
}

extension HTTPRequestHead {
    /// Whether other requests may follow on the connection.
    fileprivate var persists: Bool { isKeepAlive && !headers.offersUpgrade }
}

extension HTTPHeaders {
    /// Whether the client offers another protocol, as Java's does with HTTP/2.
    ///
    /// NIO reads nothing after such a request.
    fileprivate var offersUpgrade: Bool { contains(name: "Upgrade") }
}

extension APIRequest {
    /// A request without its body.
    fileprivate init(_ head: HTTPRequestHead, on channel: any Channel) {
        self.init(method: head.method.rawValue, target: head.uri)
        headers = head.headers
        localAddress = channel.localAddress?.ipAddress
        localPort = channel.localAddress?.port
    }
}

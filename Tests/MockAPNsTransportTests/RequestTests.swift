import MockAPNsRules
import NIOCore
import Testing

@testable import MockAPNsTransport

/// What reaches the responder of a request, and what comes back of its answer.
@Suite struct RequestTests {
    @Test func `passes headers, order and body of a request on unchanged`() throws {
        let client = try Client()
        let headers: [Frame.Field] = .push(
            Frame.Field("x-zebra", "1"), Frame.Field("apns-id", "E77A3A4F-1D3A-4D0F-9E0B-2F5D3B6B8C11"),
            Frame.Field("x-alpha", ""), Frame.Field("x-zebra", "2"))
        try client.send(.headers(1, headers, end: false), .data(1, "{\"aps\":{}}"))
        try client.expect(.headers(1, .status(200, Frame.Field("apns-id", "E77A3A4F-1D3A-4D0F-9E0B-2F5D3B6B8C11"))))
        let request = try #require(client.recorder.requests.first)
        #expect(request.fields == headers)
        #expect(request.body == Array("{\"aps\":{}}".utf8))
        #expect(request.bodyLength == 10)
        #expect(!request.hasDuplicateHeaders)
        #expect(request.known[.path] == "/3/device/\([Frame.Field].token)")
        #expect(request.known[.apnsTopic] == "com.example.app")
    }

    @Test func `answers before any byte leaves`() throws {
        let client = try Client()
        let before = client.recorder.events.count
        try client.send(.headers(1, .push()), .headers(3, .push()))
        #expect(client.recorder.events.dropFirst(before) == [.request(1), .request(3), .readCompleted, .written])
    }

    @Test func `answers many requests of one read`() throws {
        let client = try Client()
        client.recorder.answer = .custom { request, stream in
            let echo = Response.Header("apns-id", .requestBytes(request[.apnsID]!))
            let body = stream % 3 == 0 ? Array("{\"reason\":\"\(stream)\"}".utf8) : []
            return Response(
                status: body.isEmpty ? 200 : 400, headers: (echo, nil, nil), body: body, liftsStreamLimit: false)
        }
        let streams = (0..<1_000).map { Int32(2 * $0 + 1) }
        try client.send(streams.map { .headers($0, .push(Frame.Field("apns-id", "id-\($0)"))) })
        let answers = try client.rest()
        let heads = answers.compactMap { if case .headers(let id, let fields, _) = $0 { (id, fields) } else { nil } }
        #expect(heads.map(\.0) == streams)
        for (id, fields) in heads { #expect(fields.contains(Frame.Field("apns-id", "id-\(id)"))) }
        let bodies = answers.filter { if case .data = $0 { true } else { false } }
        #expect(
            Set(bodies.map { "\($0)" })
                == Set(streams.filter { $0 % 3 == 0 }.map { "\(Frame.data($0, "{\"reason\":\"\($0)\"}"))" }))
        client.recorder.answer = .accepted
        try client.expectAlive(stream: 2_001)
    }

    @Test(arguments: [(15_360, true), (15_361, false), (65_536, false)]) func `keeps bodies up to the limit`(
        size: Int, isKept: Bool
    ) throws {
        let client = try Client()
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        try client.send(.headers(1, .push(), end: false))
        for start in stride(from: 0, to: size, by: 1_000) {
            let piece = Array(body[start..<min(start + 1_000, size)])
            try client.send(.data(1, piece, end: start + 1_000 >= size))
        }
        try client.expect(.headers(1, .status(200)))
        let request = try #require(client.recorder.requests.first)
        #expect(request.body == (isKept ? body : []))
        #expect(request.bodyLength == size)
        try client.expectAlive(stream: 3)
    }

    @Test func `takes a body in empty and padded pieces`() throws {
        let client = try Client()
        let padded = Frame.raw(
            type: Frame.Kind.data, flags: Frame.Flag.padded, stream: 1, [3] + Array("ell".utf8) + [0, 0, 0])
        try client.send(
            .headers(1, .push(), end: false), .data(1, "h", end: false), .data(1, "", end: false), padded,
            .data(1, "o", end: false), .data(1, ""))
        try client.expect(.headers(1, .status(200)))
        #expect(client.recorder.requests.first?.body == Array("hello".utf8))
        #expect(client.recorder.requests.first?.bodyLength == 5)
    }

    @Test(arguments: [false, true]) func `answers a large body before its end`(withBody: Bool) throws {
        let client = try Client(options: .with { $0.maxBodyAwaited = 65_536 })
        if withBody { client.recorder.answer = .rejected(413, "PayloadTooLarge") }
        let piece = [UInt8](repeating: 0x61, count: 16_384)
        try client.send(.headers(1, .push(), end: false))
        for _ in 0..<4 { try client.send(.data(1, piece, end: false)) }
        try client.expectSilence()
        try client.send(.data(1, [0x61], end: false))
        if withBody {
            try client.expect(.headers(1, .status(413), end: false))
            try client.expect(.data(1, "{\"reason\":\"PayloadTooLarge\"}"))
        } else {
            try client.expect(.headers(1, .status(200)))
        }
        client.advance(.seconds(3))
        try client.expect(.reset(1, .noError))
        #expect(client.recorder.requests.first?.bodyLength == 65_537)
        #expect(client.recorder.requests.first?.body == [])
        // What was on its way already is nobody's mistake.
        try client.send(.data(1, piece, end: false), .data(1, piece))
        client.recorder.answer = .accepted
        client.recorder.answer = .accepted
        try client.expectAlive(stream: 3)
        #expect(client.recorder.requests.count == 2)
    }

    @Test func `answers a large body that ends there without a reset`() throws {
        let client = try Client()
        let piece = [UInt8](repeating: 0x61, count: 16_384)
        try client.send(.headers(1, .push(), end: false))
        for _ in 0..<4 { try client.send(.data(1, piece, end: false)) }
        try client.send(.data(1, [0x61]))
        try client.expect(.headers(1, .status(200)))
        try client.expectAlive(stream: 3)
    }

    @Test func `ignores trailers`() throws {
        let client = try Client()
        try client.send(
            .headers(1, .push(), end: false), .data(1, "{}", end: false),
            .headers(1, [Frame.Field("apns-topic", "other"), Frame.Field("x-trailer", "1")]))
        try client.expect(.headers(1, .status(200)))
        let request = try #require(client.recorder.requests.first)
        #expect(request.fields == .push())
        #expect(request.body == Array("{}".utf8))
        #expect(!request.hasDuplicateHeaders)
    }

    @Test(arguments: [
        ("apns-topic", true), ("authorization", true), ("apns-unheard-of", true), ("x-other", false),
        ("user-agent", false),
    ]) func `notes repeated headers, except where repetition is allowed`(name: String, isNoted: Bool) throws {
        let client = try Client()
        try client.send(
            .headers(1, .push(Frame.Field(name, "a"), Frame.Field("x-between", "b"), Frame.Field(name, "c"))))
        try client.expect(.headers(1, .status(200)))
        #expect(client.recorder.requests.first?.hasDuplicateHeaders == isNoted)
        #expect(client.recorder.requests.first?.fields.count == [Frame.Field].push().count + 3)
    }

    @Test func `keeps hundreds of headers`() throws {
        let client = try Client()
        var headers: [Frame.Field] = .push()
        while headers.listSize + 35 <= 8_000 { headers.append(Frame.Field("x", "\(headers.count % 10)y")) }
        #expect(headers.count > 200)
        try client.send(.headers(1, headers))
        try client.expect(.headers(1, .status(200)))
        #expect(client.recorder.requests.first?.fields == headers)
    }

    /// The answer points into the request, and the request may have to move to make room for the answer.
    @Test(arguments: [0, 600, 1_500, 5_120], [0, 100, 500, 7_000]) func `echoes the request after it has moved`(
        body: Int, fill: Int
    ) throws {
        let client = try Client()
        let id = "E77A3A4F-1D3A-4D0F-9E0B-2F5D3B6B8C1"
        let unique = UniqueID(high: 0x0123_4567_89ab_cdef, low: 0xfedc_ba98_7654_3210)
        client.recorder.answer = .custom { request, _ in
            Response(
                status: 413,
                headers: (
                    Response.Header("apns-id", .requestBytes(request[.apnsID]!)),
                    Response.Header("apns-unique-id", .uniqueID(unique, upperCase: false)),
                    Response.Header("x-words", .text("static"))
                ), body: [UInt8](repeating: 0x62, count: 900), liftsStreamLimit: false)
        }
        // All in one read: what a request leaves behind when it moves is another one's memory by the time that
        // its answer is written.
        let streams: [Int32] = [1, 3, 5, 7]
        func headers(of stream: Int32) -> [Frame.Field] {
            let headers = [Frame.Field].push(Frame.Field("apns-id", "\(id)\(stream)"))
            return headers.filled(to: headers.listSize + 38 + fill)
        }
        try client.send(
            streams.flatMap {
                [.headers($0, headers(of: $0), end: false), .data($0, [UInt8](repeating: 0x61, count: body))]
            })
        let answers = try client.rest()
        for stream in streams {
            let head: [Frame.Field] = .status(
                413, Frame.Field("apns-id", "\(id)\(stream)"),
                Frame.Field("apns-unique-id", "01234567-89ab-cdef-fedc-ba9876543210"), Frame.Field("x-words", "static"))
            #expect(answers.contains(.headers(stream, head, end: false)))
            #expect(answers.contains(.data(stream, [UInt8](repeating: 0x62, count: 900))))
        }
        #expect(answers.count == 2 * streams.count)
        #expect(client.recorder.requests.map(\.fields) == streams.map(headers))
        #expect(client.recorder.requests.allSatisfy { $0.bodyLength == body })
        client.recorder.answer = .accepted
        try client.expectAlive(stream: 9)
    }

    /// RFC 9110, sections 9.3.2, 15.3.5 and 15.4.5; clients take content there for a protocol error.
    @Test(
        arguments: [("HEAD", 405), ("HEAD", 200), ("POST", 204), ("POST", 304)] as [(String, UInt16)],
        [nil, .empty, .truncated, .malformed, .huge] as [FaultAction.Body?])
    func `sends no content where there is none`(
        request: (method: String, status: UInt16), fault: FaultAction.Body?
    ) throws {
        let client = try Client()
        client.recorder.answer = .rejected(request.status, "MethodNotAllowed")
        if let fault { client.recorder.faults[1] = WireFault(body: fault) }
        try client.send(.headers(1, .push(method: request.method)))
        try client.expect(.headers(1, .status(Int(request.status))))
        try client.expectSilence()
        client.recorder.answer = .accepted
        try client.expectAlive(stream: 3)
    }

    /// RFC 9110, section 10.1.1.
    @Test func `tells a client that waits before it sends the body to go on`() throws {
        let client = try Client()
        // From the second request on, the fields are known.
        for stream: Int32 in [1, 3, 5] {
            let value = stream == 5 ? "100-Continue" : "100-continue"
            try client.send(.headers(stream, .push(Frame.Field("expect", value)), end: false))
            try client.expect(.headers(stream, .status(100), end: false))
            try client.expectSilence()
            try client.send(.data(stream, "{}"))
            try client.expect(.headers(stream, .status(200)))
        }
        // Others wait for nothing, and a request without a body has nothing to send.
        try client.send(.headers(7, .push(Frame.Field("expect", "something")), end: false))
        try client.expectSilence()
        try client.send(.data(7, "{}"))
        try client.expect(.headers(7, .status(200)))
        try client.send(.headers(9, .push(Frame.Field("expect", "100-continue"))))
        try client.expect(.headers(9, .status(200)))
        #expect(
            client.recorder.requests.map(\.body) == [
                Array("{}".utf8), Array("{}".utf8), Array("{}".utf8), Array("{}".utf8), [],
            ])
        try client.expectAlive(stream: 11)
    }

    /// The body is refused, so there is nothing to wait for.
    @Test func `does not ask for the body of a malformed request`() throws {
        let client = try Client()
        let fields = [Frame.Field].push(Frame.Field("expect", "100-continue"), Frame.Field("te", "gzip"))
        try client.send(.headers(1, fields, end: false))
        try client.expect(.reset(1, .protocolError))
        try client.expectAlive(stream: 3)
    }

    @Test func `echoes an empty apns-id`() throws {
        let client = try Client()
        try client.send(.headers(1, .push(Frame.Field("apns-id", ""))))
        try client.expect(.headers(1, .status(200, Frame.Field("apns-id", ""))))
    }

    @Test func `answers ping`() throws {
        let client = try Client()
        try client.send(.ping([1, 2, 3, 4, 5, 6, 7, 8]))
        try client.expect(.pong([1, 2, 3, 4, 5, 6, 7, 8]))
        try client.send(.pong([0, 0, 0, 0, 0, 0, 0, 0]))
        try client.expectAlive(stream: 1)
    }

    @Test func `ignores priority and unknown frames`() throws {
        let client = try Client()
        try client.send(
            .priority(1), .priority(5), .raw(type: 0xbe, flags: 0xff, stream: 9, [1, 2, 3]),
            .headers(5, .push(), end: false), .priority(5), .data(5, "{}"))
        try client.expect(.headers(5, .status(200)))
        try client.expectAlive(stream: 7)
    }

    @Test func `reads frames that arrive byte by byte`() throws {
        let client = try Client()
        let frames: [Frame] = [
            .headers(1, .push(), end: false), .data(1, "{\"aps\":{}}"), .ping([1, 2, 3, 4, 5, 6, 7, 8]),
        ]
        try client.send(bytes: frames.flatMap(\.encoded), inPiecesOf: 1)
        try client.expect(.headers(1, .status(200)), .pong([1, 2, 3, 4, 5, 6, 7, 8]))
        #expect(client.recorder.requests.first?.fields == .push())
        #expect(client.recorder.requests.first?.body == Array("{\"aps\":{}}".utf8))
    }

    @Test func `reads a preface that arrives byte by byte`() throws {
        let client = try Client(greets: false)
        _ = try client.next()
        let bytes = Frame.preface + [.settings([]), .settingsAck, .headers(1, .push())].flatMap(\Frame.encoded)
        try client.send(bytes: bytes, inPiecesOf: 1)
        try client.expect(.settingsAck, .headers(1, .status(200)))
    }

    @Test func `forgets what the client cancels`() throws {
        let client = try Client()
        try client.send(.headers(1, .push(), end: false), .data(1, "{", end: false), .reset(1, .cancel))
        try client.expectSilence()
        #expect(client.recorder.requests.isEmpty)
        #expect(client.loop.streams.inUse == 0)
        try client.expectAlive(stream: 3)
    }

    /// The answer is queued when its stream goes: its memory must not be looked at any more.
    @Test func `forgets answers to what the client cancels`() throws {
        let client = try Client()
        client.recorder.answer = .rejected(400, "BadTopic")
        try client.send(.headers(1, .push(Frame.Field("apns-id", "one"))), .reset(1, .cancel), .headers(3, .push()))
        let answers = try client.rest()
        #expect(answers.last == .data(3, "{\"reason\":\"BadTopic\"}"))
        #expect(client.loop.streams.inUse == 0)
    }
}

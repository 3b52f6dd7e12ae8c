import NIOCore
import Testing

@testable import MockAPNsTransport

/// Requests that break HTTP/2's rules for messages: reset, noted, and nobody else's problem.
@Suite struct MalformedRequestTests {
    struct Fault: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let headers: [(String, String)]

        init(_ description: String, _ headers: [(String, String)]) {
            testDescription = description
            self.headers = headers
        }
    }

    private static let method = (":method", "POST")
    private static let scheme = (":scheme", "http")
    private static let path = (":path", "/3/device/abc")
    private static let authority = (":authority", "localhost")
    private static let usual = [method, scheme, path, authority]

    static let faults = [
        Fault("upper-case name", usual + [("Apns-Topic", "t")]),
        Fault("connection header", usual + [("connection", "keep-alive")]),
        Fault("transfer-encoding", usual + [("transfer-encoding", "chunked")]),
        Fault("te other than trailers", usual + [("te", "gzip")]), Fault("no :path", [method, scheme, authority]),
        Fault("empty :path", [method, scheme, (":path", ""), authority]),
        Fault("no :method", [scheme, path, authority]), Fault("no :scheme", [method, path, authority]),
        Fault("neither :authority nor host", [method, scheme, path]), Fault("two :path", usual + [path]),
        Fault("unknown pseudo-header", usual + [(":status", "200")]),
        Fault("pseudo-header after a header", [method, scheme, ("apns-topic", "t"), path, authority]),
        Fault("space in a name", usual + [("apns topic", "t")]),
        Fault("line feed in a value", usual + [("apns-topic", "a\nb")]),
        Fault("NUL in a value", usual + [("apns-topic", "a\0b")]), Fault("empty name", usual + [("", "v")]),
        Fault("content-length that is no number", usual + [("content-length", "many")]),
        Fault("two content-lengths", usual + [("content-length", "0"), ("content-length", "0")]),
    ]

    @Test(arguments: faults) func `resets the stream of a malformed request and records why`(fault: Fault) throws {
        let client = try Client()
        let before = client.recorder.events.count
        try client.send(.headers(1, fault.headers.map { Frame.Field($0.0, $0.1) }))
        try client.expect(.reset(1, .protocolError))
        try client.expectSilence()
        #expect(client.recorder.requests.isEmpty)
        let refusal = try #require(client.recorder.refusals.first)
        #expect(client.recorder.refusals.count == 1)
        #expect(refusal.request.streamID == 1)
        #expect(refusal.problem.status == 0)
        guard case .malformed(let detail) = refusal.problem else {
            Issue.record("noted as \(refusal.problem)")
            return
        }
        #expect(!detail.isEmpty)
        let events = client.recorder.events.dropFirst(before)
        #expect(events == [.refused(1, refusal.problem), .readCompleted, .written])
        try client.expectAlive(stream: 3)
    }

    @Test func `accepts host instead of :authority`() throws {
        let client = try Client()
        let headers = [Self.method, Self.scheme, Self.path, ("host", "localhost"), ("te", "trailers")]
        try client.send(.headers(1, headers.map { Frame.Field($0.0, $0.1) }))
        try client.expect(.headers(1, .status(200)))
    }

    @Test func `the record says what is malformed`() throws {
        let client = try Client()
        try client.send(.headers(1, .push(Frame.Field("apns-id", "a\u{1}b"))))
        try client.expect(.reset(1, .protocolError))
        #expect(
            client.recorder.refusals.first?.problem == .malformed("the header apns-id has a character it may not have"))
        #expect(client.recorder.refusals.first?.request.fields == .push())
    }

    @Test(arguments: [("5", "{}", false), ("1", "{}", false), ("2", "{}", true), ("0", "", true)])
    func `the body's length must be that of content-length`(announced: String, body: String, isRight: Bool) throws {
        let client = try Client()
        let before = client.recorder.events.count
        try client.send(.headers(1, .push(Frame.Field("content-length", announced)), end: false), .data(1, body))
        if isRight {
            try client.expect(.headers(1, .status(200)))
        } else {
            try client.expect(.reset(1, .protocolError))
            #expect(client.recorder.requests.isEmpty)
            let problem = RequestProblem.malformed("the body's length is not what content-length says")
            #expect(client.recorder.refusals.map(\.problem) == [problem])
            // A record whose body is shorter than its length is one that was too large to keep.
            let request = try #require(client.recorder.refusals.first?.request)
            #expect(request.body.count == request.bodyLength)
            let events = client.recorder.events.dropFirst(before)
            #expect(events == [.refused(1, problem), .readCompleted, .written])
        }
        try client.expectAlive(stream: 3)
    }

    @Test func `content-length without a body must be 0`() throws {
        let client = try Client()
        try client.send(.headers(1, .push(Frame.Field("content-length", "3"))))
        try client.expect(.reset(1, .protocolError))
        #expect(client.recorder.refusals.count == 1)
        try client.expectAlive(stream: 3)
    }

    @Test func `refuses trailers that do not end the request`() throws {
        let client = try Client()
        try client.send(
            .headers(1, .push(), end: false), .data(1, "{}", end: false),
            .headers(1, [Frame.Field("x-trailer", "1")], end: false))
        try client.expect(.reset(1, .protocolError))
        #expect(client.recorder.refusals.count == 1)
        try client.expectAlive(stream: 3)
    }

    @Test func `other streams go on after a malformed request`() throws {
        let client = try Client()
        try client.send(
            .headers(1, .push(), end: false), .headers(3, .push(Frame.Field("Upper", "1"))), .headers(5, .push()),
            .data(1, "{}"))
        let answers = try client.rest()
        #expect(answers.contains(.reset(3, .protocolError)))
        #expect(answers.contains(.headers(5, .status(200))))
        #expect(answers.contains(.headers(1, .status(200))))
        #expect(client.loop.streams.inUse == 0)
    }
}

import NIOCore
import Testing

@testable import MockAPNsTransport

/// Bytes that are not HTTP/2, and frames that may not be sent.
@Suite struct ProtocolErrorTests {
    @Test(arguments: ["POST /3/device/abc HTTP/1.1\r\nHost: localhost\r\n\r\n{}", "POST /3/device/abc HTTP/1.0\n\n"])
    func `tells an HTTP/1 client what it is`(text: String) throws {
        let client = try Client(greets: false)
        try client.send(bytes: Array(text.utf8))
        guard case .settings = try client.next() else {
            Issue.record("the server did not begin with SETTINGS")
            return
        }
        let words = "Unexpected HTTP/1.x request: POST /3/device/abc"
        try client.expect(.goAway(last: 0, .protocolError, words))
        try client.expectClosed(.notHTTP2)
        #expect(client.recorder.closeReason?.detail == words)
    }

    @Test(arguments: ["\u{16}\u{3}\u{1}\u{0}", "PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n", "GET / HTTP/0.9\r\n", "\0\0\0"])
    func `refuses garbage`(text: String) throws {
        let client = try Client(greets: false)
        _ = try client.next()
        try client.send(bytes: Array(text.utf8))
        try client.expect(.goAway(last: 0, .protocolError, "HTTP/2 client preface string missing or corrupt."))
        try client.expectClosed(.notHTTP2)
    }

    @Test func `refuses garbage one byte at a time`() throws {
        let client = try Client(greets: false)
        _ = try client.next()
        for byte in Array("POST /x HTTP/1.1\r\n\r\n".utf8) where client.channel.isActive {
            try client.send(bytes: [byte])
        }
        try client.expectGoAway(.protocolError)
        try client.expectClosed(.notHTTP2)
    }

    @Test func `ignores input after it has refused the connection`() throws {
        let client = try Client(greets: false)
        client.wire.hold()
        try client.send(bytes: Array("GET / HTTP/1.1\r\n".utf8))
        try client.send(bytes: Frame.preface + Frame.headers(1, .push()).encoded)
        client.wire.release()
        #expect(client.recorder.requests.isEmpty)
        #expect(client.recorder.closeReason?.code == .notHTTP2)
    }

    @Test func `the first frame of a client must be SETTINGS`() throws {
        let client = try Client(greets: false)
        _ = try client.next()
        try client.send(bytes: Frame.preface + Frame.headers(1, .push()).encoded)
        try client.expectGoAway(.protocolError)
        try client.expectClosed(.protocolError)
    }

    struct Offence: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let code: Frame.ErrorCode
        let frames: [Frame]

        init(_ description: String, _ code: Frame.ErrorCode, _ frames: Frame...) {
            testDescription = description
            self.code = code
            self.frames = frames
        }
    }

    private static let zeros = [UInt8](repeating: 0, count: 16_385)

    static let offences = [
        Offence("oversize frame", .frameSizeError, .headers(1, .push(), end: false), .data(1, zeros, end: false)),
        Offence("oversize unknown frame", .frameSizeError, .raw(type: 0xee, flags: 0, stream: 0, zeros)),
        Offence("even stream id", .protocolError, .headers(2, .push())),
        Offence("stream 0", .protocolError, .headers(0, .push())),
        Offence("DATA on an idle stream", .protocolError, .data(9, "x")),
        Offence("DATA on stream 0", .protocolError, .data(0, "x")),
        Offence("RST_STREAM on an idle stream", .protocolError, .reset(9, .cancel)),
        Offence("WINDOW_UPDATE on an idle stream", .protocolError, .windowUpdate(9, by: 1)),
        Offence("CONTINUATION without HEADERS", .protocolError, .continuation(1, [], isLast: true)),
        Offence("PUSH_PROMISE", .protocolError, .raw(type: 5, flags: 4, stream: 1, [0, 0, 0, 2])),
        Offence("short PING", .frameSizeError, .ping([1])),
        Offence("PING on a stream", .protocolError, .raw(type: 6, flags: 0, stream: 1, Array(zeros[..<8]))),
        Offence("short SETTINGS", .frameSizeError, .raw(type: 4, flags: 0, stream: 0, [0, 1])),
        Offence("ENABLE_PUSH = 2", .protocolError, .settings([Frame.Setting(2, 2)])),
        Offence("window of 2^31", .flowControlError, .settings([Frame.Setting(4, 1 << 31)])),
        Offence("acknowledgement of nothing", .protocolError, .settingsAck),
        Offence(
            "more padding than frame", .protocolError, .headers(1, .push(), end: false),
            .raw(type: 0, flags: Frame.Flag.padded, stream: 1, [9, 0])),
    ]

    @Test(arguments: offences) func `ends the connection after a protocol error, with its code`(offence: Offence) throws
    {
        let client = try Client()
        try client.send(offence.frames)
        guard case .goAway(_, offence.code, _) = try client.rest().last else {
            Issue.record("no GOAWAY with \(offence.code)")
            return
        }
        try client.expectClosed(.protocolError)
        #expect(client.recorder.closeReason?.detail.isEmpty == false)
    }

    @Test func `ignores garbage after the end`() throws {
        let client = try Client()
        try client.send(.ping([1]))
        #expect(!client.channel.isActive)
        // The channel may still hand over what it had read before it was closed.
        client.channel.pipeline.fireChannelRead(ByteBuffer(bytes: Frame.headers(1, .push()).encoded))
        client.channel.pipeline.fireChannelReadComplete()
        client.channel.pipeline.fireChannelWritabilityChanged()
        client.advance(.minutes(5))
        #expect(client.recorder.requests.isEmpty)
    }
}

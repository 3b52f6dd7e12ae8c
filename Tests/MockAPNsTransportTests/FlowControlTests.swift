import NIOCore
import Testing

@testable import MockAPNsTransport

/// Clients that do not take their answers: behind a window or in the socket.
@Suite struct FlowControlTests {
    private let body = "{\"reason\":\"BadDeviceToken\"}"

    private func closedWindow(_ options: TransportOptions = .lifted) throws -> Client {
        let client = try Client(options: options, greets: false)
        client.recorder.answer = .rejected(400, "BadDeviceToken")
        try client.greet([Frame.Setting(4, 0)])
        try client.send(.headers(1, .push()))
        try client.expect(.headers(1, .status(400), end: false))
        try client.expectSilence()
        return client
    }

    @Test func `holds the body until the window opens`() throws {
        let client = try closedWindow()
        client.advance(.seconds(20))
        try client.send(.windowUpdate(1, by: 10))
        try client.expect(.data(1, String(body.prefix(10)), end: false))
        try client.send(.windowUpdate(1, by: 1_000))
        try client.expect(.data(1, String(body.dropFirst(10))))
        client.recorder.answer = .accepted
        try client.expectAlive(stream: 3)
    }

    @Test func `opens the window by settings`() throws {
        let client = try closedWindow()
        try client.send(.settings([Frame.Setting(4, 100)]))
        let answers = try client.rest()
        #expect(answers == [.settingsAck, .data(1, body)])
    }

    @Test func `ends the connection that leaves answers unread`() throws {
        let client = try closedWindow()
        client.advance(.seconds(29))
        try client.expectSilence()
        #expect(client.channel.isActive)
        client.advance(.seconds(2))
        try client.expectGoAway(.flowControlError)
        try client.expectClosed(.stalled)
    }

    @Test func `forgets the held body when the client cancels`() throws {
        let client = try closedWindow()
        try client.send(.reset(1, .cancel))
        #expect(client.loop.streams.inUse == 0)
        client.advance(.seconds(60))
        client.recorder.answer = .accepted
        try client.expectAlive(stream: 3)
    }

    /// An early answer whose end is held back: the reset waits with it.
    @Test func `holds the reset behind the body`() throws {
        let client = try Client(
            options: .with {
                $0.streamsBeforeAuthentication = 1_000
                $0.maxBodyAwaited = 10
            }, greets: false)
        client.recorder.answer = .rejected(413, "PayloadTooLarge")
        try client.greet([Frame.Setting(4, 0)])
        try client.send(.headers(1, .push(), end: false), .data(1, "12345678901", end: false))
        try client.expect(.headers(1, .status(413), end: false))
        try client.expectSilence()
        try client.send(.windowUpdate(1, by: 1_000))
        try client.expect(.data(1, "{\"reason\":\"PayloadTooLarge\"}"))
        client.advance(.seconds(3))
        try client.expect(.reset(1, .noError))
    }

    @Test func `opens the client's window as it takes bodies`() throws {
        let client = try Client(
            options: .with {
                $0.streamsBeforeAuthentication = 1_000
                $0.maxBodyAwaited = 1_000_000
            })
        let piece = [UInt8](repeating: 0x61, count: 16_384)
        try client.send(.headers(1, .push(), end: false))
        var granted: UInt32 = 0
        for _ in 0..<3 { try client.send(.data(1, piece, end: false)) }
        while let frame = try client.next(withWindowUpdates: true) {
            if case .windowUpdate(1, let increment) = frame { granted += increment }
        }
        #expect(granted >= 32_768)
    }

    @Test(arguments: [Int32(0), 1]) func `ends the stream or the connection whose window overflows`(
        stream: Int32
    ) throws {
        let client = try Client()
        try client.send(.headers(1, .push(), end: false), .windowUpdate(stream, by: 0x7fff_ffff))
        if stream == 0 {
            try client.expectGoAway(.flowControlError)
            try client.expectClosed(.protocolError)
        } else {
            try client.expect(.reset(1, .flowControlError))
            try client.expectAlive(stream: 3)
        }
    }

    @Test func `ends the connection over a window update of nothing`() throws {
        let client = try Client()
        try client.send(.windowUpdate(0, by: 0))
        try client.expectGoAway(.protocolError)
        try client.expectClosed(.protocolError)
    }

    // MARK: The socket

    @Test func `stops reading while the socket is full`() throws {
        let client = try Client()
        client.setWritable(false)
        let reads = client.wire.reads
        try client.send(.headers(1, .push()))
        client.askToRead()
        client.askToRead()
        #expect(client.wire.reads == reads)
        try client.expectSilence()
        // What was taken in already is answered, and shown, all the same.
        #expect(client.recorder.requests.count == 1)
        #expect(client.recorder.events.last == .readCompleted)

        client.setWritable(true)
        #expect(client.wire.reads == reads + 1)
        try client.expect(.headers(1, .status(200)))
        client.askToRead()
        #expect(client.wire.reads == reads + 2)
        try client.expectAlive(stream: 3)
    }

    @Test func `a socket that can be written again does not read by itself`() throws {
        let client = try Client()
        let reads = client.wire.reads
        client.setWritable(false)
        client.setWritable(true)
        #expect(client.wire.reads == reads)
    }

    @Test func `ends the connection that leaves the socket full`() throws {
        let client = try Client()
        client.advance(.seconds(100))
        client.setWritable(false)
        try client.send(.headers(1, .push(), end: false))
        client.advance(.seconds(29))
        #expect(client.channel.isActive)
        client.advance(.seconds(2))
        #expect(!client.channel.isActive)
        #expect(client.recorder.closeReason?.code == .stalled)
        #expect(client.loop.streams.inUse == 0)
    }

    @Test func `the limit on a full socket starts anew when it takes some bytes`() throws {
        let client = try Client()
        for _ in 0..<4 {
            client.setWritable(false)
            client.advance(.seconds(20))
            client.setWritable(true)
        }
        try client.expectAlive(stream: 1)
    }

    @Test func `ends only when the socket takes the GOAWAY`() throws {
        let client = try Client()
        client.setWritable(false)
        try client.send(.windowUpdate(0, by: 0))
        #expect(client.channel.isActive)
        client.setWritable(true)
        try client.expectGoAway(.protocolError)
        try client.expectClosed(.protocolError)
    }

    @Test func `sends answers larger than the scratch memory`() throws {
        let client = try Client(greets: false)
        client.recorder.answer = .custom { _, _ in
            Response(
                status: 500, headers: (nil, nil, nil), body: [UInt8](repeating: 0x7a, count: 20_000),
                liftsStreamLimit: false)
        }
        try client.greet([Frame.Setting(4, 1_000_000)])
        try client.send(.windowUpdate(0, by: 10_000_000))
        try client.send((0..<20).map { .headers(2 * $0 + 1, .push()) })
        var received: [Int32: Int] = [:]
        var ends = 0
        for frame in try client.rest() {
            guard case .data(let stream, let bytes, let isEnd) = frame else { continue }
            received[stream, default: 0] += bytes.count
            ends += isEnd ? 1 : 0
        }
        #expect(received.count == 20)
        #expect(received.values.allSatisfy { $0 == 20_000 })
        #expect(ends == 20)
    }
}

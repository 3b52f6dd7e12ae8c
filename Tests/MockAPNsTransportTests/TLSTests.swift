import CMockAPNsOpenSSL
import MockAPNsCrypto
import NIOCore
import NIOEmbedded
import Testing

@testable import MockAPNsTransport

/// TLS on both sides of an embedded channel: what is agreed on, what is refused, and how it ends.
@Suite struct TLSTests {
    private func facts(_ client: Client) throws -> ConnectionInfo.TLS {
        try #require(client.recorder.connections.first?.tls)
    }

    @Test(arguments: [(TLS1_2_VERSION, "TLSv1.2"), (TLS1_3_VERSION, "TLSv1.3")]) func `speaks TLS 1.2 and 1.3`(
        version: CInt, name: String
    ) throws {
        let client = try Client(tls: TLSPeer.Setup(versions: version...version))
        try client.send(.headers(1, .push(), end: false), .data(1, "{}"))
        try client.expect(.headers(1, .status(200)))
        try client.expectAlive(stream: 3)
        let facts = try facts(client)
        #expect(facts.version == name)
        #expect(facts.applicationProtocol == "h2")
        #expect(facts.serverName == "localhost")
        #expect(facts.clientCertificate == nil)
        #expect(client.tls?.agreedProtocol == "h2")
    }

    @Test func `sends SETTINGS with the end of the handshake`() throws {
        let client = try Client(tls: TLSPeer.Setup(), greets: false)
        guard case .settings = try client.next() else {
            Issue.record("the server did not begin with SETTINGS")
            return
        }
    }

    @Test(arguments: [[], ["http/1.1"], ["h2c", "http/1.1", "spdy/3"]]) func `accepts a client that does not offer h2`(
        protocols: [String]
    ) throws {
        let client = try Client(tls: TLSPeer.Setup(protocols: protocols))
        try client.expectAlive(stream: 1)
        #expect(try facts(client).applicationProtocol == nil)
        #expect(client.tls?.agreedProtocol == nil)
    }

    @Test func `selects h2 among the protocols offered`() throws {
        let client = try Client(tls: TLSPeer.Setup(protocols: ["http/1.1", "h3", "h2", "h2c"]))
        #expect(try facts(client).applicationProtocol == "h2")
    }

    @Test func `refuses other protocols when told to`() throws {
        let context = TLSFixture.context(requiresALPN: true)
        let client = try Client(tls: TLSPeer.Setup(protocols: ["http/1.1"]), context: context, greets: false)
        #expect(client.recorder.handshakeFailure?.code == .tlsFailure)
        #expect(client.recorder.handshakeFailure?.detail.contains("no application protocol") == true)
        #expect(!client.channel.isActive)
        #expect(client.handshakeFailure?.contains("no application protocol") == true)
        let other = try Client(tls: TLSPeer.Setup(), context: context)
        try other.expectAlive(stream: 1)
    }

    @Test(arguments: [TLS1_VERSION, TLS1_1_VERSION]) func `refuses old versions`(version: CInt) throws {
        let client = try Client(tls: TLSPeer.Setup(versions: version...version), greets: false)
        let failure = try #require(client.recorder.handshakeFailure)
        #expect(failure.code == .tlsFailure)
        #expect(failure.detail.contains("unsupported protocol"))
        #expect(failure.cause == .oldTLS)
        #expect(client.handshakeFailure?.contains("protocol version") == true)
        #expect(client.recorder.events.count == 2)
    }

    @Test func `refuses TLS 1.2 when told to`() throws {
        let context = TLSFixture.context(minimumVersion: .tls13)
        let old = TLSPeer.Setup(versions: TLS1_2_VERSION...TLS1_2_VERSION)
        let client = try Client(tls: old, context: context, greets: false)
        #expect(client.recorder.handshakeFailure?.code == .tlsFailure)
        try Client(tls: TLSPeer.Setup(), context: context).expectAlive(stream: 1)
    }

    @Test func `records the server name of the ClientHello`() throws {
        let setup = TLSPeer.Setup(serverName: "api.push.apple.com", authority: nil)
        #expect(try facts(Client(tls: setup)).serverName == "api.push.apple.com")
        let silent = TLSPeer.Setup(serverName: nil, authority: nil)
        #expect(try facts(Client(tls: silent)).serverName == nil)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION]) func `records that the client distrusts us`(version: CInt) throws
    {
        let setup = TLSPeer.Setup(versions: version...version, authority: TLSFixture.stranger.certificatePEM)
        let client = try Client(tls: setup, greets: false)
        #expect(client.handshakeFailure?.contains("certificate verify failed") == true)
        let failure = try #require(client.recorder.handshakeFailure)
        #expect(failure.code == .tlsFailure)
        #expect(failure.detail.contains("alert unknown ca"))
        #expect(failure.cause == .alert(48))
        #expect(!client.channel.isActive)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION]) func `records that the client refuses the chain`(
        version: CInt
    ) throws {
        let setup = TLSPeer.Setup(versions: version...version, serverName: "another.host")
        let client = try Client(tls: setup, greets: false)
        let failure = try #require(client.recorder.handshakeFailure)
        #expect(failure.code == .tlsFailure && failure.cause == .alert(42))
    }

    // MARK: Bytes

    @Test func `reads records that arrive byte by byte`() throws {
        let client = try Client(tls: TLSPeer.Setup())
        let frames: [Frame] = [.headers(1, .push(), end: false), .data(1, "{\"aps\":{}}")]
        try client.send(bytes: frames.flatMap(\.encoded), inPiecesOf: 1)
        try client.expect(.headers(1, .status(200)))
        #expect(client.recorder.requests.first?.body == Array("{\"aps\":{}}".utf8))
    }

    @Test func `completes a handshake that arrives byte by byte`() throws {
        let client = try Client(tls: nil, greets: false)
        let handler = ConnectionHandler(
            loop: client.loop, info: ConnectionInfo(id: 9, listener: 0, remoteAddress: "slow", tls: nil),
            tls: try TLSFixture.connection(), now: .uptimeNanoseconds(0))
        let channel = try client.another(handler)
        let peer = try TLSPeer()
        while !peer.isEstablished {
            try peer.handshake()
            for byte in peer.takeCiphertext() { try channel.writeInbound(ByteBuffer(bytes: [byte])) }
            while let buffer = try channel.readOutbound(as: ByteBuffer.self) {
                peer.receive(Array(buffer.readableBytesView))
            }
        }
        let plaintext = try peer.decrypt()
        #expect(plaintext.count == 9 + 5 * 6)
        channel.close(promise: nil)
    }

    /// Many records in one outbound buffer, which is used again while the channel still holds the last ones.
    @Test(arguments: [false, true]) func `sends more than the outbound buffer holds`(isHeld: Bool) throws {
        let client = try Client(tls: TLSPeer.Setup(), greets: false)
        client.recorder.answer = .custom { _, stream in
            Response(
                status: 500, headers: (nil, nil, nil),
                body: (0..<20_000).map { UInt8(truncatingIfNeeded: $0 ^ Int(stream)) }, liftsStreamLimit: false)
        }
        try client.greet([Frame.Setting(4, 1_000_000)])
        try client.send(.windowUpdate(0, by: 10_000_000))
        if isHeld { client.wire.hold() }
        // Each batch is written while the buffers of those before are still on their way.
        for batch: Int32 in 0..<4 { try client.send((0..<5).map { .headers(batch * 10 + 2 * $0 + 1, .push()) }) }
        if isHeld { client.wire.release() }
        var received: [Int32: [UInt8]] = [:]
        for frame in try client.rest() {
            if case .data(let stream, let bytes, _) = frame { received[stream, default: []] += bytes }
        }
        #expect(received.count == 20)
        for (stream, bytes) in received {
            #expect(bytes == (0..<20_000).map { UInt8(truncatingIfNeeded: $0 ^ Int(stream)) })
        }
    }

    @Test func `takes a thousand requests in one read`() throws {
        let client = try Client(tls: TLSPeer.Setup())
        try client.send((0..<1_000).map { .headers(2 * $0 + 1, .push()) })
        #expect(try client.rest().count == 1_000)
        try client.expectAlive(stream: 2_001)
    }

    @Test func `accepts key updates of the client`() throws {
        let client = try Client(tls: TLSPeer.Setup())
        for stream: Int32 in [1, 3, 5] {
            try client.sendRaw(try #require(client.tls).keyUpdate())
            try client.expectAlive(stream: stream)
        }
    }

    // MARK: Ends

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", CloseReason.Cause.plainHTTP),
        ("\0\0\0\0\0\0\0\0\0\0\0\0", .notTLS), ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .notTLS),
    ]) func `refuses garbage`(text: String, cause: CloseReason.Cause) throws {
        let client = try Client(tls: nil, greets: false)
        let channel = try waiting(on: client)
        try channel.writeInbound(ByteBuffer(string: text))
        let failure = try #require(client.recorder.handshakeFailure)
        #expect(failure.code == .tlsFailure)
        #expect(!failure.detail.isEmpty)
        #expect(failure.cause == cause)
        #expect(!channel.isActive)
    }

    /// A TLS connection on the client's loop that has heard nothing yet.
    private func waiting(on client: Client) throws -> EmbeddedChannel {
        try client.another(
            ConnectionHandler(
                loop: client.loop, info: ConnectionInfo(id: 9, listener: 0, remoteAddress: "other", tls: nil),
                tls: try TLSFixture.connection(), now: client.channel.embeddedEventLoop.now))
    }

    /// A client that leaves in the middle of the handshake has an objection; one that never says a word is a probe of
    /// the port.
    @Test(arguments: [true, false]) func `records a client that leaves during the handshake`(speaks: Bool) throws {
        let client = try Client(tls: nil, greets: false)
        let channel = try waiting(on: client)
        if speaks {
            let peer = try TLSPeer()
            try peer.handshake()
            try channel.writeInbound(ByteBuffer(bytes: peer.takeCiphertext()))
        }
        channel.close(promise: nil)
        client.advance(.seconds(1))
        #expect(client.recorder.handshakeFailure?.code == (speaks ? .tlsFailure : .closedByPeer))
        #expect(client.recorder.handshakeFailure?.cause == (speaks ? .hungUp : nil))
        #expect(client.recorder.connections.last?.remoteAddress == "other")
    }

    @Test func `ends the handshake that takes too long`() throws {
        let client = try Client(options: .with { $0.handshakeTimeout = .seconds(5) })
        let channel = try waiting(on: client)
        client.advance(.seconds(4))
        #expect(channel.isActive)
        client.advance(.seconds(2))
        #expect(!channel.isActive)
        #expect(client.recorder.handshakeFailure?.code == .handshakeTimeout)
        #expect(client.channel.isActive)
    }

    @Test func `ends the handshake at shutdown`() throws {
        let client = try Client()
        let channel = try waiting(on: client)
        _ = client.loop.shutDown()
        #expect(!channel.isActive)
        #expect(client.recorder.handshakeFailure?.code == .shutdown)
    }

    @Test func `ends with the client's close_notify`() throws {
        let client = try Client(tls: TLSPeer.Setup())
        try client.send(.headers(1, .push(), end: false))
        try client.sendRaw(try #require(client.tls).farewell())
        _ = try client.rest()
        #expect(client.tls?.isEnded == true)
        try client.expectClosed(.closedByPeer)
    }

    @Test func `sends close_notify`() throws {
        let client = try Client(tls: TLSPeer.Setup())
        try client.send(.headers(1, .push(), end: false))
        _ = client.loop.shutDown()
        try client.expect(.goAway(last: 1, .noError, "{\"reason\":\"Shutdown\"}"))
        #expect(client.tls?.isEnded == false)
        try client.send(.data(1, "{}"))
        try client.expect(.headers(1, .status(200)))
        #expect(client.tls?.isEnded == true)
        try client.expectClosed(.shutdown)
    }

    @Test func `ends over a broken record`() throws {
        let client = try Client(tls: TLSPeer.Setup())
        try client.send(.headers(1, .push(), end: false))
        try client.sendRaw([0x17, 3, 3, 0, 32] + [UInt8](repeating: 0x55, count: 32))
        #expect(!client.channel.isActive)
        #expect(client.recorder.closeReason?.code == .tlsFailure)
        #expect(client.recorder.closeReason?.detail.isEmpty == false)
        #expect(client.loop.streams.inUse == 0)
    }

    @Test func `tells an HTTP/1 client what it is`() throws {
        let client = try Client(tls: TLSPeer.Setup(protocols: ["http/1.1"]), greets: false)
        try client.send(bytes: Array("POST /3/device/abc HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        _ = try client.next()
        try client.expect(.goAway(last: 0, .protocolError, "Unexpected HTTP/1.x request: POST /3/device/abc"))
        #expect(client.tls?.isEnded == true)
        try client.expectClosed(.notHTTP2)
        #expect(client.recorder.closeReason?.cause == .http1)
    }
}

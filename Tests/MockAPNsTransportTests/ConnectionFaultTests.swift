import CMockAPNsOpenSSL
import MockAPNsRules
import NIOCore
import NIOEmbedded
import Testing

@testable import MockAPNsTransport

/// Faults of a connection's beginning: its TLS handshake and its SETTINGS.
@Suite struct ConnectionFaultTests {
    private func fault(_ change: (inout ConnectionFault) -> Void) -> ConnectionFault {
        var fault = ConnectionFault()
        change(&fault)
        return fault
    }

    private func fault(_ handshake: FaultAction.Handshake) -> ConnectionFault { fault { $0.handshake = handshake } }

    @Test func `a fault without effects leaves the connection as it is`() throws {
        let client = try Client(tls: .init(), fault: ConnectionFault())
        try client.expectAlive(stream: 1)
    }

    // MARK: Handshake

    @Test(arguments: [nil, TLSPeer.Setup()]) func `closes the connection before the handshake`(
        tls: TLSPeer.Setup?
    ) throws {
        let client = try Client(tls: tls, fault: fault(.refuse), greets: false)
        #expect(!client.channel.isActive)
        #expect(client.recorder.handshakeFailure == CloseReason(.fault, "a fault refused the connection"))
        #expect(client.recorder.events.count == 1)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION]) func `shows an expired certificate`(version: CInt) throws {
        let client = try Client(
            tls: .init(versions: version...version), context: TLSFixture.context(showing: TLSFixture.expired),
            fault: fault(.expiredCertificate), greets: false)
        #expect(client.handshakeFailure?.contains("certificate verify failed") == true)
        let failure = try #require(client.recorder.handshakeFailure)
        #expect(failure.code == .fault)
        #expect(failure.detail.hasPrefix("a fault showed an expired certificate: "))
        #expect(failure.detail.contains("alert certificate expired"))
        #expect(!client.channel.isActive)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION]) func `shows a certificate for another host`(version: CInt) throws
    {
        let client = try Client(
            tls: .init(versions: version...version), context: TLSFixture.context(showing: TLSFixture.elsewhere),
            fault: fault(.wrongHost), greets: false)
        #expect(client.handshakeFailure?.contains("certificate verify failed") == true)
        let failure = try #require(client.recorder.handshakeFailure)
        #expect(failure.code == .fault)
        #expect(failure.detail.hasPrefix("a fault showed a certificate for another host: "))
    }

    @Test(arguments: [false, true]) func `completes the handshake without ALPN`(requiresALPN: Bool) throws {
        let client = try Client(
            tls: .init(), context: TLSFixture.context(requiresALPN: requiresALPN), fault: fault(.noApplicationProtocol))
        #expect(client.tls?.agreedProtocol == nil)
        #expect(client.recorder.connections.first?.tls?.applicationProtocol == nil)
        try client.expectAlive(stream: 1)
    }

    /// Those that TLS knows, and two that it does not.
    @Test(arguments: [UInt8](arrayLiteral: 0, 40, 42, 45, 46, 48, 70, 80, 90, 112, 120, 199, 255), [1, 1_000])
    func `answers the ClientHello with an alert`(number: UInt8, size: Int) throws {
        let client = try Client(greets: false)
        let handler = ConnectionHandler(
            loop: client.loop, info: ConnectionInfo(id: 9, listener: 0, remoteAddress: "other", tls: nil),
            tls: try TLSFixture.connection(fault: .alert(number)), fault: fault(.alert(number)),
            now: client.channel.embeddedEventLoop.now)
        let channel = try client.another(handler)
        let peer = try TLSPeer()
        try peer.handshake()
        let hello = peer.takeCiphertext()
        for start in stride(from: 0, to: hello.count, by: size) {
            #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
            let piece = hello[start..<min(start + size, hello.count)]
            try channel.writeInbound(ByteBuffer(bytes: piece))
        }
        let said = try channel.readOutbound(as: ByteBuffer.self)
        #expect(said == ByteBuffer(bytes: [21, 3, 3, 0, 2, 2, number]))
        #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
        #expect(!channel.isActive)
        #expect(
            client.recorder.handshakeFailure
                == CloseReason(.fault, "a fault answered the client's hello with alert \(number)"))
    }

    @Test func `the client sees the alert of the fault`() throws {
        let client = try Client(tls: .init(), fault: fault(.alert(80)), greets: false)
        #expect(client.handshakeFailure?.contains("alert internal error") == true)
    }

    @Test func `delays the handshake`() throws {
        let client = try Client(tls: .init(), fault: fault(.delay(60_000_000)), greets: false)
        let reads = client.wire.reads
        client.askToRead()
        client.askToRead()
        #expect(client.wire.reads == reads)
        // Neither is the client's time for its handshake counted.
        client.advance(.seconds(59))
        try client.expectSilence()
        #expect(client.channel.isActive)
        client.advance(.seconds(1))
        #expect(client.wire.reads == reads + 1)
        try client.shakeHands()
        try client.greet()
        try client.expectAlive(stream: 1)
    }

    @Test func `does not wait forever for a late handshake`() throws {
        let client = try Client(tls: .init(), fault: fault(.delay(60_000_000)), greets: false)
        client.advance(.seconds(69))
        #expect(client.channel.isActive)
        client.advance(.seconds(2))
        #expect(client.recorder.handshakeFailure?.code == .handshakeTimeout)
    }

    @Test func `delays the preface in clear text`() throws {
        let client = try Client(fault: fault(.delay(5_000_000)), greets: false)
        try client.send(bytes: Frame.preface + Frame.settings([]).encoded)
        try client.send(.headers(1, .push()))
        client.advance(.seconds(4))
        try client.expectSilence()
        #expect(client.recorder.events.isEmpty)
        client.advance(.seconds(1))
        guard case .settings = try client.next() else {
            Issue.record("the server did not begin with SETTINGS")
            return
        }
        try client.expect(.settingsAck, .headers(1, .status(200)))
    }

    @Test(arguments: [true, false]) func `a connection that ends during the delay is not started`(
        isClients: Bool
    ) throws {
        let client = try Client(fault: fault(.delay(5_000_000)), greets: false)
        if isClients { client.hangUp() } else { _ = client.loop.shutDown() }
        client.advance(.seconds(6))
        #expect(!client.channel.isActive)
        #expect(client.recorder.handshakeFailure?.code == (isClients ? .closedByPeer : .shutdown))
        #expect(client.recorder.events.count == 1)
    }

    // MARK: SETTINGS

    private func settings(streams: UInt32 = 1, window: UInt32 = 65_535) -> Frame {
        .settings([
            Frame.Setting(1, 4_096), Frame.Setting(3, streams), Frame.Setting(4, window), Frame.Setting(5, 16_384),
            Frame.Setting(6, 8_000),
        ])
    }

    @Test(arguments: [0, 1, 7, 0xffff_ffff] as [UInt32]) func `announces another stream limit`(limit: UInt32) throws {
        let fault = fault { $0.settings.maxConcurrentStreams = limit }
        let client = try Client(options: TransportOptions(), fault: fault, greets: false)
        try client.expect(settings(streams: min(limit, 0x3fff_ffff)))
    }

    @Test func `keeps a stream limit of 1 after authentication`() throws {
        let fault = fault { $0.settings.maxConcurrentStreams = 1 }
        let client = try Client(options: .lifted, fault: fault, greets: false)
        client.recorder.answer = .acceptedAndLifted
        try client.expect(settings(streams: 1))
        try client.send(bytes: Frame.preface)
        // What was opened before the client can have known is served, as ever.
        try client.send(.settings([]), .headers(1, .push(), end: false), .headers(3, .push(), end: false))
        try client.expect(.settingsAck)
        try client.send(.settingsAck, .data(1, "{}"), .headers(5, .push()), .data(3, "{}"))
        try client.expect(.headers(1, .status(200)), .reset(5, .refusedStream), .headers(3, .status(200)))
        try client.send(.headers(7, .push()))
        try client.send(.headers(9, .push(), end: false), .headers(11, .push()))
        try client.expect(.headers(7, .status(200)), .reset(11, .refusedStream))
    }

    @Test(arguments: [(0, 0), (10, 10), (0xffff_ffff, 0x7fff_ffff)] as [(UInt32, UInt32)])
    func `announces another window`(window: UInt32, announced: UInt32) throws {
        let fault = fault { $0.settings.initialWindow = window }
        let client = try Client(options: TransportOptions(), fault: fault, greets: false)
        try client.expect(settings(window: announced))
        if window == 10 {
            try client.send(bytes: Frame.preface)
            try client.send(.settings([]), .settingsAck, .headers(1, .push(), end: false), .data(1, "12345678901"))
            try client.expect(.settingsAck, .reset(1, .flowControlError))
        }
    }

    @Test func `delays SETTINGS`() throws {
        let fault = fault { $0.settings.delay = 60_000_000 }
        let client = try Client(tls: .init(), fault: fault, greets: false)
        try client.expectSilence()
        try client.send(bytes: Frame.preface)
        try client.send(.settings([]), .headers(1, .push()), .headers(3, .push(), end: false))
        #expect(client.recorder.requests.count == 1)
        client.advance(.seconds(59))
        try client.expectSilence()
        client.advance(.seconds(1))
        try client.expect(settings(streams: 1_000), .settingsAck, .headers(1, .status(200)))
        try client.send(.settingsAck)
        client.recorder.faults[5] = WireFault(delay: .seconds(1))
        try client.send(.headers(5, .push()))
        client.advance(.seconds(1))
        try client.expect(.reset(3, .cancel), .headers(5, .status(200)))
        try client.expectAlive(stream: 7)
    }

    private func goAway(
        _ close: FaultAction.GoAway.Close, last: FaultAction.GoAway.LastStream = .current
    ) -> FaultAction.GoAway { FaultAction.GoAway(code: .internalError, lastStream: last, debug: "why", close: close) }

    @Test(arguments: [FaultAction.GoAway.Close.drain, .now], [nil, TLSPeer.Setup()])
    func `sends GOAWAY before SETTINGS and closes`(close: FaultAction.GoAway.Close, tls: TLSPeer.Setup?) throws {
        let fault = fault { $0.settings.replaceWithGoAway = goAway(close) }
        let client = try Client(tls: tls, fault: fault, greets: false)
        try client.expect(.goAway(last: 0, .internalError, "why"))
        #expect(client.tls?.isEnded ?? true)
        try client.expectClosed(.fault)
        #expect(client.recorder.events.contains(.opened(7)))
    }

    @Test func `sends GOAWAY instead of SETTINGS and stays open`() throws {
        let fault = fault { $0.settings.replaceWithGoAway = goAway(.never, last: .max) }
        let client = try Client(fault: fault, greets: false)
        try client.expect(.goAway(last: .max, .internalError, "why"))
        try client.send(bytes: Frame.preface)
        try client.send(.settings([]), .settingsAck, .headers(1, .push()))
        client.advance(.hours(1))
        try client.expectSilence()
        #expect(client.recorder.requests.isEmpty)
        #expect(client.channel.isActive)
    }

    @Test func `sends GOAWAY instead of SETTINGS after a delay`() throws {
        let fault = fault {
            $0.settings.replaceWithGoAway = goAway(.now)
            $0.settings.delay = 2_000_000
        }
        let client = try Client(fault: fault, greets: false)
        client.advance(.seconds(1))
        try client.expectSilence()
        #expect(client.channel.isActive)
        client.advance(.seconds(1))
        try client.expect(.goAway(last: 0, .internalError, "why"))
        try client.expectClosed(.fault)
    }
}

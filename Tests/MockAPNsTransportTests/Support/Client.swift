import NIOCore
import NIOEmbedded
import Testing

@testable import MockAPNsTransport

/// A client in conversation with a `ConnectionHandler`, without a network.
///
///     let client = try Client()
///     try client.send(.headers(1, .push()))
///     try client.expect(.headers(1, .status(200)))
final class Client {
    let channel: EmbeddedChannel
    let loop: TransportLoop
    let recorder: Recorder
    let wire: Wire
    let tls: TLSPeer?
    /// Why the handshake failed, in the client's eyes.
    private(set) var handshakeFailure: String?
    private var reader = FrameReader()

    /// Opens a connection and, unless told not to, exchanges prefaces and acknowledgements.
    ///
    /// The server's stream limit is 1000 from the start unless the test has options of its own.
    init(
        options: TransportOptions = .lifted, tls setup: TLSPeer.Setup? = nil, context: TLSContext = TLSFixture.context,
        fault: ConnectionFault? = nil, judgement: JudgedCertificate? = nil, greets: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        tls = try setup.map { try TLSPeer($0) }
        let recorder = Recorder(judgement: judgement)
        self.recorder = recorder
        let eventLoop = EmbeddedEventLoop()
        loop = TransportLoop(eventLoop: eventLoop, options: options, factory: recorder)
        wire = Wire(recorder: recorder)
        let handler = ConnectionHandler(
            loop: loop, info: ConnectionInfo(id: 7, listener: 2, remoteAddress: "192.0.2.1:1234", tls: nil),
            tls: try setup.map { _ in
                try TLSFixture.connection(context, fault: fault?.handshake) { recorder.judge($0, listener: 2) }
            }, fault: fault, now: eventLoop.now)
        channel = EmbeddedChannel(handlers: [wire, handler], loop: eventLoop)
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "client")).wait()
        if let tls { try shakeHands(tls) }
        if greets { try greet(sourceLocation: sourceLocation) }
    }

    // Connections hold their loop and the loop's clock holds them until they end; what a test has the recorder do
    // may hold either.
    deinit {
        recorder.answer = .accepted
        recorder.whileResponding = {}
        recorder.whileRefusing = {}
        channel.close(promise: nil)
        channel.embeddedEventLoop.run()
    }

    /// Opens another connection on the same loop, and hands over what the server says to it.
    func another(_ handler: ConnectionHandler) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: handler, loop: channel.embeddedEventLoop)
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "client")).wait()
        return channel
    }

    /// Goes through the handshake as far as the server lets it.
    func shakeHands() throws { if let tls { try shakeHands(tls) } }

    private func shakeHands(_ tls: TLSPeer) throws {
        while true {
            do { try tls.handshake() } catch { handshakeFailure = "\(error)" }
            let bytes = tls.takeCiphertext()
            if !bytes.isEmpty { try channel.writeInbound(ByteBuffer(bytes: bytes)) }
            guard handshakeFailure == nil, !tls.isEstablished, try hear() else { return }
        }
    }

    /// Both sides' SETTINGS and acknowledgements.
    func greet(_ settings: [Frame.Setting] = [], sourceLocation: SourceLocation = #_sourceLocation) throws {
        guard case .settings = try next() else {
            Issue.record("the server did not begin with SETTINGS", sourceLocation: sourceLocation)
            return
        }
        try send(bytes: Frame.preface)
        try send(.settings(settings), .settingsAck)
        try expect(.settingsAck, sourceLocation: sourceLocation)
    }

    // MARK: Saying

    /// Sends frames, all in one read.
    func send(_ frames: Frame...) throws { try send(frames) }

    func send(_ frames: [Frame]) throws { try send(bytes: frames.flatMap(\.encoded)) }

    /// Sends bytes, in one read or in reads of `size` bytes each.
    func send(bytes: [UInt8], inPiecesOf size: Int? = nil) throws {
        try sendRaw(tls?.encrypt(bytes) ?? bytes, inPiecesOf: size)
    }

    /// Sends bytes as they are, past TLS.
    func sendRaw(_ bytes: [UInt8], inPiecesOf size: Int? = nil) throws {
        let size = size ?? max(bytes.count, 1)
        for start in stride(from: 0, to: bytes.count, by: size) {
            let piece = bytes[start..<min(start + size, bytes.count)]
            try channel.writeInbound(ByteBuffer(bytes: piece))
        }
    }

    /// Makes the server's side of the socket full, or not.
    func setWritable(_ isWritable: Bool) {
        channel.isWritable = isWritable
        channel.pipeline.fireChannelWritabilityChanged()
    }

    /// Has the server asked to read on, as a channel is after each read.
    func askToRead() { channel.pipeline.read() }

    /// Lets time pass.
    func advance(_ amount: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: amount) }

    /// Says over TCP that nothing more will come.
    func endOutput() {
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        channel.embeddedEventLoop.run()
    }

    /// Ends the connection from the client's side.
    func hangUp() {
        channel.close(promise: nil)
        channel.embeddedEventLoop.run()
    }

    // MARK: Hearing

    /// The next frame; `nil` when nothing more was said.
    ///
    /// Window updates are left out unless asked for.
    func next(withWindowUpdates: Bool = false) throws -> Frame? {
        _ = try hear()
        while let frame = try reader.next() {
            if case .windowUpdate = frame, !withWindowUpdates { continue }
            return frame
        }
        return nil
    }

    /// Takes in what the server sent; `false` when there was nothing.
    private func hear() throws -> Bool {
        var bytes: [UInt8] = []
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) { bytes += buffer.readableBytesView }
        tls?.receive(bytes)
        // The first plaintext may have come with the handshake's last bytes.
        reader.append(try tls.map { $0.isEstablished ? try $0.decrypt() : [] } ?? bytes)
        return !bytes.isEmpty
    }

    /// Everything said and not heard yet.
    func rest() throws -> [Frame] {
        var frames: [Frame] = []
        while let frame = try next() { frames.append(frame) }
        return frames
    }

    /// Expects these frames next, in this order.
    func expect(_ expected: Frame..., sourceLocation: SourceLocation = #_sourceLocation) throws {
        for frame in expected {
            let heard = try next()
            #expect(heard == frame, sourceLocation: sourceLocation)
        }
    }

    /// Expects a GOAWAY next, whatever it says besides its code.
    func expectGoAway(_ code: Frame.ErrorCode, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let heard = try next()
        guard case .goAway(_, code, _) = heard else {
            Issue.record("\(String(describing: heard)) is no GOAWAY with \(code)", sourceLocation: sourceLocation)
            return
        }
    }

    /// Expects that nothing more was said.
    func expectSilence(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let rest = try rest()
        #expect(rest == [], sourceLocation: sourceLocation)
        #expect(reader.remainder == 0, sourceLocation: sourceLocation)
    }

    /// Expects that the server ended the connection, and why.
    func expectClosed(_ code: CloseReason.Code, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try expectSilence(sourceLocation: sourceLocation)
        #expect(!channel.isActive, sourceLocation: sourceLocation)
        #expect(recorder.closeReason?.code == code, sourceLocation: sourceLocation)
        #expect(loop.streams.inUse == 0, sourceLocation: sourceLocation)
    }

    /// Expects that the connection is still good for a push, and has no streams open but `others`.
    func expectAlive(stream: Int32, besides others: Int = 0, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try send(.headers(stream, .push()))
        try expect(.headers(stream, .status(200)), sourceLocation: sourceLocation)
        try expectSilence(sourceLocation: sourceLocation)
        #expect(channel.isActive, sourceLocation: sourceLocation)
        #expect(loop.streams.inUse == others, sourceLocation: sourceLocation)
    }
}

extension [Frame.Field] {
    static func status(_ status: Int, _ more: Frame.Field...) -> [Frame.Field] {
        [Frame.Field(":status", "\(status)")] + more
    }
}

extension TransportOptions {
    /// The limit of an authenticated connection from the start, for tests of something else.
    static var lifted: TransportOptions { with { $0.streamsBeforeAuthentication = 1_000 } }

    /// Without the limits that a busy machine would come to, for tests over sockets.
    var patient: TransportOptions {
        var options = self
        options.handshakeTimeout = .hours(1)
        options.settingsTimeout = .hours(1)
        options.requestTimeout = .hours(1)
        options.stallTimeout = .hours(1)
        return options
    }

    static func with(_ change: (inout TransportOptions) -> Void) -> TransportOptions {
        var options = TransportOptions()
        change(&options)
        return options
    }
}

extension TransportLoop {
    /// Sends a GOAWAY on every connection, and on those that come later.
    func shutDown() -> EventLoopFuture<Void> {
        isShuttingDown = true
        return goAway()
    }

    /// Ends every connection immediately; a second call closes those that are still ending.
    func closeAll() {
        let reason = CloseReason(.shutdown, "the server stopped before the connection had ended")
        for connection in connections.values { connection.endNow(because: reason) }
    }
}

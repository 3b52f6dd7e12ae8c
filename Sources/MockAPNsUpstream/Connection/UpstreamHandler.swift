internal import MockAPNsTransport
internal import NIOCore

/// A connection's channel handler: opens the tunnel, encrypts, and passes bytes between the channel and the session.
final class UpstreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Stage {
        case tunnel(ProxyTunnel)
        case handshake
        case settings
        case open
        case closed
    }

    private let address: UpstreamAddress
    private let options: UpstreamOptions
    private let tls: TLSConnection?
    private let session: UpstreamSession
    private var stage = Stage.handshake
    private var context: ChannelHandlerContext?
    /// The limit of the current stage.
    private var timer: Scheduled<Void>?
    private var idleTimer: Scheduled<Void>?
    /// Completed when the server's SETTINGS have arrived, or with the reason why they do not.
    private let opened: (UpstreamError?) -> Void
    private var isOpened = false
    private var exchanges: [UInt64: UpstreamExchange] = [:]
    private var pings: [(begun: NIODeadline, complete: (Result<Duration, UpstreamError>) -> Void)] = []
    private var tlsVersion: String?
    private var clearOutbound = ByteBuffer()

    /// Creates a handler; `nil` for lack of memory.
    ///
    /// `opened` is called once.
    init?(
        _ address: UpstreamAddress, _ options: UpstreamOptions, _ tls: ClientTLSContext?, now: NIODeadline,
        opened: @escaping (UpstreamError?) -> Void
    ) {
        guard let session = UpstreamSession(address, options, now: now) else { return nil }
        self.session = session
        (self.address, self.options, self.opened) = (address, options, opened)
        guard let tls else {
            self.tls = nil
            return
        }
        guard let connection = TLSConnection(context: tls, host: address.host) else { return nil }
        self.tls = connection
    }

    /// What the server has sent besides responses.
    var facts: UpstreamFacts {
        var facts = session.facts
        facts.tlsVersion = tlsVersion
        return facts
    }

    var load: Int { session.load }
    var streamLimit: Int { session.streamLimit }
    var takesRequests: Bool { if case .closed = stage { false } else { session.takesRequests } }

    // MARK: Channel events

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        guard context.channel.isActive else {
            return fail(UpstreamError(.closed, "the server closed the connection \(place)"))
        }
        begin(context)
    }

    private func begin(_ context: ChannelHandlerContext) {
        session.onReady = { [unowned self] in ready() }
        session.onPong = { [unowned self] in pong() }
        guard let proxy = options.proxy else { return handshake(context) }
        let tunnel = ProxyTunnel(proxy, to: address)
        stage = .tunnel(tunnel)
        limit(options.times.proxy, "the proxy's answer to CONNECT")
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: tunnel.request)), promise: nil)
    }

    private func handshake(_ context: ChannelHandlerContext) {
        stage = .handshake
        guard let tls else { return awaitSettings(context) }
        limit(options.times.handshake, "the TLS handshake")
        advance(tls, context)
        flush(context)
    }

    private func awaitSettings(_ context: ChannelHandlerContext) {
        stage = .settings
        limit(options.times.settings, "the server's SETTINGS")
        drain(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        switch stage {
        case .tunnel(var tunnel):
            do throws(UpstreamError) {
                guard let rest = try tunnel.receive(buffer.readableBytesView) else {
                    stage = .tunnel(tunnel)
                    return
                }
                handshake(context)
                if !rest.isEmpty { take(ByteBuffer(bytes: rest), context) }
            } catch { fail(error) }
        case .handshake, .settings, .open: take(buffer, context)
        case .closed: break
        }
    }

    private func take(_ buffer: ByteBuffer, _ context: ChannelHandlerContext) {
        buffer.withUnsafeReadableBytes { bytes in
            guard let tls else { return session.receive(bytes.bindMemory(to: UInt8.self), now: context.eventLoop.now) }
            tls.withInbound(bytes) { advance(tls, context) }
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        drain(context)
        if let failure = session.failure { return fail(failure) }
        if session.isFinished { fail(UpstreamError(.goAway, "the server ended the connection with GOAWAY")) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) { if context.channel.isWritable { drain(context) } }

    func channelInactive(context: ChannelHandlerContext) {
        fail(UpstreamError(.closed, "the server closed the connection \(place)", expected: "a response"))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(UpstreamError(.closed, "the connection broke \(place): \(error)"))
    }

    /// The stage, for messages.
    private var place: String {
        switch stage {
        case .tunnel: "before the proxy answered"
        case .handshake: "during the TLS handshake"
        case .settings: "before its SETTINGS"
        case .open, .closed: session.load > 0 ? "before it answered" : "while it was idle"
        }
    }

    // MARK: TLS

    /// Continues the handshake, or decrypts what arrived.
    private func advance(_ tls: TLSConnection, _ context: ChannelHandlerContext) {
        if !tls.isEstablished {
            switch tls.handshake() {
            case .wantsMore: return
            case .failed(let reason):
                flush(context)  // the alert
                return fail(handshakeError(tls, reason.detail))
            case .done:
                tlsVersion = tls.facts.version
                guard tls.facts.applicationProtocol == "h2" else {
                    return fail(
                        UpstreamError(
                            .alpn, "\(address) does not offer HTTP/2", expected: "the application protocol h2",
                            fix: "check the address and the port", isUnprocessed: true))
                }
                awaitSettings(context)
            }
        }
        if case .closed = stage { return }
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { scratch in
            while true {
                switch tls.read(into: scratch) {
                case .bytes(let count):
                    let bytes = UnsafeMutableRawBufferPointer(rebasing: scratch[..<count])
                    session.receive(UnsafeBufferPointer(bytes.bindMemory(to: UInt8.self)), now: context.eventLoop.now)
                case .wantsMore: return
                case .closed: return fail(UpstreamError(.closed, "the server closed the connection \(place)"))
                case .failed(let reason):
                    return fail(UpstreamError(.tls, "the TLS connection to \(address) failed: \(reason.detail)"))
                }
            }
        }
    }

    private func handshakeError(_ tls: TLSConnection, _ detail: String) -> UpstreamError {
        if let problem = tls.verificationProblem {
            return UpstreamError(
                .verify, "the certificate of \(address) is not accepted: \(problem)",
                expected: "a certificate for \(address.host) from a trusted authority",
                fix: "check the address, or give the authority's certificate", isUnprocessed: true)
        }
        return UpstreamError(
            .tls, "the TLS handshake with \(address) failed: \(detail)", expected: "TLS 1.2 or 1.3",
            fix: "check the address and the port", isUnprocessed: true)
    }

    // MARK: Output

    private func drain(_ context: ChannelHandlerContext) {
        switch stage {
        case .settings, .open: break
        case .tunnel, .handshake, .closed: return flush(context)
        }
        let reason = writeFrames(context)
        flush(context)
        if let reason { fail(UpstreamError(.tls, "the TLS connection to \(address) failed: \(reason.detail)")) }
    }

    /// Writes what the session has to send, as long as the channel takes it; returns why it cannot.
    private func writeFrames(_ context: ChannelHandlerContext) -> CloseReason? {
        while context.channel.isWritable, let bytes = session.nextOutput() {
            if let tls {
                if let reason = tls.write(UnsafeRawBufferPointer(bytes)) { return reason }
                if let output = tls.takeOutbound() { context.write(wrapOutboundOut(output), promise: nil) }
            } else {
                context.write(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
            }
        }
        return nil
    }

    private func flush(_ context: ChannelHandlerContext) {
        if let output = tls?.takeOutbound() { context.write(wrapOutboundOut(output), promise: nil) }
        context.flush()
    }

    // MARK: Time

    private func limit(_ time: TimeAmount, _ what: String) {
        timer?.cancel()
        timer = context?.eventLoop.assumeIsolated().scheduleTask(in: time) { [weak self] in
            self?.fail(
                UpstreamError(
                    .timeout, "\(what) took longer than \(Self.text(time))", fix: "check the address and the network",
                    isUnprocessed: true))
        }
    }

    private static func text(_ time: TimeAmount) -> String { "\(Double(time.nanoseconds) / 1e9) s" }

    private func ready() {
        guard case .settings = stage else { return }
        stage = .open
        timer?.cancel()
        timer = nil
        watchIdleness(in: options.times.idle)
        isOpened = true
        opened(nil)
    }

    private func watchIdleness(in time: TimeAmount?) {
        guard let time, let limit = options.times.idle else { return }
        idleTimer = context?.eventLoop.assumeIsolated().scheduleTask(in: time) { [weak self] in
            guard let self, let now = context?.eventLoop.now else { return }
            let rest = session.lastActivity + limit - now
            guard session.load == 0, rest <= .zero else { return watchIdleness(in: max(rest, .seconds(1))) }
            close(UpstreamError(.closed, "the connection was closed after \(Self.text(limit)) without requests"))
        }
    }

    // MARK: Requests

    func submit(
        _ request: UpstreamRequest, id: UInt64, _ complete: @escaping (Result<UpstreamAnswer, UpstreamError>) -> Void
    ) {
        guard let context, takesRequests else {
            let end = session.facts.end ?? UpstreamError(.closed, "the connection is closed")
            return complete(.failure(end.unprocessed()))
        }
        if let problem = request.problem(options.limits) { return complete(.failure(problem)) }
        let exchange = UpstreamExchange(id: id, request, options.limits, begun: context.eventLoop.now) { [weak self] in
            self?.exchanges[id] = nil
            complete($0)
        }
        exchanges[id] = exchange
        exchange.timer = context.eventLoop.assumeIsolated().scheduleTask(in: options.times.answer) { [weak self] in
            guard let self else { return }
            let seen = exchange.stream == nil ? "no stream was free" : "the server did not answer"
            let error = UpstreamError(
                .timeout, "\(seen) within \(Self.text(options.times.answer))", expected: "a response")
            abandon(exchange, error)
        }
        session.submit(exchange, now: context.eventLoop.now)
        drain(context)
    }

    func cancel(_ id: UInt64) {
        if let exchange = exchanges[id] { abandon(exchange, UpstreamError(.cancelled, "the request was cancelled")) }
    }

    private func abandon(_ exchange: UpstreamExchange, _ error: UpstreamError) {
        guard let context, !exchange.isComplete else { return }
        session.abandon(exchange, error, now: context.eventLoop.now)
        drain(context)
    }

    func ping(_ complete: @escaping (Result<Duration, UpstreamError>) -> Void) {
        guard let context, case .open = stage, pings.count < 100 else {
            return complete(.failure(UpstreamError(.closed, "the connection takes no PING")))
        }
        pings.append((context.eventLoop.now, complete))
        session.ping()
        drain(context)
        let number = pings.count
        _ = context.eventLoop.assumeIsolated().scheduleTask(in: options.times.ping) { [weak self] in
            guard let self, pings.count >= number, let begun = pings.first?.begun,
                let now = self.context?.eventLoop.now, now - begun >= options.times.ping
            else { return }
            fail(UpstreamError(.timeout, "a PING had no answer within \(Self.text(options.times.ping))"))
        }
    }

    private func pong() {
        guard let context, !pings.isEmpty else { return }
        let ping = pings.removeFirst()
        ping.complete(.success(.nanoseconds((context.eventLoop.now - ping.begun).nanoseconds)))
    }

    // MARK: End

    /// Tells the server that the connection ends, and ends it.
    func close(_ error: UpstreamError) {
        guard let context else { return }
        session.goAway()
        drain(context)
        tls?.shutdown()
        flush(context)
        fail(error)
    }

    /// Ends the connection and everything on it.
    private func fail(_ error: UpstreamError) {
        if case .closed = stage { return }
        let wasOpen = if case .open = stage { true } else { false }
        stage = .closed
        if wasOpen, let context {
            // The GOAWAY of nghttp2, as far as the connection still works.
            _ = writeFrames(context)
            flush(context)
        }
        timer?.cancel()
        idleTimer?.cancel()
        session.end(error)
        session.onReady = {}
        session.onPong = {}
        let waiting = pings
        pings = []
        for ping in waiting { ping.complete(.failure(error)) }
        if !isOpened {
            isOpened = true
            opened(error.unprocessed())
        }
        context?.close(promise: nil)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        fail(UpstreamError(.closed, "the connection was closed"))
        self.context = nil
    }
}

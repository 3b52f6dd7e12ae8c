internal import CMockAPNsNghttp2
internal import NIOCore

/// The HTTP/2 side of a connection to an upstream: an nghttp2 session, its requests, and their limits.
///
/// Input goes through `receive`, and output comes from `nextOutput`; neither may be called from a callback.
final class UpstreamSession {
    private let address: UpstreamAddress
    private let options: UpstreamOptions
    private var handle: OpaquePointer?
    /// The requests that have a stream.
    private var exchanges: [Int32: UpstreamExchange] = [:]
    /// The requests that wait for one, the oldest first.
    private var waiting: [UpstreamExchange] = []
    private(set) var facts = UpstreamFacts()
    /// Why the connection must end; once set, input is ignored, and pending output is still sent.
    private(set) var failure: UpstreamError?
    /// Whether the server's SETTINGS have arrived.
    private(set) var isReady = false
    /// Called when the server's SETTINGS have arrived, and when a PING is answered.
    var onReady: () -> Void = {}
    var onPong: () -> Void = {}
    /// Whether a response has accepted the connection's credentials.
    private var hasAnswered = false
    private var idleFrames = 0
    private var now: NIODeadline
    private(set) var lastActivity: NIODeadline

    /// The most that nghttp2 decompresses of a header list before the connection ends, in bytes.
    private static let hugeHeaderList = 1_048_576
    private var headerListSize = 0

    init?(_ address: UpstreamAddress, _ options: UpstreamOptions, now: NIODeadline) {
        (self.address, self.options, self.now, lastActivity) = (address, options, now, now)
        let user = Unmanaged.passUnretained(self).toOpaque()
        guard nghttp2_session_client_new2(&handle, UpstreamCallbacks.callbacks, user, UpstreamCallbacks.option) == 0
        else { return nil }
        func entry(_ id: nghttp2_settings_id, _ value: Int) -> nghttp2_settings_entry {
            nghttp2_settings_entry(settings_id: Int32(bitPattern: id.rawValue), value: UInt32(clamping: value))
        }
        let entries = [
            entry(NGHTTP2_SETTINGS_ENABLE_PUSH, 0),
            entry(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, options.limits.headerList),
        ]
        guard nghttp2_submit_settings(handle, 0, entries, entries.count) == 0 else { return nil }
    }

    deinit { nghttp2_session_del(handle) }

    /// The requests that wait or have no answer yet.
    var load: Int { exchanges.count + waiting.count }

    /// Whether further requests can be given to the session.
    var takesRequests: Bool { failure == nil && facts.goAways.isEmpty }

    /// Whether nothing remains to be done after a GOAWAY.
    var isFinished: Bool { !facts.goAways.isEmpty && load == 0 }

    /// How many streams may be open now.
    var streamLimit: Int {
        guard isReady, takesRequests, let handle else { return 0 }
        let allowed = nghttp2_session_get_remote_settings(handle, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)
        let most = min(Int(allowed), options.limits.streams)
        return options.startsWithOneStream && !hasAnswered ? min(1, most) : most
    }

    // MARK: Bytes

    func receive(_ bytes: UnsafeBufferPointer<UInt8>, now: NIODeadline) {
        self.now = now
        guard let handle, failure == nil else { return }
        if !isReady, String(decoding: bytes.prefix(7), as: UTF8.self) == "HTTP/1." {
            return end(
                UpstreamError(
                    .protocolError, "the server answered with HTTP/1", expected: "HTTP/2",
                    fix: "check the address and the port"))
        }
        let consumed = nghttp2_session_mem_recv(handle, bytes.baseAddress, bytes.count)
        if consumed < 0 { rejected(String(cString: nghttp2_strerror(CInt(consumed)))) }
        submitWaiting()
    }

    /// Returns the next bytes to send, valid until the next call; `nil` if there are none.
    func nextOutput() -> UnsafeBufferPointer<UInt8>? {
        guard let handle else { return nil }
        var start: UnsafePointer<UInt8>?
        let count = nghttp2_session_mem_send(handle, &start)
        guard count > 0 else {
            if count < 0 { rejected(String(cString: nghttp2_strerror(CInt(count)))) }
            return nil
        }
        return UnsafeBufferPointer(start: start, count: count)
    }

    // MARK: Requests

    /// Takes a request; it is sent as soon as a stream is free.
    func submit(_ exchange: UpstreamExchange, now: NIODeadline) {
        self.now = now
        lastActivity = now
        guard takesRequests else { return exchange.fail(lateError.unprocessed()) }
        guard waiting.count < options.limits.waiting else {
            return exchange.fail(
                UpstreamError(
                    .queueFull, "\(waiting.count) requests wait for a stream",
                    expected: "at most \(options.limits.waiting)", isUnprocessed: true))
        }
        waiting.append(exchange)
        submitWaiting()
    }

    private func submitWaiting() {
        while let exchange = waiting.first, exchanges.count < streamLimit {
            waiting.removeFirst()
            open(exchange)
        }
    }

    private func open(_ exchange: UpstreamExchange) {
        let request = exchange.request
        let pseudo = [
            (":method", request.method), (":scheme", address.isSecure ? "https" : "http"), (":path", request.path),
            (":authority", address.authority),
        ]
        let fields = pseudo + request.headers.map { ($0.name, $0.value) }
        // nghttp2 copies names and values before it returns.
        var bytes = fields.flatMap { Array($0.0.utf8) + Array($0.1.utf8) }
        let stream = bytes.withUnsafeMutableBufferPointer { bytes -> Int32 in
            var place = bytes.baseAddress
            func take(_ text: String) -> (UnsafeMutablePointer<UInt8>?, Int) {
                defer { place = place.map { $0 + text.utf8.count } }
                return (place, text.utf8.count)
            }
            let pairs = fields.map { name, value in
                let (name, nameCount) = take(name)
                let (value, valueCount) = take(value)
                return nghttp2_nv(name: name, value: value, namelen: nameCount, valuelen: valueCount, flags: 0)
            }
            var body = nghttp2_data_provider()
            body.read_callback = UpstreamCallbacks.readBody
            guard !request.body.isEmpty else {
                return nghttp2_submit_request(handle, nil, pairs, pairs.count, nil, nil)
            }
            return nghttp2_submit_request(handle, nil, pairs, pairs.count, &body, nil)
        }
        guard stream > 0 else {
            return exchange.fail(
                UpstreamError(
                    .closed, "the connection cannot open another stream", fix: "open another connection",
                    isUnprocessed: true))
        }
        exchange.opened(stream, at: now)
        exchanges[stream] = exchange
        facts.requests += 1
    }

    /// Ends a request whose time is over, or that is cancelled.
    func abandon(_ exchange: UpstreamExchange, _ error: UpstreamError, now: NIODeadline) {
        self.now = now
        if let stream = exchange.stream {
            exchange.problem = error
            _ = nghttp2_submit_rst_stream(handle, 0, stream, NGHTTP2_CANCEL.rawValue)
            exchange.fail(error)
        } else {
            waiting.removeAll { $0 === exchange }
            exchange.fail(error.unprocessed())
        }
    }

    /// Sends a PING.
    func ping() { _ = nghttp2_submit_ping(handle, 0, nil) }

    /// Queues a GOAWAY that tells the server that the connection ends.
    func goAway() { _ = nghttp2_submit_goaway(handle, 0, 0, NGHTTP2_NO_ERROR.rawValue, nil, 0) }

    /// Ends every request; `error` is why the connection ends.
    func end(_ error: UpstreamError) {
        failure = failure ?? error
        facts.end = facts.end ?? error
        let (open, queued) = (exchanges, waiting)
        exchanges = [:]
        waiting = []
        for (_, exchange) in open.sorted(by: { $0.key < $1.key }) { exchange.fail(exchange.problem ?? error) }
        for exchange in queued { exchange.fail(error.unprocessed()) }
    }

    private var lateError: UpstreamError {
        if let failure { return failure }
        let debug = facts.goAways.last.map { $0.debug.isEmpty ? $0.code : "\($0.code) \($0.debug)" } ?? ""
        return UpstreamError(
            .goAway, "the server ended the connection with GOAWAY \(debug)", fix: "open another connection")
    }
}

/// What nghttp2 reports.
extension UpstreamSession {
    func frameBegins() -> CInt {
        headerListSize = 0
        idleFrames += 1
        guard idleFrames > options.limits.idleFrames else { return 0 }
        rejected("more than \(options.limits.idleFrames) frames in a row without a response")
        return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue
    }

    func headersBegin(on stream: Int32) {
        guard let exchange = exchanges[stream] else { return }
        exchange.isInTrailers = exchange.isAnswered
        exchange.beginHeaders()
    }

    func headerArrived(on stream: Int32, _ name: String, _ value: String) -> CInt {
        headerListSize += name.utf8.count + value.utf8.count + 32
        guard headerListSize <= Self.hugeHeaderList else {
            rejected("a header list of more than \(Self.hugeHeaderList) bytes")
            return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue
        }
        guard let exchange = exchanges[stream], exchange.problem == nil else { return 0 }
        let wasAnswered = exchange.isAnswered
        guard exchange.take(name, value, at: now) else { return reset(stream) }
        if !wasAnswered, exchange.isAnswered {
            idleFrames = 0
            // A response to another token would be 403.
            if name == ":status", value != "403", value != "429" { hasAnswered = true }
        }
        return 0
    }

    func bodyArrived(on stream: Int32, _ bytes: UnsafeBufferPointer<UInt8>) {
        guard let exchange = exchanges[stream], exchange.problem == nil else { return }
        if !bytes.isEmpty { idleFrames = 0 }
        if !exchange.take(bytes) { _ = reset(stream) }
    }

    private func reset(_ stream: Int32) -> CInt {
        _ = nghttp2_submit_rst_stream(handle, 0, stream, NGHTTP2_CANCEL.rawValue)
        return 0
    }

    func responseEnded(on stream: Int32) {
        guard let exchange = exchanges[stream], exchange.isAnswered, exchange.problem == nil else { return }
        idleFrames = 0
        lastActivity = now
        exchange.succeed(at: now)
        // The server needs no more of a body that it has answered; the stream stays counted until it is closed.
        if exchange.sentBody < exchange.request.body.count {
            _ = nghttp2_submit_rst_stream(handle, 0, stream, NGHTTP2_NO_ERROR.rawValue)
        }
    }

    func settingsArrived(_ settings: [UpstreamFacts.Setting]) {
        facts.settings += settings.prefix(max(0, 100 - facts.settings.count))
        guard !isReady else { return }
        isReady = true
        onReady()
    }

    func goAwayArrived(_ goAway: UpstreamFacts.GoAway) {
        if facts.goAways.count < 16 { facts.goAways.append(goAway) }
        let queued = waiting
        waiting = []
        for exchange in queued { exchange.fail(lateError.unprocessed()) }
    }

    func pingAnswered() { onPong() }

    func invalidFrameArrived(on stream: Int32, _ message: String) {
        guard let exchange = exchanges[stream] else { return }
        exchange.problem =
            exchange.problem ?? UpstreamError(.protocolError, "the response breaks a rule of HTTP/2: \(message)")
    }

    /// Handles a connection error that was found on this side.
    func rejected(_ message: String) {
        failure =
            failure
            ?? UpstreamError(
                .protocolError, "the server broke a rule of HTTP/2: \(message)",
                fix: "check that the address is that of a push service")
    }

    func streamClosed(_ stream: Int32, isRefused: Bool, _ code: String) {
        guard let exchange = exchanges.removeValue(forKey: stream), !exchange.isComplete else { return }
        lastActivity = now
        if let problem = exchange.problem { return exchange.fail(problem) }
        // nghttp2 closes the streams above a GOAWAY's last one as if they were refused.
        if isRefused, let goAway = facts.goAways.last, stream > goAway.lastStream {
            return exchange.fail(lateError.unprocessed())
        }
        if isRefused {
            return exchange.fail(
                UpstreamError(
                    .refused, "the server reset the stream with REFUSED_STREAM", fix: "send the request again",
                    isUnprocessed: true))
        }
        exchange.fail(UpstreamError(.reset, "the server reset the stream with \(code)", expected: "a response"))
    }

    func bodyPart(of stream: Int32, _ target: UnsafeMutableBufferPointer<UInt8>) -> (count: Int, isLast: Bool) {
        guard let exchange = exchanges[stream] else { return (0, true) }
        let rest = exchange.request.body[exchange.sentBody...]
        let count = min(rest.count, target.count)
        _ = target.update(fromContentsOf: rest.prefix(count))
        exchange.sentBody += count
        return (count, exchange.sentBody == exchange.request.body.count)
    }
}

internal import CMockAPNsNghttp2
internal import CMockAPNsShims
internal import MockAPNsRules
internal import NIOCore

/// The HTTP/2 side of a connection: an nghttp2 session, its open streams, and their limits.
///
/// Input goes through `receive`, and output comes from `nextOutput`; neither may be called from a callback.
/// Decisions are made and submitted inside callbacks, and everything is sent when the connection drains the
/// session.
final class H2Session: ConnectionSession {
    let options: TransportOptions
    let pool: H2StreamPool
    private(set) var handle: OpaquePointer?

    /// The responder; `nil` after the connection is closed.
    private(set) var responder: (any ConnectionResponder)?
    /// The ends of the list of open streams, because nghttp2 does not report open streams when a session
    /// ends.
    private(set) var newest: H2Stream.Pointer?
    /// The last stream that was looked up, because nghttp2 reports the same one many times in a row.
    private var latest: H2Stream.Pointer?
    private(set) var liveStreams = 0

    /// Why the connection must end; once set, input is ignored, and pending output is still sent.
    var failure: CloseReason?
    /// Why the connection ends after its last stream, once that is decided.
    var departure: CloseReason?
    /// When the client closed its side; `nil` before that.
    var inputEndedAt: NIODeadline?
    /// Whether a response without a fault was submitted.
    var hasAnswered = false
    /// The highest stream whose request was answered or rejected.
    private(set) var lastAnswered: Int32 = 0
    /// The lowest stream that a fault's GOAWAY has named as the last one; a later GOAWAY must not name a
    /// higher one.
    var lowestNamed = Int32.max
    /// Whether a GOAWAY has named the last stream that is served.
    var isDeparting: Bool { departure != nil && faults?.takesNewStreams != true }
    /// The pending actions of faults; `nil` if there was no fault.
    var faults: SessionFaults?
    /// The time of the current read.
    var now: NIODeadline
    /// When the last request ended; before the first one, when the session began.
    private(set) var lastActivity: NIODeadline

    var limits: StreamLimits
    var budgets = Budgets()
    var resets = ResetStreams()
    var frames = FrameFinder()
    /// How much longer the current HEADERS frame is than the one received.
    var plainBytes = 0
    var knownFields = KnownFields()
    /// The rules for the fields of a stream that was turned away; `nil` after one was broken.
    var rulesForTurnedAway: FieldRules?
    /// Whether nghttp2 or an iteration over the streams is running, so that the session must not be deleted.
    private(set) var isBusy = false
    /// The reason for a close that was requested in the meantime.
    private var pendingClose: CloseReason?
    /// Whether the responder has handled anything since it was last told that a read is complete.
    private var hasNews = false

    /// The counters of frames that cost their sender nothing.
    struct Budgets {
        var resets = FrameBudget()
        var pings = FrameBudget()
        var settings = FrameBudget()
        var idleFrames = FrameBudget()
        var malformed = FrameBudget()
        /// The CONTINUATION frames of the current header block.
        var continuations = 0
        /// The size of the frames of the current header block so far.
        var headerBlockLength = 0
        /// The decompressed size of the current header block.
        var headerListSize = 0
    }

    /// Starts a session and queues its SETTINGS.
    ///
    /// - Throws: `CloseReason` if nghttp2 cannot create a session.
    init(
        options: TransportOptions, pool: H2StreamPool, responder: any ConnectionResponder, isAuthenticated: Bool,
        fault: ConnectionFault? = nil, now: NIODeadline
    ) throws(CloseReason) {
        let full = options.maxConcurrentStreams
        let options = fault?.applied(to: options) ?? options
        self.options = options
        self.pool = pool
        self.responder = responder
        self.now = now
        lastActivity = now
        limits = StreamLimits(
            initial: isAuthenticated ? options.maxConcurrentStreams : options.streamsBeforeAuthentication, full: full)
        handle = mockapns_nghttp2_session_server_new(
            H2Library.callbacks, Unmanaged.passUnretained(self).toOpaque(), H2Library.option, pool.memory)
        guard handle != nil else { throw CloseReason(.internalError, "out of memory") }
        submitSettings(everything: true)
        if let fault { begin(with: fault) }
    }

    deinit { close(because: CloseReason(.internalError, "the session was dropped")) }

    // MARK: Bytes

    /// Processes input from the client.
    func receive(_ bytes: UnsafeBufferPointer<UInt8>, now: NIODeadline) {
        self.now = now
        guard handle != nil, failure == nil, faults?.fate == nil else { return }
        isBusy = true
        let consumed = feed(bytes)
        isBusy = false
        // After a failure, the GOAWAY is already queued.
        guard !closeIfPending(), consumed < 0, failure == nil, faults?.fate == nil else { return }
        if consumed == Int(NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue) {
            refusePreface(ByteSpan(bytes))
        } else if mockapns_nghttp2_is_flood(CInt(consumed)) != 0 {
            fail(CloseReason(.flood, H2Library.message(CInt(consumed))), code: .enhanceYourCalm)
        } else {
            fail(CloseReason(.protocolError, H2Library.message(CInt(consumed))), code: .protocolError)
        }
    }

    /// Returns the next bytes to send, valid until the next call; `nil` if there are none.
    func nextOutput() -> UnsafeBufferPointer<UInt8>? {
        assert(!isBusy, "nghttp2 must not be drained while it is at work")
        guard let handle else { return nil }
        if let faults, faults.isMute || faults.heldUntil != nil { return faults.takeFrame() }
        var start: UnsafePointer<UInt8>?
        isBusy = true
        let count = nghttp2_session_mem_send(handle, &start)
        isBusy = false
        guard !closeIfPending() else { return nil }
        guard count >= 0 else {
            failure = failure ?? CloseReason(.internalError, H2Library.message(CInt(count)))
            return nil
        }
        return count == 0 ? faults?.takeFrame() : UnsafeBufferPointer(start: start, count: count)
    }

    func fill(_ target: UnsafeMutableRawBufferPointer) -> Int {
        var filled = 0
        // A frame has at most 16 KiB and a header. If the rest is too small, the caller sends this first.
        while target.count - filled > 16_384 + 9, let frame = nextOutput() {
            let place = UnsafeMutableRawBufferPointer(rebasing: target[filled..<filled + frame.count])
            place.copyMemory(from: UnsafeRawBufferPointer(frame))
            StreamLimits.unmark(place.bindMemory(to: UInt8.self))
            filled += frame.count
        }
        return filled
    }

    var pendingFault: (fate: ConnectionFate?, due: NIODeadline?)? {
        faults.map { ($0.isFateDue ? $0.fate : nil, $0.nextDue) }
    }

    /// Tells the responder that a read is complete.
    func readCompleted() {
        hasNews = false
        responder?.readCompleted()
    }

    /// Does the same, but only if the responder has handled anything since.
    func publishNews() { if hasNews { readCompleted() } }

    func takeHold() -> ResponseHold? { responder?.takeHold() }

    /// Whether further input is ignored.
    var isClosing: Bool { pendingClose != nil || faults?.fate != nil }

    /// Deletes the session and releases its streams.
    ///
    /// If nghttp2 is running, this happens when it has returned: a session must not be deleted inside one of
    /// its callbacks.
    func close(because reason: CloseReason) {
        guard let handle else { return }
        guard !isBusy else {
            pendingClose = pendingClose ?? reason
            return
        }
        self.handle = nil
        knownFields.removeAll()
        nghttp2_session_del(handle)
        while let stream = newest { forget(stream) }
        faults = nil
        responder?.closed(because: reason)
        responder = nil
    }

    private func closeIfPending() -> Bool {
        guard let pendingClose else { return false }
        close(because: pendingClose)
        return true
    }

    // MARK: Settings

    /// Sends SETTINGS: all of them at first, later only the stream limit.
    private func submitSettings(everything: Bool) {
        guard let handle else { return }
        func entry(_ id: nghttp2_settings_id, _ value: UInt32) -> nghttp2_settings_entry {
            nghttp2_settings_entry(settings_id: Int32(bitPattern: id.rawValue), value: value)
        }
        let streams = entry(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limits.announce())
        let all = [
            entry(NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, options.headerTableSize), streams,
            entry(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, options.initialWindowSize),
            entry(NGHTTP2_SETTINGS_MAX_FRAME_SIZE, options.maxFrameSize),
            entry(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, options.maxHeaderListSize),
        ]
        let entries = everything ? all : [streams]
        let submitted = nghttp2_submit_settings(handle, 0, entries, entries.count)
        if submitted != 0 { failure = failure ?? CloseReason(.internalError, H2Library.message(submitted)) }
    }

    /// Announces the stream limit if it has changed.
    func setStreamLimit(_ limit: UInt32) { if limits.want(limit) { submitSettings(everything: false) } }

    // MARK: Streams

    /// Returns a stream by its ID; `nil` if there is none, or if it was rejected.
    func stream(_ id: Int32) -> H2Stream.Pointer? {
        if let latest, latest.pointee.id == id { return latest }
        latest = nghttp2_session_get_stream_user_data(handle, id)?.assumingMemoryBound(to: H2Stream.self)
        return latest
    }

    /// Creates the stream of a new request; `nil` if it is rejected.
    func begin(stream id: Int32) -> H2Stream.Pointer? {
        guard !isDeparting, limits.admits(liveStreams + 1) else { return nil }
        let stream = pool.take(id: id, now: now)
        stream.pointee.next = newest
        newest?.pointee.previous = stream
        newest = stream
        latest = stream
        knownFields.begin()
        liveStreams += 1
        return stream
    }

    /// Releases a closed stream.
    func forget(_ stream: H2Stream.Pointer) {
        let (next, previous) = (stream.pointee.next, stream.pointee.previous)
        if let previous { previous.pointee.next = next } else { newest = next }
        next?.pointee.previous = previous
        liveStreams -= 1
        latest = nil
        if let faults { faults.responses[stream.pointee.id] = nil }
        pool.give(back: stream)
    }

    /// Answers a request that is complete, or as complete as it needs to be.
    func requestComplete(_ stream: H2Stream.Pointer) {
        guard stream.pointee.phase != .answered, let responder else { return }
        stream.pointee.phase = .answered
        lastAnswered = max(lastAnswered, stream.pointee.id)
        let idle = max(.zero, stream.pointee.since - lastActivity)
        stream.pointee.since = now
        lastActivity = now
        if stream.pointee.isHeaderListTooLarge { return refuse(stream, because: .headerListTooLarge) }
        hasNews = true
        let id = stream.pointee.id
        let response = stream.pointee.withRequest { responder.respond(to: $0, streamID: id, after: idle) }
        if let fault = response.fault {
            if let (reason, detail) = fault.turnsAway { return turnAway(because: reason, detail) }
            answer(response, on: stream, with: fault)
        } else {
            submit(response, on: stream)
            settle(response)
        }
    }

    /// Rejects a request without asking the responder, and informs it.
    func refuse(_ stream: H2Stream.Pointer, because problem: RequestProblem) {
        guard handle != nil, let responder else { return }
        stream.pointee.phase = .answered
        lastAnswered = max(lastAnswered, stream.pointee.id)
        stream.pointee.since = now
        hasNews = true
        let id = stream.pointee.id
        stream.pointee.withRequest { responder.refused($0, streamID: id, because: problem) }
        switch problem {
        case .headerListTooLarge:
            let response = Response(status: 431, headers: (nil, nil, nil), body: [], liftsStreamLimit: false)
            submit(response, on: stream)
        case .timedOut: _ = reset(id, .cancel)
        case .malformed, .badFrame: break  // the stream is reset already, or will be
        }
    }

    // MARK: Time

    /// Checks all timeouts.
    func tick(now: NIODeadline) {
        self.now = now
        guard failure == nil, faults?.stopsTime != true else { return }
        isBusy = true
        lookAtTimes()
        isBusy = false
        _ = closeIfPending()
    }

    /// Performs the delayed actions of faults that are due.
    func wake(now: NIODeadline) {
        self.now = now
        guard let faults else { return }
        if let until = faults.heldUntil, until <= now { faults.heldUntil = nil }
        for id in faults.due(at: now) {
            if faults.responses[id]?.response != nil { giveResponse(on: id, faults) } else { giveMore(on: id, faults) }
        }
    }

    private func lookAtTimes() {
        if let since = limits.unacknowledgedSince, now - since >= options.settingsTimeout {
            let waited = "no SETTINGS acknowledgement within \(options.settingsTimeout)"
            return fail(CloseReason(.settingsTimeout, waited), code: .settingsTimeout)
        }
        var position = newest
        while let stream = position {
            position = stream.pointee.next
            if stream.pointee.isLingering {
                if now - stream.pointee.since >= options.lingerTimeout { cutOff(stream) }
            } else if stream.pointee.phase == .answered {
                guard
                    now - stream.pointee.since < options.stallTimeout
                        || faults?.responses[stream.pointee.id]?.isHeldBack == true
                else {
                    let waited = "answers left unread behind a window for \(options.stallTimeout)"
                    return fail(CloseReason(.stalled, waited), code: .flowControlError)
                }
            } else if now - stream.pointee.since >= options.requestTimeout {
                refuse(stream, because: .timedOut)
            }
        }
        if let idle = options.idleTimeout, liveStreams == 0, now - lastActivity >= idle {
            goAway(reason: .idleTimeout, because: CloseReason(.idle, "no request for \(idle)"))
        }
        if let responder, liveStreams == 0, departure == nil, responder.watchesIdleness,
            let fault = responder.idle(for: now - lastActivity)
        {
            strikeIdle(with: fault)
        }
    }
}

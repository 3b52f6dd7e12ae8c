internal import CMockAPNsNghttp2
internal import MockAPNsRules
internal import NIOCore

/// Applies faults to the responses of a session.
extension H2Session {
    /// Returns the state of the faults, which is created for the first one.
    private func madeFaults() -> SessionFaults {
        let faults = faults ?? SessionFaults()
        self.faults = faults
        return faults
    }

    /// Begins as the fault requires.
    func begin(with fault: ConnectionFault) {
        let settings = fault.settings
        guard settings.delay != nil || settings.replaceWithGoAway != nil else { return }
        let faults = madeFaults()
        faults.heldUntil = settings.delay.map { now + .microseconds($0) }
        if let goAway = settings.replaceWithGoAway {
            faults.isMute = true
            say(goAway, on: 0, faults)
            faults.decide(goAway.close == .never ? .breaks(.blackhole) : .close)
        }
    }

    /// Responds as the fault requires: now or later.
    ///
    /// The request's bytes do not move while its stream is open, so a response that refers to them can wait.
    func answer(_ response: Response, on stream: H2Stream.Pointer, with fault: WireFault) {
        let faults = madeFaults()
        let id = stream.pointee.id
        let admitsContent = stream.pointee.admitsContent(status: response.status)
        var wait = fault.delay ?? .zero
        if let rate = fault.bytesPerSecond, fault.answers, fault.reset == nil {
            wait = wait + Self.time(of: Self.headerSize(of: response, with: fault), at: rate)
        }
        faults.responses[id] = SessionFaults.FaultyResponse(
            fault: fault, stream: stream, response: response, due: now + wait,
            body: admitsContent ? FaultyBody(response.body, with: fault.body) : FaultyBody([], with: nil))
        if let awaited = fault.awaits { faults.awaited.append((id, awaited)) }
        if wait <= .zero { giveResponse(on: id, faults) }
    }

    /// Sends a response whose delay is over.
    func giveResponse(on id: Int32, _ faults: SessionFaults) {
        guard let handle, var faulty = faults.responses[id], let response = faulty.response else { return }
        let fault = faulty.fault
        faulty.response = nil
        faulty.due = nil
        faulty.isFollowed = !fault.answers
        faulty.stream.pointee.since = now
        if fault.answers, fault.reset == nil {
            if let rate = fault.bytesPerSecond, !faulty.body.isOver {
                faulty.body.allowance = 0
                faulty.due = now + Self.time(of: Self.portion(at: rate), at: rate)
            }
            faulty.body.start = submit(response, with: faulty.body, on: faulty.stream, fault: fault)
        }
        faults.responses[id] = faulty
        guard fault.answers else { return follow(fault, on: id, faults) }
        if let code = fault.reset { _ = nghttp2_submit_rst_stream(handle, 0, id, code) }
        settle(response)
    }

    /// Allows the next bytes of a slow body.
    func giveMore(on id: Int32, _ faults: SessionFaults) {
        guard let handle, let rate = faults.responses[id]?.fault.bytesPerSecond else { return }
        let portion = Self.portion(at: rate)
        faults.responses[id]?.body.allowance = portion
        faults.responses[id]?.due = now + Self.time(of: portion, at: rate)
        // Fails if flow control already blocks the body, which is not an error.
        _ = nghttp2_session_resume_data(handle, id)
    }

    /// Continues after the last frame of a response was passed to the connection.
    func followResponse(on id: Int32, _ faults: SessionFaults) {
        guard let faulty = faults.responses[id], faulty.response == nil, !faulty.isFollowed else { return }
        faults.responses[id]?.isFollowed = true
        faults.responses[id]?.due = nil
        follow(faulty.fault, on: id, faults)
    }

    /// Applies a fault to a connection without streams.
    func strikeIdle(with fault: WireFault) { follow(fault, on: lastBegun, madeFaults()) }

    /// Performs what follows the response or replaces it.
    private func follow(_ fault: WireFault, on id: Int32, _ faults: SessionFaults) {
        if let goAway = fault.goAway { say(goAway, on: id, isLastWord: fault.connection != nil, faults) }
        if let connection = fault.connection { return faults.decide(.breaks(connection)) }
        switch fault.goAway?.close {
        case nil, .never: break
        case .drain:
            faults.takesNewStreams = fault.goAway?.lastStream == .max
            depart(because: ConnectionFate.close.reason)
        case .now:
            refuseUnfinished()
            faults.decide(.close)
        }
    }

    // MARK: Frames

    /// Sends a GOAWAY that nghttp2 does not know about, and reports it to the responder.
    ///
    /// - Parameters:
    ///   - goAway: The frame.
    ///   - id: The stream of the request, which `current` names.
    ///   - isLastWord: Whether nothing is answered after the frame.
    ///   - faults: The state of the faults.
    private func say(_ goAway: FaultAction.GoAway, on id: Int32, isLastWord: Bool = false, _ faults: SessionFaults) {
        let last: Int32 =
            switch goAway.lastStream {
            // Streams that are already open are answered before a draining connection is closed.
            case .answered: goAway.close == .drain && !isLastWord ? lastBegun : lastAnswered
            case .current: id
            case .previous: max(0, id - 2)
            case .zero: 0
            case .max: .max
            }
        lowestNamed = min(lowestNamed, last)
        faults.say(code: goAway.code.rawValue, last: last, debugData: Array(goAway.debug.utf8))
        responder?.goAwaySent(code: goAway.code.rawValue)
    }

    /// Passes a response with a fault to nghttp2; its bytes are in the stream's memory, as usual.
    ///
    /// - Returns: The offset of the body's bytes in the stream's memory.
    private func submit(
        _ response: Response, with body: FaultyBody, on stream: H2Stream.Pointer, fault: WireFault
    ) -> Int {
        var more = fault.headers
        if let length = body.announcedLength { more.append(FaultAction.Header("content-length", "\(length)")) }
        let moreBytes = more.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        let requestStart = UnsafePointer(stream.pointee.bytes)
        stream.pointee.reserve(Self.statusLength + 3 * UniqueID.textLength + moreBytes + body.bytes.count)
        let status = Self.writeStatus(response.status, to: stream)
        var headers = [Self.header(ByteSpan(":status"), status, isIndexed: true)]
        for case let header? in [response.headers.0, response.headers.1, response.headers.2] {
            headers.append(Self.header(header, in: stream, movedFrom: requestStart))
        }
        for header in more {
            let name = Self.write(Array(header.name.utf8), to: stream)
            let value = Self.write(Array(header.value.utf8), to: stream)
            headers.append(Self.header(name, value, isIndexed: true))
        }
        let start = stream.pointee.used
        _ = Self.write(body.bytes, to: stream)
        headers.withUnsafeBufferPointer { submit($0, body: body.length == 0 ? nil : readFaultyBody, on: stream) }
        return start
    }

    private static func write(_ bytes: [UInt8], to stream: H2Stream.Pointer) -> ByteSpan {
        let start = stream.pointee.used
        bytes.withUnsafeBufferPointer { stream.pointee.append(ByteSpan($0)) }
        return ByteSpan(start: UnsafePointer(stream.pointee.bytes) + start, count: bytes.count)
    }

    /// Gives nghttp2 the part of a body that may be sent.
    fileprivate func writeBody(on id: Int32, to target: UnsafeMutableBufferPointer<UInt8>) -> (Int, isLast: Bool) {
        guard let faults, var faulty = faults.responses[id] else { return (0, true) }
        let count = faulty.body.write(to: target, from: UnsafePointer(faulty.stream.pointee.bytes))
        if count > 0 { faulty.stream.pointee.since = now }
        if faulty.body.isOver { faulty.due = nil }
        faults.responses[id] = faulty
        return (count, faulty.body.isOver)
    }

    // MARK: Rates

    private static func clamped(_ rate: Int) -> Int { min(max(rate, 1), 1_000_000_000) }

    /// The bytes to send at a time: a tenth of those for a second.
    private static func portion(at rate: Int) -> Int { max(1, clamped(rate) / 10) }

    private static func time(of bytes: Int, at rate: Int) -> TimeAmount {
        .nanoseconds(Int64(bytes) * 1_000_000_000 / Int64(clamped(rate)))
    }

    private static func headerSize(of response: Response, with fault: WireFault) -> Int {
        var size = ":status".utf8.count + statusLength
        for case let header? in [response.headers.0, response.headers.1, response.headers.2] {
            size += header.name.utf8CodeUnitCount
            switch header.value {
            case .requestBytes(let bytes): size += bytes.count
            case .uniqueID: size += UniqueID.textLength
            case .channelID: size += ChannelID.textLength
            case .text(let text): size += text.utf8CodeUnitCount
            }
        }
        return fault.headers.reduce(size) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    }
}

private func readFaultyBody(
    _ session: OpaquePointer?, _ id: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ capacity: Int,
    _ flags: UnsafeMutablePointer<UInt32>?, _ source: UnsafeMutablePointer<nghttp2_data_source>?,
    _ user: UnsafeMutableRawPointer?
) -> Int {
    let target = UnsafeMutableBufferPointer(start: buffer, count: capacity)
    let (count, isLast) = Unmanaged<H2Session>.fromOpaque(user.unsafelyUnwrapped)._withUnsafeGuaranteedRef {
        $0.writeBody(on: id, to: target)
    }
    if isLast { flags.unsafelyUnwrapped.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue) }
    return count == 0 && !isLast ? Int(NGHTTP2_ERR_DEFERRED.rawValue) : count
}

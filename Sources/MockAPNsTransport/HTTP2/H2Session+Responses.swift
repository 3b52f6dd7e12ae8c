internal import CMockAPNsNghttp2
internal import MockAPNsRules

/// Passes responses to nghttp2 without copying them again.
extension H2Session {
    /// Passes a response to nghttp2.
    ///
    /// Header values and body are in the stream's memory, after the request. They stay there until the stream
    /// is closed, and frames are created before that, so nghttp2 need not copy them.
    func submit(_ response: Response, on stream: H2Stream.Pointer) {
        guard handle != nil else { return }
        let hasBody = !response.body.isEmpty && stream.pointee.admitsContent(status: response.status)
        let requestStart = UnsafePointer(stream.pointee.bytes)
        stream.pointee.reserve(Self.statusLength + 3 * UniqueID.textLength + response.body.count)
        let status = Self.writeStatus(response.status, to: stream)

        withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: 4) { headers in
            headers.initializeElement(at: 0, to: Self.header(ByteSpan(":status"), status, isIndexed: true))
            var count = 1
            func add(_ header: Response.Header?) {
                guard let header else { return }
                var field = Self.header(header, in: stream, movedFrom: requestStart)
                // The first response adds its names to the client's HPACK table, so later ones refer to them.
                if !hasAnswered { field.flags &= ~UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue) }
                headers.initializeElement(at: count, to: field)
                count += 1
            }
            add(response.headers.0)
            add(response.headers.1)
            add(response.headers.2)
            hasAnswered = true
            stream.pointee.responseBodyStart = stream.pointee.used
            stream.pointee.responseBodyLength = response.body.count
            response.body.withUnsafeBufferPointer { stream.pointee.append(ByteSpan($0)) }
            let fields = UnsafeBufferPointer(rebasing: headers[..<count])
            submit(fields, body: hasBody ? readResponseBody : nil, on: stream)
        }
    }

    /// Passes headers to nghttp2, and the function that gives it the body, if there is one.
    func submit(
        _ headers: UnsafeBufferPointer<nghttp2_nv>, body: nghttp2_data_source_read_callback?,
        on stream: H2Stream.Pointer
    ) {
        let (id, source) = (stream.pointee.id, nghttp2_data_source(ptr: UnsafeMutableRawPointer(stream)))
        let provider = nghttp2_data_provider(source: source, read_callback: body)
        let submitted = withUnsafePointer(to: provider) {
            nghttp2_submit_response(handle, id, headers.baseAddress, headers.count, body == nil ? nil : $0)
        }
        // Fails only if the stream is gone or memory is low.
        if submitted != 0 { _ = reset(id, .internalError) }
    }

    /// Tells a client that it may send the body.
    func submitContinue(on id: Int32) {
        var field = Self.header(ByteSpan(":status"), ByteSpan("100"), isIndexed: false)
        // Fails only if memory is low; then the client goes on after a while by itself.
        _ = nghttp2_submit_headers(handle, 0, id, nil, &field, 1, nil)
    }

    /// Applies the effects of a response on its connection.
    func settle(_ response: Response) {
        if response.liftsStreamLimit, !limits.isLifted {
            limits.isLifted = true
            setStreamLimit(options.maxConcurrentStreams)
        }
        if response.endsConnection { goAway(reason: nil, because: CloseReason(.tooManyErrors, "too many errors")) }
    }

    static let statusLength = 3

    /// Writes a status after the request; the caller has reserved the memory.
    static func writeStatus(_ status: UInt16, to stream: H2Stream.Pointer) -> ByteSpan {
        let start = stream.pointee.bytes + stream.pointee.used
        for (place, unit) in [100, 10, 1].enumerated() {
            start[place] = 0x30 + UInt8(truncatingIfNeeded: Int(status) / unit % 10)
        }
        stream.pointee.used += statusLength
        return ByteSpan(start: UnsafePointer(start), count: statusLength)
    }

    /// Creates a header of a response.
    ///
    /// Reserving memory for the response may have moved the request, which the value may refer to.
    static func header(
        _ header: Response.Header, in stream: H2Stream.Pointer, movedFrom requestStart: UnsafePointer<UInt8>
    ) -> nghttp2_nv {
        let name = ByteSpan(header.name)
        switch header.value {
        case .requestBytes(let bytes):
            let start = bytes.start.map { UnsafePointer(stream.pointee.bytes) + ($0 - requestStart) }
            return self.header(name, ByteSpan(start: start, count: bytes.count), isIndexed: false)
        case .uniqueID(let id, let upperCase):
            let start = stream.pointee.bytes + stream.pointee.used
            id.write(to: start, upperCase: upperCase)
            stream.pointee.used += UniqueID.textLength
            return self.header(name, ByteSpan(start: start, count: UniqueID.textLength), isIndexed: false)
        case .channelID(let id):
            // Shorter than a UUID, for which the caller has reserved memory.
            var text = id.text
            let start = stream.pointee.bytes + stream.pointee.used
            text.withUTF8 { stream.pointee.append(ByteSpan($0)) }
            return self.header(name, ByteSpan(start: start, count: ChannelID.textLength), isIndexed: false)
        case .text(let text): return self.header(name, ByteSpan(text), isIndexed: true)
        }
    }

    /// Creates a header whose name and value nghttp2 need not copy.
    ///
    /// Values that are never repeated are not added to the client's HPACK table.
    static func header(_ name: ByteSpan, _ value: ByteSpan, isIndexed: Bool) -> nghttp2_nv {
        let noCopy = NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue | NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue
        let flags = isIndexed ? noCopy : noCopy | NGHTTP2_NV_FLAG_NO_INDEX.rawValue
        return nghttp2_nv(
            name: UnsafeMutablePointer(mutating: name.start), value: UnsafeMutablePointer(mutating: value.start),
            namelen: name.count, valuelen: value.count, flags: UInt8(flags))
    }
}

private func readResponseBody(
    _ session: OpaquePointer?, _ id: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ capacity: Int,
    _ flags: UnsafeMutablePointer<UInt32>?, _ source: UnsafeMutablePointer<nghttp2_data_source>?,
    _ user: UnsafeMutableRawPointer?
) -> Int {
    let stream = source.unsafelyUnwrapped.pointee.ptr.assumingMemoryBound(to: H2Stream.self)
    let count = min(capacity, stream.pointee.responseBodyLength)
    buffer.unsafelyUnwrapped.update(from: stream.pointee.bytes + stream.pointee.responseBodyStart, count: count)
    stream.pointee.responseBodyStart += count
    stream.pointee.responseBodyLength -= count
    if stream.pointee.responseBodyLength == 0 {
        flags.unsafelyUnwrapped.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue)
    }
    return count
}

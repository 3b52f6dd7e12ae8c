internal import CMockAPNsShims
internal import MockAPNsRules
internal import NIOCore

/// One open stream: its request as it comes in, and what its answer still needs.
///
/// It lies in memory of the pool's, outside reference counting, and nghttp2 holds its address as the stream's user
/// data. It is valid from `on_begin_headers` to `on_stream_close`, or to the end of the session.
struct H2Stream {
    /// Where the request is on its way.
    enum Phase {
        case headers
        case body
        case answered
    }

    typealias Pointer = UnsafeMutablePointer<H2Stream>

    /// Neighbours in the session's list of live streams; `next` links free streams in the pool as well.
    var next: Pointer?
    var previous: Pointer?

    var id: Int32 = 0
    var phase = Phase.headers
    var isHeaderListTooLarge = false
    /// When the request began or, once it is answered, when it was.
    var since = NIODeadline.uptimeNanoseconds(0)

    /// Values of all headers and names that the rules do not know, then the body, then the answer.
    var bytes: UnsafeMutablePointer<UInt8>
    var capacity: Int
    var used = 0
    var fields: UnsafeMutablePointer<HeaderField>
    var fieldCapacity: Int
    var fieldCount = 0
    var index = HeaderIndex()
    /// The size of the header block as it came, compressed.
    var headerBlockLength = 0

    var bodyStart = 0
    var bodyKept = 0
    var bodyLength = 0

    /// Whether the answer has left before the request's end, so that the rest of the request is thrown away.
    var isLingering = false
    /// How much of it has come since.
    var discarded = 0

    /// What is left to send of the answer's body.
    var answerBodyStart = 0
    var answerBodyLength = 0

    /// The request; valid until the stream's next change.
    func withRequest<Result>(_ use: (borrowing RequestView) -> Result) -> Result {
        use(
            RequestView(
                bytes: UnsafePointer(bytes),
                fields: UnsafeBufferPointer(start: fields, count: fieldCount),
                index: index,
                body: ByteSpan(start: UnsafePointer(bytes) + bodyStart, count: bodyKept),
                bodyLength: bodyLength,
                headerBlockLength: headerBlockLength
            )
        )
    }

    /// Makes room for `count` more bytes; addresses of earlier ones may change.
    mutating func reserve(_ count: Int) {
        if used + count > capacity { grow(for: count) }
    }

    private mutating func grow(for count: Int) {
        capacity = max(capacity * 2, used + count)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: bytes, count: used)
        bytes.deallocate()
        bytes = larger
    }

    /// Copies bytes to the end.
    mutating func append(_ source: UnsafePointer<UInt8>, _ count: Int) {
        reserve(count)
        write(ByteSpan(start: source, count: count))
    }

    /// Copies bytes to the end, where there must be room.
    private mutating func write(_ span: ByteSpan) {
        guard let start = span.start else { return }
        UnsafeMutableRawPointer(bytes + used).copyMemory(from: start, byteCount: span.count)
        used += span.count
    }

    /// Keeps a header field.
    @inline(__always)
    mutating func append(name: ByteSpan, value: ByteSpan) {
        if fieldCount == fieldCapacity { growFields() }
        let token = HeaderName(name)
        index.note(token, at: fieldCount)
        if token == .other, name.hasPrefix("apns-"), hasField(named: name) { index.noteDuplicate() }
        (fields + fieldCount).initialize(
            to: HeaderField(name: token, at: used, nameLength: name.count, valueLength: value.count)
        )
        fieldCount += 1
        reserve(name.count + value.count)
        if token == .other { write(name) }
        write(value)
    }

    private mutating func growFields() {
        let larger = UnsafeMutablePointer<HeaderField>.allocate(capacity: fieldCapacity * 2)
        larger.update(from: fields, count: fieldCount)
        fields.deallocate()
        fields = larger
        fieldCapacity *= 2
    }

    private func hasField(named name: ByteSpan) -> Bool {
        (0..<fieldCount).contains { position in
            let (field, length) = (fields[position], Int(fields[position].nameLength))
            return ByteSpan(start: bytes + Int(field.valueOffset) - length, count: length).equals(name)
        }
    }
}

/// Streams of one event loop that wait for their next request, and the memory of its sessions.
final class H2StreamPool {
    /// What a usual push takes, with room for its answer.
    private static let usualCapacity = 2_048
    private static let usualFields = 24
    /// Streams kept for later; the rest is given back.
    private static let maximumFree = 4_096

    /// What nghttp2 takes its memory from; `nil` for want of memory.
    let memory = mockapns_memory_new()
    private var free: H2Stream.Pointer?
    private var freeCount = 0
    /// Streams taken and not given back.
    private(set) var inUse = 0

    deinit {
        while let stream = free {
            free = stream.pointee.next
            Self.destroy(stream)
        }
        mockapns_memory_free(memory)
    }

    /// A stream with nothing in it.
    func take(id: Int32, now: NIODeadline) -> H2Stream.Pointer {
        let stream: H2Stream.Pointer
        if let first = free {
            stream = first
            free = first.pointee.next
            freeCount -= 1
            let (bytes, fields) = (stream.pointee.bytes, stream.pointee.fields)
            let (capacity, fieldCapacity) = (stream.pointee.capacity, stream.pointee.fieldCapacity)
            stream.pointee = H2Stream(
                bytes: bytes,
                capacity: capacity,
                fields: fields,
                fieldCapacity: fieldCapacity
            )
        } else {
            stream = .allocate(capacity: 1)
            stream.initialize(
                to: H2Stream(
                    bytes: .allocate(capacity: Self.usualCapacity),
                    capacity: Self.usualCapacity,
                    fields: .allocate(capacity: Self.usualFields),
                    fieldCapacity: Self.usualFields
                )
            )
        }
        stream.pointee.id = id
        stream.pointee.since = now
        inUse += 1
        return stream
    }

    /// Takes a stream back; nobody may use it any more.
    func give(back stream: H2Stream.Pointer) {
        inUse -= 1
        let isUsual = stream.pointee.capacity <= 2 * Self.usualCapacity
        guard isUsual, stream.pointee.fieldCapacity <= 2 * Self.usualFields, freeCount < Self.maximumFree
        else {
            Self.destroy(stream)
            return
        }
        stream.pointee.next = free
        free = stream
        freeCount += 1
    }

    private static func destroy(_ stream: H2Stream.Pointer) {
        stream.pointee.bytes.deallocate()
        stream.pointee.fields.deallocate()
        stream.deinitialize(count: 1)
        stream.deallocate()
    }
}

internal import CMockAPNsShims
internal import MockAPNsRules
internal import NIOCore

/// An open stream: its request as it arrives, and the state of its response.
///
/// It is allocated by the pool, without reference counting, and nghttp2 holds its address as the stream's
/// user data. It is valid from `on_begin_headers` to `on_stream_close`, or to the end of the session.
struct H2Stream {
    /// The progress of the request.
    enum Phase {
        case headers
        case body
        case answered
    }

    typealias Pointer = UnsafeMutablePointer<H2Stream>

    /// What later streams use again.
    struct Memory {
        /// The memory for a typical push with its response.
        private static let usualCapacity = 2_048
        private static let usualFields = 24

        var bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: usualCapacity)
        var capacity = usualCapacity
        var fields = UnsafeMutablePointer<HeaderField>.allocate(capacity: usualFields)
        var fieldCapacity = usualFields

        /// Whether it is worth keeping.
        var isUsual: Bool { capacity <= 2 * Self.usualCapacity && fieldCapacity <= 2 * Self.usualFields }
    }

    /// The neighbors in the session's list of open streams; `next` also links free streams in the pool.
    var next: Pointer?
    var previous: Pointer?

    var id: Int32 = 0
    var phase = Phase.headers
    var isHeaderListTooLarge = false
    /// When the request began; after its response, when it was answered.
    var since = NIODeadline.uptimeNanoseconds(0)

    var memory: Memory
    /// The bytes used: the values of all headers and the unknown names, then the body, then the response.
    var used = 0
    var fieldCount = 0
    var index = HeaderIndex()
    var rules = FieldRules()
    /// The size of the header block as received, compressed.
    var headerBlockLength = 0
    var headerVersion: UInt64 = 0

    var bodyStart = 0
    var bodyKept = 0
    var bodyLength = 0

    /// Whether the response was sent before the request's end, so that the rest of the request is discarded.
    var isLingering = false
    /// The bytes of it received since then.
    var discarded = 0

    /// The offset of the response body's unsent part.
    var responseBodyStart = 0
    var responseBodyLength = 0

    var bytes: UnsafeMutablePointer<UInt8> { memory.bytes }

    /// Calls `use` with the request; the view is valid until the stream changes.
    func withRequest<Result>(_ use: (borrowing RequestView) -> Result) -> Result {
        use(
            RequestView(
                bytes: UnsafePointer(bytes), fields: UnsafeBufferPointer(start: memory.fields, count: fieldCount),
                index: index, body: ByteSpan(start: UnsafePointer(bytes) + bodyStart, count: bodyKept),
                bodyLength: bodyLength, headerBlockLength: headerBlockLength, headerVersion: headerVersion))
    }

    /// Whether a response may have content; sent nevertheless, it is a protocol error to clients.
    ///
    /// RFC 9110, sections 9.3.2, 15.3.5 and 15.4.5: there is none for HEAD, 204 and 304.
    func admitsContent(status: UInt16) -> Bool {
        status != 204 && status != 304 && !withRequest { $0[.method]?.equals("HEAD") == true }
    }

    /// Reserves memory for `count` more bytes; the existing bytes may move.
    mutating func reserve(_ count: Int) { if used &+ count > memory.capacity { grow(for: count) } }

    private mutating func grow(for count: Int) {
        memory.capacity = max(memory.capacity * 2, used + count)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: memory.capacity)
        larger.update(from: bytes, count: used)
        bytes.deallocate()
        memory.bytes = larger
    }

    /// Appends a copy of the bytes.
    mutating func append(_ span: ByteSpan) {
        reserve(span.count)
        write(span)
    }

    /// Appends a copy of the bytes; memory must be reserved.
    private mutating func write(_ span: ByteSpan) {
        guard let start = span.start else { return }
        UnsafeMutableRawPointer(bytes + used).copyMemory(from: start, byteCount: span.count)
        used &+= span.count
    }

    /// Indexes and stores a header field.
    mutating func append(_ token: HeaderName, name: ByteSpan, value: ByteSpan) {
        index.note(token, at: fieldCount)
        if token == .other, name.hasPrefix("apns-"), hasField(named: name) { index.hasDuplicates = true }
        store(token, name: name, value: value)
    }

    /// Stores a header field that `known` has indexed.
    @inline(__always) mutating func store(_ token: HeaderName, name: ByteSpan, value: ByteSpan) {
        if fieldCount == memory.fieldCapacity { growFields() }
        reserve(name.count &+ value.count)
        (memory.fields + fieldCount).initialize(
            to: HeaderField(name: token, at: used, nameLength: name.count, valueLength: value.count))
        fieldCount &+= 1
        if token == .other { write(name) }
        write(value)
    }

    private mutating func growFields() {
        memory.fieldCapacity *= 2
        let larger = UnsafeMutablePointer<HeaderField>.allocate(capacity: memory.fieldCapacity)
        larger.update(from: memory.fields, count: fieldCount)
        memory.fields.deallocate()
        memory.fields = larger
    }

    private func hasField(named name: ByteSpan) -> Bool {
        (0..<fieldCount).contains { position in
            let field = memory.fields[position]
            let length = Int(field.nameLength)
            return ByteSpan(start: bytes + Int(field.valueOffset) - length, count: length).equals(name)
        }
    }
}

/// The free streams of an event loop, kept for later requests, and the memory of its sessions.
final class H2StreamPool {
    /// The maximum number of free streams that are kept.
    private static let maximumFree = 4_096

    /// nghttp2's allocator; `nil` for lack of memory.
    let memory = mockapns_memory_new()
    /// Long header values that were decoded before.
    let headerMemory: UnsafeMutablePointer<mockapns_hpack_memory> = {
        let memory = UnsafeMutablePointer<mockapns_hpack_memory>.allocate(capacity: 1)
        memory.initialize(to: mockapns_hpack_memory())
        return memory
    }()
    /// Room for a HEADERS frame of the largest size that is in use, with priority.
    let plainFrame = UnsafeMutablePointer<UInt8>.allocate(capacity: Int(MOCKAPNS_HPACK_MOST) + 16)
    private var free: H2Stream.Pointer?
    private var freeCount = 0
    /// The number of streams in use.
    private(set) var inUse = 0

    deinit {
        while let stream = free {
            free = stream.pointee.next
            Self.destroy(stream)
        }
        headerMemory.deallocate()
        plainFrame.deallocate()
        mockapns_memory_free(memory)
    }

    /// Returns an empty stream.
    func take(id: Int32, now: NIODeadline) -> H2Stream.Pointer {
        let stream: H2Stream.Pointer
        if let first = free {
            stream = first
            free = first.pointee.next
            freeCount -= 1
            stream.pointee = H2Stream(memory: first.pointee.memory)
        } else {
            stream = .allocate(capacity: 1)
            stream.initialize(to: H2Stream(memory: H2Stream.Memory()))
        }
        stream.pointee.id = id
        stream.pointee.since = now
        inUse += 1
        return stream
    }

    /// Takes back a stream, which must not be used afterwards.
    func give(back stream: H2Stream.Pointer) {
        inUse -= 1
        let isKept = stream.pointee.memory.isUsual && freeCount < Self.maximumFree
        guard isKept else { return Self.destroy(stream) }
        stream.pointee.next = free
        free = stream
        freeCount += 1
    }

    private static func destroy(_ stream: H2Stream.Pointer) {
        stream.pointee.bytes.deallocate()
        stream.pointee.memory.fields.deallocate()
        stream.deinitialize(count: 1)
        stream.deallocate()
    }
}

internal import CMockAPNsNghttp2
internal import MockAPNsRules

/// The header fields of a connection's last request, to recognize those of the next one.
///
/// Providers send the same fields with every push, except for the path. HPACK keeps them in its table, and
/// nghttp2 passes the table's buffers. They are retained here, so the same address means the same bytes: such
/// a field is copied without another look at it.
struct KnownFields {
    /// A field, and what the request's names up to it amount to.
    struct Field {
        let token: HeaderName
        let nameBuffer: OpaquePointer
        /// `nil` if the value is not remembered.
        var valueBuffer: OpaquePointer?
        let name: ByteSpan
        /// Valid only if the value is remembered.
        var value: ByteSpan
        /// The value as a number if the field is `content-length`; else -1.
        var contentLength: Int
        let index: HeaderIndex
        let names: FieldRules.Names
    }

    typealias Pointer = UnsafeMutablePointer<Field>

    /// A push has about 12 fields, and its provider token some 200 bytes.
    private static let capacity = 20
    private static let largestField = 1_024

    private var fields: Pointer?
    private var count = 0
    /// The number of fields of the current request that are among the known ones; -1 when no more will be.
    private var followed = -1
    /// Whether further fields of the current request are appended.
    private var isLearning = false
    private var changes: UInt64 = 0

    /// Begins a request.
    mutating func begin() { (followed, isLearning) = (0, false) }

    /// Stops to recognize fields of the current request.
    mutating func end() { (followed, isLearning) = (-1, false) }

    /// The field that was known to follow the ones so far.
    @inline(__always) var next: Pointer? {
        UInt(bitPattern: followed) < UInt(bitPattern: count) ? fields.unsafelyUnwrapped + followed : nil
    }

    /// The last field of the current request, if all of them were known.
    var last: Pointer? { followed > 0 && !isLearning ? fields.map { $0 + followed - 1 } : nil }

    /// `RequestView.headerVersion` of the current request, after its last field.
    var version: UInt64 { followed == count ? changes : 0 }

    /// Notes that the next field was the known one.
    @inline(__always) mutating func advance() { followed &+= 1 }

    /// Whether the next field may have this value, which is in another buffer; remembers it if so.
    mutating func admits(_ value: ByteSpan, in buffer: OpaquePointer, _ rules: inout FieldRules) -> Bool {
        guard let next else { return false }
        // Some clients do not send a value by its place in HPACK's table, although it is the same.
        if next.pointee.valueBuffer != nil, value.equalsLong(next.pointee.value) { return true }
        guard rules.admits(value, of: next.pointee.token, next.pointee.name) else { return false }
        if let old = next.pointee.valueBuffer { nghttp2_rcbuf_decref(old) }
        next.pointee.valueBuffer = Self.retain(buffer, value, of: next.pointee.token)
        next.pointee.value = value
        if Self.isSteady(next.pointee.token), next.pointee.token != .other { changes += 1 }
        if next.pointee.contentLength >= 0 { next.pointee.contentLength = rules.contentLength }
        return true
    }

    /// Forgets the fields that did not follow, so that the current request's are remembered instead.
    mutating func learn() {
        guard followed >= 0, !isLearning else { return }
        truncate(to: followed)
        isLearning = true
        changes += 1
    }

    /// Remembers a valid field of the current request, or stops.
    mutating func remember(_ field: Field) {
        guard isLearning else { return }
        guard count < Self.capacity, field.name.count <= Self.largestField else { return end() }
        let start = fields ?? .allocate(capacity: Self.capacity)
        fields = start
        nghttp2_rcbuf_incref(field.nameBuffer)
        (start + count).initialize(to: field)
        start[count].valueBuffer = field.valueBuffer.flatMap { Self.retain($0, field.value, of: field.token) }
        count += 1
        followed = count
    }

    /// Releases all buffers; must be called before the session is deleted.
    mutating func removeAll() {
        end()
        truncate(to: 0)
        fields?.deallocate()
        fields = nil
    }

    private mutating func truncate(to length: Int) {
        guard let fields else { return }
        for field in UnsafeBufferPointer(start: fields + length, count: count - length) {
            nghttp2_rcbuf_decref(field.nameBuffer)
            if let value = field.valueBuffer { nghttp2_rcbuf_decref(value) }
        }
        count = length
    }

    /// Whether a header usually has the same value in all requests.
    private static func isSteady(_ name: HeaderName) -> Bool {
        name != .path && name != .apnsID && name != .apnsRequestID
    }

    /// Retains a value, unless it is too large or differs in every request.
    private static func retain(_ buffer: OpaquePointer, _ value: ByteSpan, of name: HeaderName) -> OpaquePointer? {
        guard value.count <= largestField, isSteady(name) else { return nil }
        nghttp2_rcbuf_incref(buffer)
        return buffer
    }
}

extension ByteSpan {
    /// Wraps the bytes of a buffer of nghttp2.
    init(buffer: OpaquePointer) {
        let bytes = nghttp2_rcbuf_get_buf(buffer)
        self.init(start: bytes.base, count: bytes.len)
    }
}

/// A request in the memory where the transport received it.
///
/// The view borrows its bytes. `~Copyable` prevents storing it beyond the call that it was passed to.
public struct RequestView: ~Copyable {
    @usableFromInline let bytes: UnsafePointer<UInt8>
    /// The field of each known header.
    public let headerIndex: HeaderIndex

    /// The header fields in the order received, including pseudo-header fields.
    public let fields: UnsafeBufferPointer<HeaderField>
    /// The part of the body that was kept; shorter than `bodyLength` if the body was too large.
    public let body: ByteSpan
    /// The number of body bytes received.
    public let bodyLength: Int
    /// The size of the header fields as received, compressed by HPACK, in bytes; 0 if unknown.
    public let headerBlockLength: Int
    /// A number that requests of a connection share only if they have the same known headers with the same
    /// values, except for `:path` and `apns-id`; 0 if this is unknown.
    public let headerVersion: UInt64

    /// Creates a view; every pointer must stay valid during the lifetime of the view.
    public init(
        bytes: UnsafePointer<UInt8>, fields: UnsafeBufferPointer<HeaderField>, index: HeaderIndex, body: ByteSpan,
        bodyLength: Int, headerBlockLength: Int = 0, headerVersion: UInt64 = 0
    ) {
        self.bytes = bytes
        self.fields = fields
        headerIndex = index
        self.body = body
        self.bodyLength = bodyLength
        self.headerBlockLength = headerBlockLength
        self.headerVersion = headerVersion
    }

    /// The value of a known header; the first one if it was repeated.
    @inlinable @inline(__always) public subscript(name: HeaderName) -> ByteSpan? {
        guard let position = headerIndex.position(of: name) else { return nil }
        return value(of: fields[position])
    }

    /// The value of a field of this request.
    @inlinable public func value(of field: HeaderField) -> ByteSpan {
        ByteSpan(start: bytes + Int(field.valueOffset), count: Int(field.valueLength))
    }

    /// The name of a field of this request.
    public func name(of field: HeaderField) -> ByteSpan {
        let length = Int(field.nameLength)
        return field.name == .other
            ? ByteSpan(start: bytes + Int(field.valueOffset) - length, count: length) : ByteSpan(field.name.text)
    }

    /// The values of all fields, and the names that are not known, in one contiguous range.
    ///
    /// The offsets of fields are relative to it.
    public var headerBytes: ByteSpan {
        ByteSpan(start: bytes, count: fields.last.map { Int($0.valueOffset + $0.valueLength) } ?? 0)
    }

    /// Whether a header that may occur only once was repeated.
    public var hasDuplicateHeaders: Bool { headerIndex.hasDuplicates }

    /// The ID that the client has given the request; requests of other services than pushes have another header.
    public func requestID(for service: Service) -> ByteSpan? {
        service == .push ? self[.apnsID] : self[.apnsRequestID] ?? self[.apnsID]
    }

    /// The service for the path.
    ///
    /// A push is recognized by one byte of its path.
    @inlinable public var service: Service {
        guard let path = self[.path], path.count > 2, path[1] != UInt8(ascii: "3"), path[0] == UInt8(ascii: "/"),
            path[2] == UInt8(ascii: "/")
        else { return .push }
        return path[1] == UInt8(ascii: "4") ? .broadcast : path[1] == UInt8(ascii: "1") ? .channels : .push
    }

    /// The device token part of the path, after `/3/device/`; `nil` for any other path.
    @inlinable public var devicePart: ByteSpan? {
        let prefix: StaticString = "/3/device/"
        guard let path = self[.path], path.hasPrefix(prefix) else { return nil }
        return path.dropFirst(prefix.utf8CodeUnitCount)
    }
}

extension RequestView {
    /// Passes a view of this request with one more header field, the last, to a closure.
    public func with<Result>(_ name: HeaderName, _ value: String, _ use: (borrowing RequestView) -> Result) -> Result {
        let start = headerBytes.count
        let bytes = Array(headerBytes.bytes) + Array(value.utf8)
        var index = headerIndex
        index.note(name, at: fields.count)
        let length = name.text.utf8CodeUnitCount
        let field = HeaderField(name: name, at: start, nameLength: length, valueLength: value.utf8.count)
        return bytes.withUnsafeBufferPointer { bytes in
            (Array(fields) + [field]).withUnsafeBufferPointer { fields in
                use(
                    RequestView(
                        bytes: bytes.baseAddress.unsafelyUnwrapped, fields: fields, index: index, body: body,
                        bodyLength: bodyLength, headerBlockLength: headerBlockLength, headerVersion: headerVersion))
            }
        }
    }

    /// Passes a view of a request built from plain values, laid out as the transport does, to a closure.
    ///
    /// For callers other than the transport: tests, the command line, records that are read back. Pass
    /// `bodyLength` if the body was larger than the bytes given.
    public static func withRequest<Result>(
        headers: [(name: String, value: String)], body: [UInt8], bodyLength: Int? = nil, headerBlockLength: Int = 0,
        headerVersion: UInt64 = 0, _ use: (borrowing RequestView) throws -> Result
    ) rethrows -> Result {
        var bytes: [UInt8] = []
        var fields: [HeaderField] = []
        var index = HeaderIndex()
        var strangers: Set<String> = []
        for header in headers {
            var text = header.name
            let name = text.withUTF8 { HeaderName(ByteSpan($0)) }
            index.note(name, at: fields.count)
            if name == .other, text.hasPrefix("apns-"), !strangers.insert(text).inserted { index.hasDuplicates = true }
            fields.append(
                HeaderField(
                    name: name, at: bytes.count, nameLength: text.utf8.count, valueLength: header.value.utf8.count))
            bytes += (name == .other ? Array(text.utf8) : []) + Array(header.value.utf8)
        }
        let bodyStart = bytes.count
        bytes += body
        bytes.append(0)  // so that an empty request still has an address
        return try bytes.withUnsafeBufferPointer { all in
            try fields.withUnsafeBufferPointer { fields in
                try use(
                    RequestView(
                        bytes: all.baseAddress.unsafelyUnwrapped, fields: fields, index: index,
                        body: ByteSpan(start: all.baseAddress.map { $0 + bodyStart }, count: body.count),
                        bodyLength: bodyLength ?? body.count, headerBlockLength: headerBlockLength,
                        headerVersion: headerVersion))
            }
        }
    }
}

extension RequestView {
    /// The push type from the header, or else from the topic or the payload.
    ///
    /// Inferred: how the real service treats a push without the header is unknown.
    public var deliveredType: PushType {
        .delivered(header: self[.apnsPushType], topic: self[.apnsTopic], body: body, service: service)
    }
}

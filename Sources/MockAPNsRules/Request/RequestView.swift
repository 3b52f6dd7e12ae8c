/// One request, seen where the transport received it.
///
/// The view borrows its bytes; `~Copyable` keeps it from being stored beyond the call it was handed to.
public struct RequestView: ~Copyable {
    @usableFromInline let bytes: UnsafePointer<UInt8>
    /// Which field holds each known header.
    public let headerIndex: HeaderIndex

    /// The header fields in the order received, pseudo-header fields included.
    public let fields: UnsafeBufferPointer<HeaderField>
    /// The part of the body that was kept; shorter than `bodyLength` when the body was too large to keep.
    public let body: ByteSpan
    /// The number of body bytes that arrived.
    public let bodyLength: Int
    /// The bytes that the header fields took on the wire, compressed by HPACK; 0 if unknown.
    public let headerBlockLength: Int

    /// Looks at a request; every pointer must stay valid as long as the view.
    public init(
        bytes: UnsafePointer<UInt8>,
        fields: UnsafeBufferPointer<HeaderField>,
        index: HeaderIndex,
        body: ByteSpan,
        bodyLength: Int,
        headerBlockLength: Int = 0
    ) {
        self.bytes = bytes
        self.fields = fields
        headerIndex = index
        self.body = body
        self.bodyLength = bodyLength
        self.headerBlockLength = headerBlockLength
    }

    /// The value of a header the rules know; the first one where it was repeated.
    @inlinable
    @inline(__always)
    public subscript(name: HeaderName) -> ByteSpan? {
        guard let position = headerIndex.position(of: name) else { return nil }
        return value(of: fields[position])
    }

    /// The value of a field of this request.
    @inlinable
    public func value(of field: HeaderField) -> ByteSpan {
        ByteSpan(start: bytes + Int(field.valueOffset), count: Int(field.valueLength))
    }

    /// The name of a field of this request.
    public func name(of field: HeaderField) -> ByteSpan {
        let length = Int(field.nameLength)
        return field.name == .other
            ? ByteSpan(start: bytes + Int(field.valueOffset) - length, count: length)
            : ByteSpan(field.name.text)
    }

    /// The values of all fields and the names that the rules do not know, as one run of bytes from which fields count
    /// their offsets.
    public var headerBytes: ByteSpan {
        ByteSpan(start: bytes, count: fields.last.map { Int($0.valueOffset + $0.valueLength) } ?? 0)
    }

    /// Whether a header that may occur once came twice.
    public var hasDuplicateHeaders: Bool { headerIndex.hasDuplicates }

    /// The device token part of the path: what follows `/3/device/`; `nil` when the path is another one.
    @inlinable
    public var devicePart: ByteSpan? {
        let prefix: StaticString = "/3/device/"
        guard let path = self[.path], path.hasPrefix(prefix) else { return nil }
        return path.dropFirst(prefix.utf8CodeUnitCount)
    }
}

extension RequestView {
    /// Lends a view of a request made of plain values, laid out as the transport would.
    ///
    /// For everything that is not the transport: tests, the command line, records read back. `bodyLength` is
    /// given when the body was larger than what is at hand.
    public static func withRequest<Result>(
        headers: [(name: String, value: String)],
        body: [UInt8],
        bodyLength: Int? = nil,
        headerBlockLength: Int = 0,
        _ use: (borrowing RequestView) throws -> Result
    ) rethrows -> Result {
        var bytes: [UInt8] = []
        var fields: [HeaderField] = []
        var index = HeaderIndex()
        var strangers: Set<String> = []
        for header in headers {
            var text = header.name
            let name = text.withUTF8 { HeaderName(ByteSpan($0)) }
            index.note(name, at: fields.count)
            if name == .other, text.hasPrefix("apns-"), !strangers.insert(text).inserted {
                index.noteDuplicate()
            }
            fields.append(
                HeaderField(
                    name: name,
                    at: bytes.count,
                    nameLength: text.utf8.count,
                    valueLength: header.value.utf8.count
                )
            )
            bytes += (name == .other ? Array(text.utf8) : []) + Array(header.value.utf8)
        }
        let bodyStart = bytes.count
        bytes += body
        bytes.append(0)  // so that an empty request still has an address
        return try bytes.withUnsafeBufferPointer { all in
            try fields.withUnsafeBufferPointer { fields in
                try use(
                    RequestView(
                        bytes: all.baseAddress.unsafelyUnwrapped,
                        fields: fields,
                        index: index,
                        body: ByteSpan(start: all.baseAddress.map { $0 + bodyStart }, count: body.count),
                        bodyLength: bodyLength ?? body.count,
                        headerBlockLength: headerBlockLength
                    )
                )
            }
        }
    }
}

/// The location of a header field, relative to the start of the request's bytes.
public struct HeaderField: Sendable {
    /// The header, if it is one that the rules use.
    public let name: HeaderName
    /// The length of the name in bytes, for names that the rules do not use; the value follows directly.
    ///
    /// Names that the rules use are not stored: 0.
    public let nameLength: UInt32
    /// The offset of the value's first byte.
    public let valueOffset: UInt32
    /// The length of the value in bytes.
    public let valueLength: UInt32

    /// Creates a field whose bytes begin at `offset`.
    @inlinable public init(name: HeaderName, at offset: Int, nameLength: Int, valueLength: Int) {
        self.name = name
        let kept = name == .other ? nameLength : 0
        self.nameLength = UInt32(truncatingIfNeeded: kept)
        self.valueOffset = UInt32(truncatingIfNeeded: offset &+ kept)
        self.valueLength = UInt32(truncatingIfNeeded: valueLength)
    }

    /// Returns the same field when its bytes have moved towards the beginning.
    @inlinable public func moved(back count: Int) -> HeaderField {
        HeaderField(
            name: name, at: Int(valueOffset &- nameLength) - count, nameLength: Int(nameLength),
            valueLength: Int(valueLength))
    }

    /// Returns the same field with a shorter value.
    @inlinable public func cut(to valueLength: Int) -> HeaderField {
        HeaderField(
            name: name, at: Int(valueOffset - nameLength), nameLength: Int(nameLength), valueLength: valueLength)
    }
}

/// The field of each known header in a request, and whether one was repeated.
public struct HeaderIndex: Sendable {
    /// The number of fields that are indexed; later ones are not.
    public static let limit = 0xff
    @usableFromInline static let absent: UInt64 = 0xff

    /// The position of the field, one byte for each header name.
    @usableFromInline var positions: (UInt64, UInt64) = (.max, .max)
    /// Whether `authorization` or an `apns-` header was repeated.
    ///
    /// The headers that count for DuplicateHeaders are inferred.
    public var hasDuplicates = false

    /// Creates an empty index.
    public init() {}

    /// Records that the field at `position` is the header `name`; for a repeated header, the first one is
    /// used.
    ///
    /// Fields after the 255th are recorded but not indexed: 8,000 bytes of headers cannot hold so many.
    @inlinable @inline(__always) public mutating func note(_ name: HeaderName, at position: Int) {
        guard name != .other, position < Self.absent else { return }
        guard self.position(of: name) == nil else {
            if !name.isPseudoHeader { hasDuplicates = true }
            return
        }
        let change = (Self.absent ^ UInt64(truncatingIfNeeded: position)) &<< Self.shift(name)
        if name.rawValue < 8 { positions.0 ^= change } else { positions.1 ^= change }
    }

    /// The position of the field that holds `name`.
    @inlinable public func position(of name: HeaderName) -> Int? {
        let word = name.rawValue < 8 ? positions.0 : positions.1
        let position = word &>> Self.shift(name) & Self.absent
        return position == Self.absent ? nil : Int(truncatingIfNeeded: position)
    }

    @inlinable static func shift(_ name: HeaderName) -> UInt64 { UInt64(name.rawValue & 7) * 8 }
}

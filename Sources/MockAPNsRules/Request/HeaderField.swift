/// Where one header field of a request lies, counted from the start of the request's bytes.
public struct HeaderField: Sendable {
    /// Which header this is, where it means something to the rules.
    public let name: HeaderName
    /// Length of the name among the bytes, where the rules do not know it; the value follows directly.
    ///
    /// A name that they know is not kept: 0.
    public let nameLength: UInt32
    /// Offset of the value's first byte.
    public let valueOffset: UInt32
    /// Length of the value in bytes.
    public let valueLength: UInt32

    /// Describes a field whose bytes begin at `offset`.
    @inlinable
    public init(name: HeaderName, at offset: Int, nameLength: Int, valueLength: Int) {
        self.name = name
        let kept = name == .other ? nameLength : 0
        self.nameLength = UInt32(truncatingIfNeeded: kept)
        self.valueOffset = UInt32(truncatingIfNeeded: offset + kept)
        self.valueLength = UInt32(truncatingIfNeeded: valueLength)
    }

    /// The same field with a shorter value.
    @inlinable
    public func cut(to valueLength: Int) -> HeaderField {
        HeaderField(
            name: name,
            at: Int(valueOffset - nameLength),
            nameLength: Int(nameLength),
            valueLength: valueLength
        )
    }
}

/// Which field of a request holds each known header, and whether one came twice.
public struct HeaderIndex: Sendable {
    @usableFromInline static let absent: UInt64 = 0xff

    /// A byte for each header name: the position of its field.
    @usableFromInline var positions: (UInt64, UInt64) = (.max, .max)
    /// Whether `authorization` or an `apns-` header was repeated.
    ///
    /// Which headers count for DuplicateHeaders is unknown; these are inferred.
    public var hasDuplicates: Bool { duplicates }
    @usableFromInline var duplicates = false

    /// An index of no fields.
    public init() {}

    /// Notes that the field at `position` is header `name`; the first of several is the one found later.
    ///
    /// Fields beyond the 255th are recorded, and found by nobody: 8,000 bytes of headers cannot hold so many.
    @inlinable
    @inline(__always)
    public mutating func note(_ name: HeaderName, at position: Int) {
        guard name != .other, position < Self.absent else { return }
        guard self.position(of: name) == nil else {
            if name.mayNotRepeat { duplicates = true }
            return
        }
        let change = (Self.absent ^ UInt64(truncatingIfNeeded: position)) &<< Self.shift(name)
        if name.rawValue < 8 { positions.0 ^= change } else { positions.1 ^= change }
    }

    /// Notes that an `apns-` header which the rules do not know by name was repeated.
    public mutating func noteDuplicate() { duplicates = true }

    /// The position of the field that holds `name`.
    @inlinable
    public func position(of name: HeaderName) -> Int? {
        let word = name.rawValue < 8 ? positions.0 : positions.1
        let position = word &>> Self.shift(name) & Self.absent
        return position == Self.absent ? nil : Int(truncatingIfNeeded: position)
    }

    @inlinable
    static func shift(_ name: HeaderName) -> UInt64 { UInt64(name.rawValue & 7) * 8 }
}

extension HeaderName {
    /// Whether a second field of this name makes the request a DuplicateHeaders.
    @usableFromInline var mayNotRepeat: Bool {
        switch self {
        case .authorization, .apnsID, .apnsExpiration, .apnsPriority, .apnsTopic, .apnsPushType,
            .apnsCollapseID:
            true
        case .method, .path, .scheme, .authority, .other: false
        }
    }
}

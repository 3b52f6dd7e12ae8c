/// Bytes that somebody else owns, readable only while the owner lives.
///
/// The rules look at a request where the transport received it; nothing is copied. A span must not outlive
/// the call it was handed to, which is why it is not `Sendable`.
public struct ByteSpan {
    /// The first byte; `nil` only when `count` is 0.
    public let start: UnsafePointer<UInt8>?
    /// The number of bytes.
    public let count: Int

    /// Wraps `count` bytes from `start`.
    @inlinable
    public init(start: UnsafePointer<UInt8>?, count: Int) {
        self.start = start
        self.count = count
    }

    /// Wraps a buffer.
    @inlinable
    public init(_ buffer: UnsafeBufferPointer<UInt8>) {
        self.init(start: buffer.baseAddress, count: buffer.count)
    }

    /// Whether there are no bytes.
    @inlinable public var isEmpty: Bool { count == 0 }

    /// The byte at `offset`, which must be below `count`.
    @inlinable
    public subscript(offset: Int) -> UInt8 {
        assert(offset >= 0 && offset < count)
        return start.unsafelyUnwrapped[offset]
    }

    /// The bytes from `offset` to the end; `offset` may be `count`.
    @inlinable
    public func dropFirst(_ offset: Int) -> Self {
        assert(offset >= 0 && offset <= count)
        return Self(start: start.map { $0 + offset }, count: count - offset)
    }

    /// The first `length` bytes, which must all be there.
    @inlinable
    public func prefix(_ length: Int) -> Self {
        assert(length >= 0 && length <= count)
        return Self(start: start, count: length)
    }

    /// The same bytes as a collection.
    @inlinable public var bytes: UnsafeBufferPointer<UInt8> { .init(start: start, count: count) }

    /// The bytes as text; what is not UTF-8 is repaired.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether the bytes are exactly those of `literal`.
    @inlinable
    public func equals(_ literal: StaticString) -> Bool {
        count == literal.utf8CodeUnitCount && Self.same(start, literal.utf8Start, count)
    }

    /// Whether the bytes are exactly those of `other`.
    @inlinable
    public func equals(_ other: ByteSpan) -> Bool {
        count == other.count && Self.same(start, other.start, count)
    }

    /// Whether the bytes begin with those of `literal`.
    @inlinable
    public func hasPrefix(_ literal: StaticString) -> Bool {
        count >= literal.utf8CodeUnitCount && Self.same(start, literal.utf8Start, literal.utf8CodeUnitCount)
    }

    /// Whether the bytes end with those of `literal`.
    @inlinable
    public func hasSuffix(_ literal: StaticString) -> Bool {
        let length = literal.utf8CodeUnitCount
        return count >= length && Self.same(start.map { $0 + (count - length) }, literal.utf8Start, length)
    }

    /// Whether the bytes of `literal` are somewhere in these.
    public func contains(_ literal: StaticString) -> Bool {
        let length = literal.utf8CodeUnitCount
        guard length > 0, count >= length else { return length == 0 }
        return (0...(count - length)).contains {
            dropFirst($0).hasPrefix(literal)
        }
    }

    /// The offset of the first `byte`.
    @inlinable
    public func firstIndex(of byte: UInt8) -> Int? { bytes.firstIndex(of: byte) }

    /// Whether every byte is an ASCII digit, and there is at least one.
    @inlinable public var isDigits: Bool {
        count > 0 && bytes.allSatisfy { $0 &- 0x30 < 10 }
    }

    /// Compares `count` bytes; either pointer may be `nil` when there are none.
    @usableFromInline
    static func same(_ left: UnsafePointer<UInt8>?, _ right: UnsafePointer<UInt8>?, _ count: Int) -> Bool {
        guard count > 0 else { return true }
        guard let left, let right else { return false }
        // Eight bytes at a time: provider tokens have some 200, and every push is compared with the last one.
        var offset = 0
        let (leftBytes, rightBytes) = (UnsafeRawPointer(left), UnsafeRawPointer(right))
        while offset + 8 <= count {
            let isSame =
                leftBytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                == rightBytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            guard isSame else { return false }
            offset += 8
        }
        while offset < count {
            guard left[offset] == right[offset] else { return false }
            offset += 1
        }
        return true
    }
}

internal import CMockAPNsBytes

/// Bytes with another owner, readable only during the owner's lifetime.
///
/// The rules read a request where the transport received it, without copies. A span must not outlive the call
/// that it was passed to, so it is not `Sendable`.
public struct ByteSpan {
    /// The first byte; `nil` only if `count` is 0.
    public let start: UnsafePointer<UInt8>?
    /// The number of bytes.
    public let count: Int

    /// Wraps `count` bytes from `start`.
    @inlinable public init(start: UnsafePointer<UInt8>?, count: Int) {
        self.start = start
        self.count = count
    }

    /// Wraps a buffer.
    @inlinable public init(_ buffer: UnsafeBufferPointer<UInt8>) {
        self.init(start: buffer.baseAddress, count: buffer.count)
    }

    /// Wraps the bytes of a literal.
    @inlinable public init(_ literal: StaticString) {
        self.init(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
    }

    /// Whether there are no bytes.
    @inlinable public var isEmpty: Bool { count == 0 }

    /// The byte at `offset`, which must be less than `count`.
    @inlinable public subscript(offset: Int) -> UInt8 {
        assert(offset >= 0 && offset < count)
        return start.unsafelyUnwrapped[offset]
    }

    /// The bytes from `offset` to the end; `offset` may be `count`.
    @inlinable public func dropFirst(_ offset: Int) -> Self {
        assert(offset >= 0 && offset <= count)
        return Self(start: start.map { $0 + offset }, count: count - offset)
    }

    /// The first `length` bytes; `length` must not exceed `count`.
    @inlinable public func prefix(_ length: Int) -> Self {
        assert(length >= 0 && length <= count)
        return Self(start: start, count: length)
    }

    /// The same bytes as a collection.
    @inlinable public var bytes: UnsafeBufferPointer<UInt8> { .init(start: start, count: count) }

    /// Whether all bytes are ASCII.
    package var isASCII: Bool {
        var all: UInt64 = 0
        visitWords { all |= $0 }
        return all & 0x8080_8080_8080_8080 == 0
    }

    /// Calls `use` with eight bytes at a time, and then with each of the last ones, as a number.
    @inlinable package func visitWords(_ use: (UInt64) -> Void) {
        let memory = UnsafeRawBufferPointer(bytes)
        var place = 0
        while place &+ 8 <= count {
            use(memory.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            place &+= 8
        }
        while place < count {
            use(UInt64(memory[place]))
            place &+= 1
        }
    }

    /// The bytes as text, with invalid UTF-8 repaired.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether the bytes are exactly those of `literal`.
    @inlinable @inline(__always) public func equals(_ literal: StaticString) -> Bool {
        count == literal.utf8CodeUnitCount && Self.same(start, literal.utf8Start, count)
    }

    /// Whether the bytes are exactly those of `other`.
    @inlinable @inline(__always) public func equals(_ other: ByteSpan) -> Bool {
        count == other.count && Self.same(start, other.start, count)
    }

    /// Whether the bytes are exactly those of `other`; faster than `equals` for long values.
    public func equalsLong(_ other: ByteSpan) -> Bool {
        guard count == other.count, let start, let others = other.start else { return isEmpty && other.isEmpty }
        return memcmp(start, others, count) == 0
    }

    /// Whether the bytes begin with those of `literal`.
    @inlinable @inline(__always) public func hasPrefix(_ literal: StaticString) -> Bool {
        count >= literal.utf8CodeUnitCount && Self.same(start, literal.utf8Start, literal.utf8CodeUnitCount)
    }

    /// Whether the bytes end with those of `literal`.
    @inlinable @inline(__always) public func hasSuffix(_ literal: StaticString) -> Bool {
        let length = literal.utf8CodeUnitCount
        return count >= length && Self.same(start.map { $0 + (count - length) }, literal.utf8Start, length)
    }

    /// Whether the bytes contain those of `literal`.
    public func contains(_ literal: StaticString) -> Bool {
        let length = literal.utf8CodeUnitCount
        guard length > 0, count >= length else { return length == 0 }
        return (0...(count - length)).contains { dropFirst($0).hasPrefix(literal) }
    }

    /// The offset of the first `byte`.
    public func firstIndex(of byte: UInt8) -> Int? {
        guard let start else { return nil }
        // Eight bytes at a time: the provider token of every push is split at a dot.
        let each: UInt64 = 0x0101_0101_0101_0101
        var offset = 0
        while offset + 8 <= count {
            let rest = UInt64(littleEndian: Self.word(start, offset, as: UInt64.self)) ^ UInt64(byte) &* each
            // The lowest of these bits belongs to the first byte that is 0.
            let zeros = (rest &- each) & ~rest & (0x80 &* each)
            if zeros != 0 { return offset + zeros.trailingZeroBitCount / 8 }
            offset += 8
        }
        return (offset..<count).first { start[$0] == byte }
    }

    /// The last four bytes, in memory order; 0 if there are fewer.
    var ending: UInt32 { start.map { count < 4 ? 0 : Self.word($0, count - 4, as: UInt32.self) } ?? 0 }

    /// Whether there are no spaces and no control characters.
    var hasOnlyVisible: Bool {
        guard let start else { return true }
        guard count >= 8 else { return bytes.allSatisfy { $0 > 0x20 && $0 != 0x7f } }
        // Whole words; the last one may overlap the previous one.
        return stride(from: 0, to: count - 8, by: 8).allSatisfy { Self.hasOnlyVisible(start, $0) }
            && Self.hasOnlyVisible(start, count - 8)
    }

    private static func hasOnlyVisible(_ start: UnsafePointer<UInt8>, _ offset: Int) -> Bool {
        let each: UInt64 = 0x0101_0101_0101_0101
        let word = word(start, offset, as: UInt64.self)
        let toDelete = word ^ 0x7f &* each
        // The high bit of a byte is set if it is below 0x21 or is 0x7f. Borrows only affect bytes after such
        // a byte.
        let found = (word &- 0x21 &* each) & ~word | (toDelete &- each) & ~toDelete
        return found & (0x80 &* each) == 0
    }

    /// Compares `count` bytes; either pointer may be `nil` if `count` is 0.
    ///
    /// Compares whole words; the last one may overlap the previous one. Inlinable, so that the length of a
    /// literal is known at the call site.
    @inlinable @inline(__always) static func same(
        _ left: UnsafePointer<UInt8>?, _ right: UnsafePointer<UInt8>?, _ count: Int
    ) -> Bool {
        guard count > 0 else { return true }
        guard let left, let right else { return false }
        if count >= 8 {
            var offset = 0
            while offset < count - 8 {
                guard word(left, offset, as: UInt64.self) == word(right, offset, as: UInt64.self) else { return false }
                offset += 8
            }
            return word(left, count - 8, as: UInt64.self) == word(right, count - 8, as: UInt64.self)
        }
        if count >= 4 {
            return word(left, 0, as: UInt32.self) == word(right, 0, as: UInt32.self)
                && word(left, count - 4, as: UInt32.self) == word(right, count - 4, as: UInt32.self)
        }
        return left[0] == right[0] && left[count - 1] == right[count - 1] && left[count / 2] == right[count / 2]
    }

    @inlinable @inline(__always) static func word<Word: BitwiseCopyable>(
        _ start: UnsafePointer<UInt8>, _ offset: Int, as: Word.Type
    ) -> Word { UnsafeRawPointer(start).loadUnaligned(fromByteOffset: offset, as: Word.self) }
}

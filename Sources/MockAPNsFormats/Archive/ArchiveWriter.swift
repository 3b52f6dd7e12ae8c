/// A value that can be written as bytes and read back.
///
/// `MemberwiseArchived` does it by a description; by hand it is for what has no such form, or must be fast.
package protocol Archived: SendableMetatype {
    func write(to archive: inout ArchiveWriter)
    init(from archive: inout ArchiveReader) throws(ArchiveError)
}

/// Writes values one after the other.
package struct ArchiveWriter {
    /// The version of the format, which is the first byte of an archive.
    package static let version: UInt8 = 3

    package private(set) var bytes: [UInt8]

    /// Begins an archive.
    package init() { bytes = [Self.version] }

    /// Begins another archive in the same memory.
    package mutating func restart() {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(Self.version)
    }

    package mutating func write(_ value: some Archived) { value.write(to: &self) }

    package mutating func write(byte: UInt8) { bytes.append(byte) }

    /// Writes a number in groups of seven bits, the lowest first (LEB128).
    package mutating func write(number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Writes a number that may be negative so that small ones are short: 0, -1, 1, -2 (zigzag).
    package mutating func write(signed number: Int64) { write(number: UInt64(bitPattern: number << 1 ^ number >> 63)) }

    /// Writes a number that is rarely small in eight bytes, the lowest first.
    package mutating func write(word: UInt64) {
        withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func write(count: Int) { write(number: UInt64(count)) }

    package mutating func write(bytes some: UnsafeBufferPointer<UInt8>) {
        write(count: some.count)
        bytes.append(contentsOf: some)
    }

    package mutating func write(bytes some: some Collection<UInt8>) {
        write(count: some.count)
        bytes.append(contentsOf: some)
    }
}

extension Archived {
    /// The value as an archive of its own.
    package var archive: [UInt8] {
        var archive = ArchiveWriter()
        archive.write(self)
        return archive.bytes
    }

    /// Reads a value that is an archive of its own.
    package init(archive: [UInt8]) throws(ArchiveError) {
        var reader = try ArchiveReader(archive)
        self = try reader.read()
        try reader.finish()
    }
}

/// The reason why bytes are not an archive of a value.
package enum ArchiveError: Error, Equatable, Sendable {
    /// The bytes end before the value does.
    case cutShort
    /// Something has a value that it cannot have.
    case badValue
    /// It has another version of the format.
    case otherVersion(UInt8)
}

extension ArchiveError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .cutShort: "it ends too early"
        case .badValue: "it has an invalid value"
        case .otherVersion(let version): "it has version \(version) of the format, expected \(ArchiveWriter.version)"
        }
    }
}

/// Reads values in the order in which they were written; never traps, whatever the bytes are.
package struct ArchiveReader {
    /// What the values are made with that their bytes do not have; the targets that read them know its type.
    package let context: (any Sendable)?
    private let bytes: [UInt8]
    private var position = 0

    /// Begins to read an archive.
    package init(_ bytes: [UInt8], context: (any Sendable)? = nil) throws(ArchiveError) {
        guard let version = bytes.first else { throw .cutShort }
        guard version == ArchiveWriter.version else { throw .otherVersion(version) }
        (self.bytes, self.context, position) = (bytes, context, 1)
    }

    /// The number of bytes that were not read yet.
    package var rest: Int { bytes.count - position }

    /// Throws unless everything was read.
    package func finish() throws(ArchiveError) { guard rest == 0 else { throw .badValue } }

    package mutating func read<Value: Archived>(_ type: Value.Type = Value.self) throws(ArchiveError) -> Value {
        try Value(from: &self)
    }

    package mutating func byte() throws(ArchiveError) -> UInt8 {
        guard position < bytes.count else { throw .cutShort }
        defer { position += 1 }
        return bytes[position]
    }

    package mutating func number() throws(ArchiveError) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            let next = try byte()
            // The tenth byte has the highest bit alone.
            guard shift < 63 || next <= 1 else { throw .badValue }
            number |= UInt64(next & 0x7f) << shift
            if next < 0x80 { return number }
        }
        throw .badValue
    }

    package mutating func signed() throws(ArchiveError) -> Int64 {
        let number = try number()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    package mutating func word() throws(ArchiveError) -> UInt64 {
        guard rest >= 8 else { throw .cutShort }
        defer { position += 8 }
        return bytes.withUnsafeBytes {
            UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        }
    }

    /// Reads the number of things that follow, each of at least a byte; so memory for them is never out of proportion.
    package mutating func count() throws(ArchiveError) -> Int {
        let number = try number()
        guard number <= UInt64(rest) else { throw .cutShort }
        return Int(number)
    }

    package mutating func byteString() throws(ArchiveError) -> [UInt8] {
        let count = try count()
        defer { position += count }
        return Array(bytes[position..<position + count])
    }
}

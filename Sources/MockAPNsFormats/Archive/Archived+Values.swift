extension Archived where Self: FixedWidthInteger {
    package func write(to archive: inout ArchiveWriter) {
        if Self.isSigned { archive.write(signed: Int64(self)) } else { archive.write(number: UInt64(self)) }
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        let value = Self.isSigned ? Self(exactly: try archive.signed()) : Self(exactly: try archive.number())
        guard let value else { throw .badValue }
        self = value
    }
}

extension Int: Archived {}
extension Int32: Archived {}
extension Int64: Archived {}
extension UInt8: Archived {}
extension UInt16: Archived {}
extension UInt32: Archived {}
extension UInt64: Archived {}

extension Bool: Archived {
    package func write(to archive: inout ArchiveWriter) { archive.write(byte: self ? 1 : 0) }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        switch try archive.byte() {
        case 0: self = false
        case 1: self = true
        default: throw .badValue
        }
    }
}

extension Double: Archived {
    package func write(to archive: inout ArchiveWriter) { archive.write(word: bitPattern) }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) { self.init(bitPattern: try archive.word()) }
}

extension String: Archived {
    package func write(to archive: inout ArchiveWriter) { archive.write(bytes: utf8) }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        guard let text = String(validating: try archive.byteString(), as: UTF8.self) else { throw .badValue }
        self = text
    }
}

extension Optional: Archived where Wrapped: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(self != nil)
        if let self { archive.write(self) }
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self = try archive.read(Bool.self) ? try archive.read(Wrapped.self) : nil
    }
}

extension Array: Archived where Element: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(count: count)
        for element in self { archive.write(element) }
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        let count = try archive.count()
        self.init()
        for _ in 0..<count { append(try archive.read()) }
    }
}

/// Texts in their order, so that equal sets have equal bytes.
extension Set: Archived where Element: Archived & Comparable {
    package func write(to archive: inout ArchiveWriter) { archive.write(sorted()) }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) { self.init(try archive.read([Element].self)) }
}

/// In the order of the keys, for the same reason.
extension Dictionary: Archived where Key: Archived & Comparable, Value: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(count: count)
        for (key, value) in sorted(by: { $0.key < $1.key }) {
            archive.write(key)
            archive.write(value)
        }
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        let count = try archive.count()
        self.init()
        for _ in 0..<count {
            let key = try archive.read(Key.self)
            guard updateValue(try archive.read(), forKey: key) == nil else { throw .badValue }
        }
    }
}

extension Archived where Self: RawRepresentable, RawValue: Archived {
    package func write(to archive: inout ArchiveWriter) { archive.write(rawValue) }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        guard let value = Self(rawValue: try archive.read()) else { throw .badValue }
        self = value
    }
}

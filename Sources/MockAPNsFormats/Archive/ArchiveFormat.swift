/// How a value is written as bytes, and read back: its members in order, without names.
///
/// The order and the types of the members are the format. Whoever changes them raises `ArchiveWriter.version`.
package struct ArchiveFormat<Value>: Sendable {
    fileprivate let write: @Sendable (Value, inout ArchiveWriter) -> Void
    fileprivate let read: @Sendable (inout ArchiveReader) throws(ArchiveError) -> Value

    /// The members that `make` takes, in its order.
    package init<each Member: Archived>(
        _ make: @escaping @Sendable (repeat each Member) -> Value,
        _ members: repeat any KeyPath<Value, each Member> & Sendable
    ) {
        write = { value, archive in repeat archive.write(value[keyPath: each members]) }
        read = { archive throws(ArchiveError) in make(repeat try archive.read((each Member).self)) }
    }

    /// The members that `make` takes; bytes of which it makes nothing are no value.
    package init<each Member: Archived>(
        checking make: @escaping @Sendable (repeat each Member) -> Value?,
        _ members: repeat any KeyPath<Value, each Member> & Sendable
    ) {
        write = { value, archive in repeat archive.write(value[keyPath: each members]) }
        read = { archive throws(ArchiveError) in
            guard let value = make(repeat try archive.read((each Member).self)) else { throw .badValue }
            return value
        }
    }

    /// The members in which a value may differ from `start`.
    package init<each Member: Archived>(
        changing start: @escaping @autoclosure @Sendable () -> Value,
        _ members: repeat any WritableKeyPath<Value, each Member> & Sendable
    ) {
        write = { value, archive in repeat archive.write(value[keyPath: each members]) }
        read = { archive throws(ArchiveError) in
            var value = start()
            for member in repeat each members { value[keyPath: member] = try archive.read() }
            return value
        }
    }

    /// One of several cases: the place of its row in the list, in one byte, then what the case has.
    package init(cases: ArchiveCase<Value>...) {
        write = { value, archive in
            for (number, row) in cases.enumerated() where row.write(value, number, &archive) { return }
            preconditionFailure("a case without a row: \(value)")
        }
        read = { archive throws(ArchiveError) in
            let number = Int(try archive.byte())
            guard number < cases.count else { throw .badValue }
            return try cases[number].read(&archive)
        }
    }
}

/// One case of a value that is written by `ArchiveFormat.init(cases:)`.
package struct ArchiveCase<Value>: Sendable {
    /// Writes a value with the number of this row, and returns whether it is of this case.
    fileprivate let write: @Sendable (Value, Int, inout ArchiveWriter) -> Bool
    fileprivate let read: @Sendable (inout ArchiveReader) throws(ArchiveError) -> Value

    /// A case that has something; `payload` is `nil` for the other cases.
    package init<Payload: Archived>(
        _ make: @escaping @Sendable (Payload) -> Value, _ payload: @escaping @Sendable (Value) -> Payload?
    ) {
        write = { value, number, archive in
            guard let payload = payload(value) else { return false }
            archive.write(byte: UInt8(number))
            archive.write(payload)
            return true
        }
        read = { archive throws(ArchiveError) in make(try archive.read()) }
    }

    /// A case that has nothing.
    package init(_ value: Value) where Value: Equatable & Sendable {
        write = { other, number, archive in
            guard other == value else { return false }
            archive.write(byte: UInt8(number))
            return true
        }
        read = { _ in value }
    }
}

/// A value whose bytes are described by a format.
package protocol MemberwiseArchived: Archived { static var format: ArchiveFormat<Self> { get } }

extension MemberwiseArchived {
    package func write(to archive: inout ArchiveWriter) { Self.format.write(self, &archive) }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) { self = try Self.format.read(&archive) }
}

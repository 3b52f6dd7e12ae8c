/// A reader for binary property lists (`bplist00`), as Xcode compiles `.strings` files.
///
/// An object can be used several times, so a small file can describe an enormous value, or one that contains itself: the
/// limits of depth and number hold for what is read.
struct BinaryPropertyList {
    typealias Failure = PropertyList.Failure

    private static let trailerSize = 32

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let objectCount: Int
    private let table: Int
    private var count = 0

    static func read(_ bytes: [UInt8]) throws(Failure) -> PropertyList {
        guard bytes.starts(with: "bplist00".utf8) else { throw Failure(.byte(0), "bplist00") }
        guard bytes.count >= 8 + trailerSize else {
            throw Failure(.byte(bytes.count), "a trailer of \(trailerSize) bytes")
        }
        let trailer = bytes.count - trailerSize
        func number(_ place: Int) throws(Failure) -> Int {
            let value = bytes[(trailer + place)...].prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard value < UInt64(bytes.count) else { throw Failure(.byte(trailer + place), "a number within the file") }
            return Int(value)
        }
        let (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
            throw Failure(.byte(trailer + 6), "sizes of 1 to 8 bytes")
        }
        let (objects, top, table) = (try number(8), try number(16), try number(24))
        guard table >= 8, table <= trailer, objects <= (trailer - table) / offsetSize else {
            throw Failure(.byte(trailer + 24), "a table of offsets within the file")
        }
        var file = BinaryPropertyList(
            bytes: bytes, offsetSize: offsetSize, referenceSize: referenceSize, objectCount: objects, table: table)
        return try file.object(top, from: trailer + 16, depth: 1)
    }

    /// Reads an unsigned number; `nil` if it is not within the objects or does not fit.
    private func number(at place: Int, size: Int, before end: Int) -> Int? {
        guard place >= 8, size >= 0, place <= end - size else { return nil }
        let value = bytes[place..<place + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: value)
    }

    /// Reads an object by its number, which stands at `place`.
    private mutating func object(_ index: Int, from place: Int, depth: Int) throws(Failure) -> PropertyList {
        count += 1
        guard count <= PropertyList.mostValues else {
            throw Failure(.byte(place), "at most \(PropertyList.mostValues) values")
        }
        guard depth <= PropertyList.deepest else {
            throw Failure(.byte(place), "at most \(PropertyList.deepest) levels")
        }
        guard index < objectCount else { throw Failure(.byte(place), "one of \(objectCount) objects") }
        let entry = table + index * offsetSize
        guard let start = number(at: entry, size: offsetSize, before: bytes.count), start >= 8, start < table else {
            throw Failure(.byte(entry), "the offset of an object")
        }
        let (kind, low) = (bytes[start] >> 4, Int(bytes[start] & 0xf))
        switch (kind, low) {
        case (0x0, 0x8): return .boolean(false)
        case (0x0, 0x9): return .boolean(true)
        case (0x1, 0...4): return .integer(try integer(at: start, size: 1 << low))
        case (0x2, 2), (0x2, 3): return .real(try real(at: start, size: 1 << low))
        case (0x3, 3):
            try require(start + 1, count: 8, each: 1)
            return .date
        case (0x4, _):
            let (place, count) = try extent(at: start, low)
            try require(place, count: count, each: 1)
            return .data
        case (0x5, _), (0x6, _): return .string(try text(at: start, low, isWide: kind == 6))
        case (0xa, _):
            let (place, count) = try extent(at: start, low)
            try require(place, count: count, each: referenceSize)
            var entries: [PropertyList] = []
            for entry in 0..<count {
                entries.append(try reference(at: place + entry * referenceSize, depth: depth + 1))
            }
            return .array(entries)
        case (0xd, _): return .dictionary(try members(at: start, low, depth: depth))
        default: throw Failure(.byte(start), "an object of a known kind")
        }
    }

    private mutating func reference(at place: Int, depth: Int) throws(Failure) -> PropertyList {
        guard let index = number(at: place, size: referenceSize, before: table) else {
            throw Failure(.byte(place), "the number of an object")
        }
        return try object(index, from: place, depth: depth)
    }

    private mutating func members(at start: Int, _ low: Int, depth: Int) throws(Failure) -> [String: PropertyList] {
        let (place, count) = try extent(at: start, low)
        try require(place, count: count, each: 2 * referenceSize)
        var members: [String: PropertyList] = [:]
        for entry in 0..<count {
            let place = place + entry * referenceSize
            guard let key = try reference(at: place, depth: depth + 1).string else {
                throw Failure(.byte(place), "a string as the key")
            }
            let value = try reference(at: place + count * referenceSize, depth: depth + 1)
            guard members.updateValue(value, forKey: key) == nil else {
                throw Failure(.byte(place), "every key once; \"\(key.prefix(64))\" comes twice")
            }
        }
        return members
    }

    /// Returns where the contents of an object begin, and their count: in the low bits, or as a number after them.
    private func extent(at start: Int, _ low: Int) throws(Failure) -> (place: Int, count: Int) {
        guard low == 0xf else { return (start + 1, low) }
        guard start + 1 < table, bytes[start + 1] >> 4 == 1, bytes[start + 1] & 0xf <= 3 else {
            throw Failure(.byte(start + 1), "a number of bytes or entries")
        }
        let size = 1 << Int(bytes[start + 1] & 0xf)
        guard let count = number(at: start + 2, size: size, before: table), count < bytes.count else {
            throw Failure(.byte(start + 1), "a number of bytes or entries within the file")
        }
        return (start + 2 + size, count)
    }

    private func require(_ place: Int, count: Int, each size: Int) throws(Failure) {
        // Both are below the size of the file, and a size is at most 16.
        guard place <= table, count * size <= table - place else {
            throw Failure(.byte(place), "\(count * size) bytes before the table of offsets")
        }
    }

    private func integer(at start: Int, size: Int) throws(Failure) -> Int64 {
        try require(start + 1, count: size, each: 1)
        let all = bytes[(start + 1)..<(start + 1 + size)]
        // Numbers of up to four bytes have no sign; 16 bytes are a 64-bit number without one.
        guard size < 16 || all.prefix(8).allSatisfy({ $0 == 0 }) else {
            throw Failure(.byte(start), "a number of 64 bits")
        }
        let value = all.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int64(truncatingIfNeeded: value)
    }

    private func real(at start: Int, size: Int) throws(Failure) -> Double {
        try require(start + 1, count: size, each: 1)
        let value = bytes[(start + 1)..<(start + 1 + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return size == 4 ? Double(Float(bitPattern: UInt32(value))) : Double(bitPattern: value)
    }

    private func text(at start: Int, _ low: Int, isWide: Bool) throws(Failure) -> String {
        let (place, count) = try extent(at: start, low)
        try require(place, count: count, each: isWide ? 2 : 1)
        guard isWide else {
            let all = bytes[place..<place + count]
            guard all.allSatisfy({ $0 < 0x80 }) else { throw Failure(.byte(place), "text in ASCII") }
            return String(decoding: all, as: UTF8.self)
        }
        let units = (0..<count).map { UInt16(bytes[place + 2 * $0]) << 8 | UInt16(bytes[place + 2 * $0 + 1]) }
        return String(decoding: units, as: UTF16.self)
    }
}

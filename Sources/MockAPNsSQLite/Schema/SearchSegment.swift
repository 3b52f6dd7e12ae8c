/// Entries of the table `search` for keys of one part, sorted: a row of it.
///
/// Each entry has twelve bytes, the lowest first: four of the key and eight of the push's number. A row for each entry would be
/// found as fast, but takes thirty times as long to write, and deleting pushes would have to find each of theirs.
struct SearchSegment {
    /// The number of parts into which keys are divided.
    static let partCount = 64
    private static let stride = 12

    /// The part of a key, which is positive and has 32 bits.
    static func part(of key: Int64) -> Int { Int(truncatingIfNeeded: key >> 26) }

    /// The entries.
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Writes entries, which are sorted.
    init(_ entries: [SearchEntry]) {
        bytes = [UInt8](unsafeUninitializedCapacity: entries.count * Self.stride) { memory, count in
            count = entries.count * Self.stride
            guard let start = memory.baseAddress else { return }
            for (position, entry) in entries.enumerated() {
                let target = UnsafeMutableRawPointer(start + position * Self.stride)
                let key = UInt32(truncatingIfNeeded: entry.key)
                target.storeBytes(of: key.littleEndian, as: UInt32.self)
                target.storeBytes(of: entry.seq.littleEndian, toByteOffset: 4, as: UInt64.self)
            }
        }
    }

    /// The numbers of the pushes with a key, ascending.
    ///
    /// Damaged bytes give wrong numbers or none: a search examines every push that it finds.
    func pushes(_ key: Int64) -> [UInt64] {
        bytes.withUnsafeBytes { bytes in
            func number(at position: Int) -> Int64 {
                let offset = position * Self.stride
                let stored = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                return Int64(UInt32(littleEndian: stored))
            }
            var (low, high) = (0, bytes.count / Self.stride)
            let count = high
            while low < high {
                let middle = (low + high) / 2
                if number(at: middle) < key { low = middle + 1 } else { high = middle }
            }
            var found: [UInt64] = []
            while low < count, number(at: low) == key {
                let offset = low * Self.stride + 4
                let stored = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                found.append(UInt64(littleEndian: stored))
                low += 1
            }
            return found
        }
    }
}

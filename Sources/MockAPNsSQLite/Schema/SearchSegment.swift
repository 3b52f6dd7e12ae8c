/// A row of the table `search`: the sorted entries for the keys of one part.
///
/// Each entry has twelve bytes, in little-endian order: four for the key, and eight for the number of the push. A row
/// per entry would be as fast to search, but takes thirty times as long to write, and deleting a push would have to
/// find and delete its entries.
struct SearchSegment {
    /// The number of parts that keys are divided into.
    static let partCount = 64
    private static let stride = 12

    /// Returns the part of a key, which is a 32-bit unsigned number.
    static func part(of key: Int64) -> Int { Int(truncatingIfNeeded: key >> 26) }

    /// The entries.
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Encodes entries, which must be sorted.
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

    /// Returns the numbers of the pushes with a key, in ascending order.
    ///
    /// Damaged bytes may give wrong numbers, so a search must check every push that it finds.
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

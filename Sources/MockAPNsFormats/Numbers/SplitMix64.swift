/// A seeded pseudorandom number generator: SplitMix64 (Steele, Lea and Flood, 2014).
///
/// Not for secrets.
public struct SplitMix64: RandomNumberGenerator, Sendable {
    @usableFromInline var state: UInt64

    /// Equal seeds give equal numbers.
    @inlinable public init(seed: UInt64) { state = seed }

    /// Returns the next 64 random bits.
    @inlinable public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number in `0..<1` with 53 random bits.
    public mutating func nextFraction() -> Double { Double(next() >> 11) * 0x1p-53 }
}

extension SplitMix64: Archived {
    package func write(to archive: inout ArchiveWriter) { archive.write(word: state) }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) { self.init(seed: try archive.word()) }
}

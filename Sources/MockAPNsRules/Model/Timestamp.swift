/// A moment on the world's clock, in microseconds since the UNIX epoch.
///
/// The rules never read a clock: whoever asks for a verdict says what time it is.
public struct Timestamp: Comparable, Hashable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z.
    public let microseconds: Int64

    /// A moment so many microseconds after the epoch.
    @inlinable
    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// A moment so many whole seconds after the epoch.
    @inlinable
    public init(seconds: Int64) { self.init(microseconds: seconds * 1_000_000) }

    /// Milliseconds since the epoch, as a 410 carries them.
    @inlinable public var milliseconds: Int64 { microseconds / 1_000 }

    /// Seconds since the epoch, fraction included.
    @inlinable public var seconds: Double { Double(microseconds) / 1_000_000 }

    /// Whether `left` comes before `right`.
    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }

    /// Microseconds from `earlier` to this moment; negative when it lies ahead.
    @inlinable
    public func microseconds(since earlier: Self) -> Int64 { microseconds &- earlier.microseconds }
}

/// A time on the world's clock, in microseconds since the UNIX epoch.
///
/// The rules never read a clock: the caller passes the current time.
public struct Timestamp: Comparable, Hashable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z.
    public let microseconds: Int64

    /// Creates a time from microseconds since the epoch.
    @inlinable public init(microseconds: Int64) { self.microseconds = microseconds }

    /// Creates a time from whole seconds since the epoch.
    @inlinable public init(seconds: Int64) { self.init(microseconds: seconds * 1_000_000) }

    /// Milliseconds since the epoch, as in a 410.
    @inlinable public var milliseconds: Int64 { microseconds / 1_000 }

    /// Seconds since the epoch, including the fraction.
    @inlinable public var seconds: Double { Double(microseconds) / 1_000_000 }

    /// Whether `left` comes before `right`.
    @inlinable public static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }

    /// The microseconds from `earlier` to this time; negative if `earlier` is later.
    @inlinable public func microseconds(since earlier: Self) -> Int64 { microseconds &- earlier.microseconds }
}

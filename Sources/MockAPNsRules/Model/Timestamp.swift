internal import MockAPNsFormats

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

extension Timestamp {
    /// The last second of the year 9999, the maximum of RFC 3339, in UNIX seconds.
    package static let lastWritableSecond = 253_402_300_799.0

    /// The times that RFC 3339 can express: the years 1 to 9999.
    public static let writable =
        Self(microseconds: RFC3339.writable.lowerBound)...Self(microseconds: RFC3339.writable.upperBound)

    /// The time in RFC 3339 format, in UTC with microseconds.
    package var rfc3339: String { RFC3339.text(microseconds) }

    /// Parses a time in RFC 3339 format with any offset; digits beyond microseconds are dropped.
    ///
    /// A leap second is rejected, because UNIX time cannot express it.
    public init?(rfc3339 text: String) {
        guard let microseconds = RFC3339.microseconds(text) else { return nil }
        self.init(microseconds: microseconds)
    }
}

internal import MockAPNsFormats

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

internal import MockAPNsFormats

extension Timestamp {
    /// The last moment of the year 9999, beyond which RFC 3339 has no way to write a time, in UNIX seconds.
    package static let lastWritableSecond = 253_402_300_799.0

    /// What can be written: the years 1 to 9999.
    public static let writable =
        Timestamp(
            microseconds: RFC3339.writable.lowerBound
        )...Timestamp(
            microseconds: RFC3339.writable.upperBound
        )

    /// The moment as RFC 3339 writes it, in UTC and with microseconds.
    package var rfc3339: String { RFC3339.text(microseconds) }

    /// Reads a time as RFC 3339 writes it, with any offset; digits beyond microseconds are dropped.
    ///
    /// A leap second is refused: UNIX time has no place for it.
    public init?(rfc3339 text: String) {
        guard let microseconds = RFC3339.microseconds(text) else { return nil }
        self.init(microseconds: microseconds)
    }
}

/// A way to write a time that was taken for UNIX seconds.
///
/// To add one, add a row.
package enum WrittenTime {
    /// A unit that is smaller than a second.
    package struct Row: Sendable {
        /// The plural, as in messages.
        package let name: String
        package let perSecond: Int64
    }

    /// The least number that is taken for milliseconds: as seconds, it is in the year 33658.
    package static let firstMilliseconds = 1e12

    private static let rows = [
        Row(name: "nanoseconds", perSecond: 1_000_000_000), Row(name: "microseconds", perSecond: 1_000_000),
        Row(name: "milliseconds", perSecond: 1_000),
    ]
    /// The seconds from 1970 to 2001, where the dates of Apple's frameworks begin.
    private static let referenceDate = 978_307_200.0
    /// How far a date may be from the clock, and still be recognized as one that counts from 2001; ten years.
    private static let nearby = 315_360_000.0

    /// Returns the unit that a time is probably in, if it is too large for seconds.
    package static func of(_ time: Double) -> Row? {
        guard time >= firstMilliseconds else { return nil }
        return rows.first { time / Double($0.perSecond) >= firstMilliseconds / 1_000 }
    }

    /// Returns the UNIX seconds of a time that probably counts from 2001.
    package static func since2001(_ seconds: Double, at now: Double) -> Int? {
        let meant = seconds + referenceDate
        return abs(meant - now) < nearby && seconds < now - nearby ? Int(meant) : nil
    }
}

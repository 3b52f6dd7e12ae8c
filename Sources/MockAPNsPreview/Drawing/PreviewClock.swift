internal import MockAPNsFormats
internal import MockAPNsRules

/// A time and date as shown on the lock screen, in English.
struct PreviewClock {
    private static let weekdays = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    let time: String
    /// The date, such as `Monday, January 5`.
    let date: String

    init(_ moment: Timestamp, _ timeZone: UTCOffset = .utc) {
        // Outside the writable range, the fields of the text would be elsewhere.
        let local = Self.writable(moment.microseconds) + Int64(timeZone.minutes) * 60_000_000
        let moment = Timestamp(microseconds: Self.writable(local))
        // In RFC 3339, all fields have fixed offsets.
        let text = Array(moment.rfc3339)
        func number(_ place: Int) -> Int { Int(String(text[place..<place + 2])) ?? 1 }
        time = "\(number(11)):\(String(text[14..<16]))"
        let (days, rest) = moment.microseconds.quotientAndRemainder(dividingBy: 86_400_000_000)
        let day = rest < 0 ? days - 1 : days
        // 1970-01-01 was a Thursday.
        let weekday = Self.weekdays[Int((day % 7 + 7) % 7)]
        date = "\(weekday), \(Self.months[number(5) - 1]) \(number(8))"
    }

    private static func writable(_ microseconds: Int64) -> Int64 {
        min(max(microseconds, RFC3339.writable.lowerBound), RFC3339.writable.upperBound)
    }

    /// Returns the abbreviated time between two moments, such as `5m ago`.
    static func age(of moment: Timestamp, at later: Timestamp) -> String {
        let minutes = max(0, later.microseconds - moment.microseconds) / 60_000_000
        return switch minutes {
        case 0: "now"
        case 1..<60: "\(minutes)m ago"
        case 60..<1_440: "\(minutes / 60)h ago"
        default: "\(minutes / 1_440)d ago"
        }
    }
}

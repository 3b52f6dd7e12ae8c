internal import MockAPNsFormats

extension DurationText {
    static let expected = "a duration such as 500ms, 5s, 20m, 1h or 30d"

    /// The duration in milliseconds, from 0 on.
    static func milliseconds(_ text: String) throws -> Int64 {
        if text == "0" { return 0 }
        guard let time = microseconds(text), (0...longest).contains(time) else {
            throw Settings.Expected(expected)
        }
        return time / 1_000
    }
}

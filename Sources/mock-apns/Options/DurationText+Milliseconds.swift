internal import MockAPNsFormats

extension DurationText {
    static let expected = "a duration such as 500ms, 5s, 20m, 1h or 30d"

    /// The duration in milliseconds, 0 or more.
    static func milliseconds(_ text: String) throws -> Int64 {
        if text == "0" { return 0 }
        guard let time = microseconds(text), (0...longest).contains(time) else {
            throw OptionReader.Expected(expected)
        }
        return time / 1_000
    }

    /// The duration in milliseconds that an option says.
    static func milliseconds(_ text: String, option: String) throws -> Int64 {
        guard let time = try? milliseconds(text) else {
            throw CommandFailure(.usage, "invalid \(option) '\(text)': expected \(expected)")
        }
        return time
    }
}

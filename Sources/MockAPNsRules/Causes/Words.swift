/// The words of hints for values.
enum Words {
    /// A value of the request, cut and without line breaks.
    static func quoted(_ text: String) -> String {
        if text.isEmpty { return "empty" }
        return text.count > 80 ? "'\(text.prefix(60))…'" : "'\(text)'"
    }

    /// A value to be sent as it is here, so it is not cut.
    static func whole(_ text: String) -> String { "'\(text)'" }

    static func list(_ values: [String], else none: String = "none") -> String {
        guard !values.isEmpty else { return none }
        let more = values.count > 5 ? " and \(values.count - 5) more" : ""
        return values.prefix(5).joined(separator: ", ") + more
    }

    /// A length of time in seconds, in its three largest units.
    static func duration(_ seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) < 1e11 else { return "a very long time" }
        let total = Int(abs(seconds))
        let units = [("day", 86_400), ("h", 3_600), ("min", 60), ("s", 1)]
        guard let first = units.firstIndex(where: { total >= $0.1 }) else { return "less than a second" }
        var rest = total
        return units[first...].prefix(3).compactMap { name, size in
            let count = rest / size
            rest %= size
            return count == 0 ? nil : "\(count) \(name == "day" && count > 1 ? "days" : name)"
        }.joined(separator: " ")
    }

    /// A time in UNIX seconds as a date, to the second; as a number outside the calendar.
    static func moment(_ seconds: Double) -> String {
        guard (0...Timestamp.lastWritableSecond).contains(seconds) else { return number(seconds) }
        return "\(Timestamp(seconds: Int64(seconds)).rfc3339.prefix(19))Z"
    }

    /// A number without an exponent or needless fraction.
    static func number(_ value: Double) -> String { Int64(exactly: value).map(String.init) ?? "\(value)" }
}

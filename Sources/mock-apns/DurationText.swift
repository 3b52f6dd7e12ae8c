/// Durations as people write them: `500ms`, `5s`, `20m`, `1h`, `30d`.
enum DurationText {
    static let expected = "a duration such as 500ms, 5s, 20m, 1h or 30d"

    /// The duration in milliseconds.
    static func milliseconds(_ text: String) throws -> Int64 {
        let units: [(suffix: String, milliseconds: Int64)] = [
            ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
        ]
        for unit in units where text.hasSuffix(unit.suffix) {
            guard let count = Int64(text.dropLast(unit.suffix.count)), count >= 0 else { continue }
            let (product, overflow) = count.multipliedReportingOverflow(by: unit.milliseconds)
            if !overflow, product <= 100 * 365 * 86_400_000 { return product }
        }
        if text == "0" { return 0 }
        throw Settings.Expected(expected)
    }
}

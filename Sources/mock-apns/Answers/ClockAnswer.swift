/// The clock of the simulated service, as the API shows it.
struct ClockAnswer: Decodable {
    let mode: String
    let now: String
    let offsetSeconds: Double
    let nextDue: String?

    /// What it shows.
    var lines: [(name: String, value: String)] {
        var lines: [(name: String, value: String)] = [("clock", mode), ("now", now)]
        if mode == "real", offsetSeconds != 0 {
            let sign = offsetSeconds < 0 ? "behind" : "ahead of"
            let seconds = abs(offsetSeconds)
            let amount = Int64(exactly: seconds).map(String.init) ?? "\(seconds)"
            lines.append(("offset", "\(amount) s \(sign) the system's"))
        }
        lines.append(("next due", nextDue ?? "nothing"))
        return lines
    }
}

/// What became of a change to the clock, as the API shows it.
struct ClockChangeAnswer: Decodable {
    let clock: ClockAnswer
    let report: DeliveryAnswer

    init(from decoder: any Decoder) throws {
        clock = try ClockAnswer(from: decoder)
        report = try DeliveryAnswer(from: decoder)
    }

    /// What it shows, and what happened because it was moved.
    func text(full: Bool) -> String {
        let happened = report.isEmpty ? [("happened", "nothing was due")] : report.lines(full: full)
        return Table.sheet(clock.lines + happened)
    }
}

internal import MockAPNsAPI

extension APIObject<ClockShape> {
    /// What it shows.
    var lines: [(name: String, value: String)] {
        var lines: [(name: String, value: String)] = [("clock", self.mode), ("now", self.now)]
        if self.mode == "real", self.offsetSeconds != 0 {
            let sign = self.offsetSeconds < 0 ? "behind" : "ahead of"
            let seconds = abs(self.offsetSeconds)
            let amount = Int64(exactly: seconds).map(String.init) ?? "\(seconds)"
            lines.append(("offset", "\(amount) s \(sign) the system's"))
        }
        lines.append(("next due", self.nextDue ?? "nothing"))
        return lines
    }
}

extension APIObject<ClockSetShape> {
    /// What it shows, and what happened because it was moved.
    func text(full: Bool) -> String {
        let happened =
            self.deliveries.isEmpty ? [("happened", "nothing was due")] : self.deliveries.lines(full: full)
        return Table.sheet(self.clock.lines + happened)
    }
}

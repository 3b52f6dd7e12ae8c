internal import MockAPNsAPI

extension APIObject<FaultShape> {
    var sentence: String {
        Terminal.output.paragraph(
            "\(self.id) is \(self.enabled ? "on" : "off") at position \(self.position): \(self.description.action), \(self.description.when)"
        )
    }

    var row: [any CellText] {
        [
            "\(self.position)", self.id, self.enabled ? "on" : "off", self.description.action, self.description.when,
            "\(self.stats.evaluated)", "\(self.stats.fired)", self.stats.lastFiredAt.map(TerminalText.time) ?? "-",
            self.name ?? self.preset ?? "-",
        ]
    }
}

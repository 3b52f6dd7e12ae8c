internal import MockAPNsAPI

extension APIObject<RegistrationShape> {
    /// Whether the app is on the device, with this token.
    var isInstalled: Bool { self.state != "uninstalled" && self.state != "rotated" }

    /// What people call its device.
    var deviceName: String { self.label ?? self.device }

    /// What the app is doing, and whether it may show notifications.
    var condition: String { "\(self.appState), notifications \(self.notificationsEnabled ? "on" : "off")" }

    /// Everything that is known of it.
    var sheet: String {
        var lines: [(name: String, value: String)] = [
            ("token", self.token),
            ("state", self.state + (self.deadSince.map { " since \(TerminalText.time($0))" } ?? "")),
            ("app", condition),
            ("badge", self.badge?.map { "\($0)" } ?? "none"),
            ("pushes", "\(self.accepted) accepted, \(self.delivered) delivered, \(self.discarded) discarded"),
            ("last push", self.lastPush ?? "none"),
        ]
        if let stored = self.stored {
            lines.append(
                ("waiting", stored + (self.storedUntil.map { " until \(TerminalText.time($0))" } ?? ""))
            )
        }
        if let held = self.held { lines.append(("held", "\(held) until the app is launched")) }
        let sheet = Table.sheet(lines.map { ("  \($0.name)", $0.value) })
        return "\(TerminalText.plain(self.topic)) (\(self.environment))\n\(sheet)"
    }
}

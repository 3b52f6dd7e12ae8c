internal import MockAPNsAPI

extension APIObject<DeviceShape> {
    var name: String { self.label ?? self.id }

    var condition: String {
        let words = [
            self.state, self.lowPower ? "low power" : nil, self.connectedClients > 0 ? "connected" : nil,
        ]
        return words.compactMap { $0 }.joined(separator: ", ")
    }

    var sheet: String {
        let since = self.offlineSince.map { " since \(TerminalText.time($0))" } ?? ""
        let device = Table.sheet([
            ("device", self.label.map { "\($0)  \(self.id)" } ?? self.id),
            ("state", condition + since),
            ("origin", self.origin),
            ("badge", self.badge?.map { "\($0)" } ?? "none"),
            ("pushes", "\(self.delivered) delivered, \(self.discarded) discarded, \(self.stored) waiting"),
            ("last push", self.lastPush?.id ?? "none"),
        ])
        let apps = self.registrations.map(\.sheet)
        return ([device] + (apps.isEmpty ? ["no apps"] : apps)).joined(separator: "\n\n")
    }

    /// A line for each device, followed by its other apps.
    static func table(_ devices: [APIObject<DeviceShape>], full: Bool) -> String {
        let columns: [Table.Column] = [
            "DEVICE", "STATE", .number("STORED"), .number("DELIVERED"), "LAST PUSH",
            "TOPIC", "TOKEN",
        ]
        let rows = devices.flatMap { device in
            let own = [
                device.name, device.condition, "\(device.stored)", "\(device.delivered)",
                device.lastPush?.id ?? "-",
            ]
            let apps = device.registrations.filter(\.isInstalled).map { app in
                [app.topic, full ? app.token : TerminalText.shortened(token: app.token)]
            }
            return joined(own, apps.isEmpty ? [["-", "-"]] : apps)
        }
        return Table.text(columns, of: rows) { $0 }
    }

    /// One row for each app, of which only the first describes the device.
    fileprivate static func joined(_ device: [String], _ apps: [[String]]) -> [[String]] {
        let others = apps.dropFirst().map { device.map { _ in "" } + $0 }
        return [device + apps[0]] + others
    }
}

extension APIObject<DevicesPutShape> {
    func table(full: Bool) -> String {
        let columns: [Table.Column] = ["DEVICE", "ID", "TOPIC", "ENVIRONMENT", "TOKEN"]
        let rows = self.devices.flatMap { device in
            let apps = device.registrations.map { app in
                let token = full ? app.token : TerminalText.shortened(token: app.token)
                return [app.topic, app.environment, token]
            }
            let own = [device.label ?? "-", device.id]
            return APIObject<DeviceShape>.joined(own, apps.isEmpty ? [["-", "-", "-"]] : apps)
        }
        return Table.text(columns, of: rows) { $0 }
    }
}

extension APIObject<RegistrationShape> {
    /// Whether the app is on the device, with this token.
    var isInstalled: Bool { self.state != "uninstalled" && self.state != "rotated" }

    var deviceName: String { self.label ?? self.device }

    /// What the app is doing, and whether it may show notifications.
    var condition: String { "\(self.appState), notifications \(self.notificationsEnabled ? "on" : "off")" }

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

internal import MockAPNsAPI

extension APIObject<DeviceShape> {
    /// What people call it.
    var name: String { self.label ?? self.id }

    /// Its state in one or few words.
    var condition: String {
        let words = [
            self.state, self.lowPower ? "low power" : nil, self.connectedClients > 0 ? "connected" : nil,
        ]
        return words.compactMap { $0 }.joined(separator: ", ")
    }

    /// Everything that is known of it.
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

    /// A line for each device; its further apps stand below it.
    static func table(_ devices: [APIObject<DeviceShape>], full: Bool) -> String {
        var table = Table([
            .text("DEVICE"), .text("STATE"), .number("STORED"), .number("DELIVERED"), .text("LAST PUSH"),
            .text("TOPIC"), .text("TOKEN"),
        ])
        for device in devices {
            let apps = device.registrations.filter(\.isInstalled).map { app in
                [app.topic, full ? app.token : TerminalText.shortened(token: app.token)]
            }
            table.rows.append(
                [
                    device.name, device.condition, "\(device.stored)", "\(device.delivered)",
                    device.lastPush?.id ?? "-",
                ] + (apps.first ?? ["-", "-"])
            )
            table.rows += apps.dropFirst().map { ["", "", "", "", ""] + $0 }
        }
        return table.text
    }
}

extension APIObject<DevicesPutShape> {
    /// A line for each app.
    func table(full: Bool) -> String {
        var table = Table([
            .text("DEVICE"), .text("ID"), .text("TOPIC"), .text("ENVIRONMENT"), .text("TOKEN"),
        ])
        for device in self.devices {
            let apps = device.registrations.map { app in
                let token = full ? app.token : TerminalText.shortened(token: app.token)
                return [app.topic, app.environment, token]
            }
            table.rows.append([device.label ?? "-", device.id] + (apps.first ?? ["-", "-", "-"]))
            table.rows += apps.dropFirst().map { ["", ""] + $0 }
        }
        return table.text
    }
}

internal import MockAPNsAPI

extension APIObject<DeviceShape> {
    var name: String { self.label ?? self.id }

    var condition: String {
        self.state + (self.lowPower ? ", low power" : "") + (self.connectedClients > 0 ? ", connected" : "")
    }

    var sheet: String {
        let since = self.offlineSince.map { " since \(TerminalText.time($0))" } ?? ""
        let device = Table.sheet([
            ("device", self.label.map { "\($0)  \(self.id)" } ?? self.id), ("state", condition + since),
            ("os", self.ifGiven(\.os).map { "iOS \($0)" }), ("origin", self.origin),
            ("badge", self.badge?.map { "\($0)" } ?? "none"),
            ("pushes", "\(self.delivered) delivered, \(self.discarded) discarded, \(self.stored) waiting"),
            ("last push", self.lastPush?.id ?? "none"),
            ("activities", self.ifGiven(\.activities).flatMap { $0 > 0 ? "\($0)" : nil }),
            ("enrolled", self.pushMagic.map { "PushMagic \($0)" }),
            ("channels", self.subscriptions.isEmpty ? nil : self.subscriptions.joined(separator: " ")),
        ])
        let apps = self.registrations.map(\.sheet)
        return ([device] + (apps.isEmpty ? ["no apps"] : apps)).joined(separator: "\n\n")
    }

    static func table(_ devices: [APIObject<DeviceShape>], full: Bool) -> String {
        let columns: [Table.Column] = [
            "DEVICE", "STATE", .number("STORED").optional(1), .number("DELIVERED").optional(2),
            .fixed("LAST PUSH").optional(4), .name("TOPIC"), .fixed("TOKEN").optional(3),
        ]
        let rows = devices.flatMap { device in
            let counts = ["\(device.stored)", "\(device.delivered)"]
            let own = [device.name, device.condition] + counts + [device.lastPush?.id ?? "-"]
            let apps = device.registrations.filter(\.isInstalled).map { app in
                [app.topic, TerminalText.token(app.token, full: full)]
            }
            return joined(own, apps.isEmpty ? [["-", "-"]] : apps)
        }
        return Table.text(columns, of: rows) { $0 }
    }

    /// One row for each app, of which only the first describes the device.
    fileprivate static func joined(_ device: [String], _ apps: [[String]]) -> [[String]] {
        apps.enumerated().map { index, app in device.map { index == 0 ? $0 : "" } + app }
    }
}

extension APIObject<DevicesPutShape> {
    func table(full: Bool) -> String {
        let columns: [Table.Column] = [
            "DEVICE", .fixed("ID").optional(2), .name("TOPIC"), .fixed("ENVIRONMENT").optional(1), .fixed("TOKEN"),
        ]
        let rows = self.devices.flatMap { device in
            let apps = device.registrations.map { app in
                [app.topic, app.environment, TerminalText.token(app.token, full: full)]
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

    var condition: String { "\(self.appState), notifications \(self.notificationsEnabled ? "on" : "off")" }

    var sheet: String {
        let end = self.storedUntil.map { " until \(TerminalText.time($0))" } ?? ""
        let lines: [(name: String, value: String?)] = [
            ("token", self.token),
            ("state", self.state + (self.deadSince.map { " since \(TerminalText.time($0))" } ?? "")),
            ("app", condition), ("badge", self.badge?.map { "\($0)" } ?? "none"),
            ("pushes", "\(self.accepted) accepted, \(self.delivered) delivered, \(self.discarded) discarded"),
            ("last push", self.lastPush ?? "none"), ("waiting", self.stored.map { $0 + end }),
            ("held", self.held.map { "\($0) until the app is launched" }),
        ]
        let sheet = Table.sheet(lines.map { ("  \($0.name)", $0.value) })
        let title = TerminalText.plain("\(self.topic) (\(self.environment))")
        return "\(Terminal.output.styled(title, .heading))\n\(sheet)"
    }
}

extension APIObject<DeliveriesShape> {
    /// How many entries of a list are printed unless all are asked for.
    private static let shownEntries = 4

    func lines(full: Bool) -> [(name: String, value: String?)] {
        let tokens = self.inactive.map { TerminalText.token($0, full: full) }
        let activities = (self.ifGiven(\.activities) ?? []).map { "\($0.id) \($0.event)" }
        let lists = [
            ("delivered", self.delivered, self.deliveredCount), ("expired", self.expired, self.expiredCount),
            ("discarded", self.discarded, self.discardedCount), ("inactive", tokens, self.inactiveCount),
            ("activities", activities, self.ifGiven(\.activityCount) ?? 0),
            ("unregistered", self.unregistered.map { TerminalText.token($0, full: full) }, self.unregisteredCount),
        ]
        return lists.filter { $0.2 > 0 }.map { name, entries, count in
            let shown = full ? entries[...] : entries.prefix(Self.shownEntries)
            let rest = count > shown.count ? " and \(count - shown.count) more" : ""
            let separator = name == "activities" ? ", " : " "
            return (name, "\(count): \(shown.joined(separator: separator))\(rest)")
        }
    }

    func text(after sentence: String, full: Bool) -> String {
        let lines = lines(full: full)
        return Terminal.output.paragraph(sentence) + (lines.isEmpty ? "" : "\n" + Table.sheet(lines))
    }
}

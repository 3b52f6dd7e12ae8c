/// A device, as the API shows it.
struct DeviceAnswer: Decodable {
    /// The latest push to one of its apps.
    struct LastPush: Decodable {
        let id: String
    }

    let id: String
    let label: String?
    let state: String
    let lowPower: Bool
    let origin: String
    let offlineSince: String?
    let connectedClients: Int
    let delivered: Int
    let discarded: Int
    let stored: Int
    let badge: Int?
    let lastPush: LastPush?
    let registrations: [RegistrationAnswer]

    /// What people call it.
    var name: String { label ?? id }

    /// Its state in one or few words.
    var condition: String {
        let words = [state, lowPower ? "low power" : nil, connectedClients > 0 ? "connected" : nil]
        return words.compactMap { $0 }.joined(separator: ", ")
    }

    /// Everything that is known of it.
    var sheet: String {
        let since = offlineSince.map { " since \(TerminalText.time($0))" } ?? ""
        let device = Table.sheet([
            ("device", label.map { "\($0)  \(id)" } ?? id),
            ("state", condition + since),
            ("origin", origin),
            ("badge", badge.map(String.init) ?? "none"),
            ("pushes", "\(delivered) delivered, \(discarded) discarded, \(stored) waiting"),
            ("last push", lastPush?.id ?? "none"),
        ])
        let apps = registrations.map(\.sheet)
        return ([device] + (apps.isEmpty ? ["no apps"] : apps)).joined(separator: "\n\n")
    }

    /// A line for each device; its further apps stand below it.
    static func table(_ devices: [DeviceAnswer], full: Bool) -> String {
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

/// A page of devices, as the API shows it.
struct DevicePageAnswer: Decodable {
    let devices: [DeviceAnswer]
    let matched: Int
    let total: Int
    let note: String?
}

/// What became of a bulk description, as the API shows it.
struct DevicePutAnswer: Decodable {
    /// A device that was described.
    struct Device: Decodable {
        let id: String
        let label: String?
        let registrations: [App]
    }

    /// An app that was described.
    struct App: Decodable {
        let token: String
        let topic: String
        let environment: String
    }

    let created: Int
    let updated: Int
    let devices: [Device]

    /// A line for each app.
    func table(full: Bool) -> String {
        var table = Table([
            .text("DEVICE"), .text("ID"), .text("TOPIC"), .text("ENVIRONMENT"), .text("TOKEN"),
        ])
        for device in devices {
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

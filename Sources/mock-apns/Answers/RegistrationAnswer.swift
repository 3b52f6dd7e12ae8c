/// An app on a device, as the API shows it.
struct RegistrationAnswer: Decodable {
    let token: String
    let device: String
    let label: String?
    let topic: String
    let environment: String
    let appState: String
    let notificationsEnabled: Bool
    let state: String
    let deadSince: String?
    let accepted: Int
    let delivered: Int
    let discarded: Int
    let badge: Int?
    let stored: String?
    let storedUntil: String?
    let held: String?
    let lastPush: String?

    /// Whether the app is on the device, with this token.
    var isInstalled: Bool { state != "uninstalled" && state != "rotated" }

    /// What people call its device.
    var deviceName: String { label ?? device }

    /// What the app is doing, and whether it may show notifications.
    var condition: String { "\(appState), notifications \(notificationsEnabled ? "on" : "off")" }

    /// Everything that is known of it.
    var sheet: String {
        var lines: [(name: String, value: String)] = [
            ("token", token),
            ("state", state + (deadSince.map { " since \(TerminalText.time($0))" } ?? "")),
            ("app", condition),
            ("badge", badge.map(String.init) ?? "none"),
            ("pushes", "\(accepted) accepted, \(delivered) delivered, \(discarded) discarded"),
            ("last push", lastPush ?? "none"),
        ]
        if let stored {
            lines.append(("waiting", stored + (storedUntil.map { " until \(TerminalText.time($0))" } ?? "")))
        }
        if let held { lines.append(("held", "\(held) until the app is launched")) }
        let sheet = Table.sheet(lines.map { ("  \($0.name)", $0.value) })
        return "\(TerminalText.plain(topic)) (\(environment))\n\(sheet)"
    }
}

/// An app with a new token, as the API shows it.
struct RotationAnswer: Decodable {
    let token: String
    let previous: String
    let topic: String
    let device: String
    let label: String?
}

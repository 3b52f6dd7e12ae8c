internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// Whether notifications reach a device.
enum DeviceState: String, CaseIterable, Sendable {
    case online
    case offline
}

extension Form where Value == DeviceDraft {
    /// A new device, or what is to become of one.
    static let deviceDraft = object(
        DeviceDraft(),
        .optional("label", .label, "1 to 100 bytes.") { $0.label = $1 },
        .optional("state", Form<DeviceState>.word) { $0.isOnline = $1 == .online },
        .optional("lowPower", .boolean) { $0.savesPower = $1 },
        .optional("registrations", .list(of: .appDraft)) { $0.registrations = $1 }
    ).described(as: "Device")
}

extension Form where Value == DeviceDraft.Registration {
    /// A new app on a device.
    static let appDraft = object(
        DeviceDraft.Registration(topic: ""),
        .optional("token", .deviceToken, "Made where it is absent.") { $0.token = $1 },
        .required("topic", .topic) { $0.topic = $1 },
        .optional("environment", .environment) { $0.environment = $1 },
        .optional("appState", .appState) { $0.appState = $1 },
        .optional("notificationsEnabled", .boolean) { $0.allowsNotifications = $1 }
    ).described(as: "App")
}

extension Form where Value == DeviceChange {
    /// What is to change of a device.
    static let deviceChange = object(
        DeviceChange(),
        .optional("label", .label, "1 to 100 bytes.") { $0.label = $1 },
        .optional("state", Form<DeviceState>.word) { $0.isOnline = $1 == .online },
        .optional("lowPower", .boolean) { $0.savesPower = $1 }
    )
}

extension Form where Value == RegistrationChange {
    /// What is to change of an app.
    static let appChange = object(
        RegistrationChange(),
        .optional("appState", .appState) { $0.appState = $1 },
        .optional("notificationsEnabled", .boolean) { $0.allowsNotifications = $1 },
        .optional("state", .registrationState) { $0.state = $1 }
    )
}

extension Form where Value == String {
    fileprivate static let label = text(
        "a label: text of 1 to 100 bytes",
        schema: Schema.text.example("alice")
    )
}

extension Form where Value == AppState {
    static let appState = words(Array(AppState.allCases), schema: .word(.appState), \.name)
}

extension Form where Value == RegistrationState {
    private static let names = ["registered", "uninstalled", "expired"]

    /// The words that the world takes are fewer; why, it says better.
    fileprivate static let registrationState = Form(
        ofText: "registered, uninstalled or expired",
        candidates: names,
        schema: .words(names)
    ) { RegistrationState(rawValue: $0) }
}

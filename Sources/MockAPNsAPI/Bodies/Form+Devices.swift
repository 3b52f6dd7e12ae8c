internal import MockAPNsFormats
package import MockAPNsRules
package import MockAPNsWorld

extension Form where Value == DeviceDraft {
    package static let deviceDraft = object(
        DeviceDraft(), .optional("label", .label, "1 to 100 bytes.") { $0.label = $1 },
        .optional("state", .onlineState) { $0.isOnline = $1 }, .optional("lowPower", .boolean) { $0.savesPower = $1 },
        .optional("os", .os, "The version of iOS; by default the newest.") { $0.os = $1 },
        .optional("registrations", .list(of: .appDraft)) { $0.registrations = $1 },
        .optional("subscriptions", .list(of: .channelID), "Channels of the apps, newest first.") {
            $0.subscriptions = $1
        }, .optional("pushMagic", .pushMagic, Form<String>.enrollment) { $0.pushMagic = $1 }
    ).described(as: "Device")
}

extension Form where Value == DeviceDraft.Registration {
    package static let appDraft = object(
        DeviceDraft.Registration(topic: ""),
        .optional("token", .deviceToken, "Made where it is absent.") { $0.token = $1 },
        .required("topic", .topic) { $0.topic = $1 }, .optional("environment", .word) { $0.environment = $1 },
        .optional("appState", .appState) { $0.appState = $1 },
        .optional("notificationsEnabled", .boolean) { $0.allowsNotifications = $1 }
    ).described(as: "App")
}

extension Form where Value == ChannelID {
    package static let channelID = Form(ofText: ChannelIDText.expected, schema: .text(atLeast: 1)) {
        ChannelIDText.id($0)
    }
}

extension Form where Value == DeviceChange {
    package static let deviceChange = object(
        DeviceChange(), .optional("label", .label, "1 to 100 bytes.") { $0.label = $1 },
        .optional("state", .onlineState) { $0.isOnline = $1 }, .optional("lowPower", .boolean) { $0.savesPower = $1 },
        .optional("os", .os, "The version of iOS.") { $0.os = $1 },
        .optional("pushMagic", .pushMagic, Form<String>.enrollment) { $0.pushMagic = $1 })
}

extension Form where Value == RegistrationChange {
    package static let appChange = object(
        RegistrationChange(), .optional("appState", .appState) { $0.appState = $1 },
        .optional("notificationsEnabled", .boolean) { $0.allowsNotifications = $1 },
        .optional("state", state) { $0.state = $1 })

    private static let states = ["registered", "uninstalled", "expired"]

    /// Takes the other states as well: the world says why they cannot be set.
    private static let state = Form<RegistrationState>(
        ofText: "registered, uninstalled or expired", candidates: states, schema: .words(states)
    ) { RegistrationState(rawValue: $0) }
}

extension Form where Value == String {
    fileprivate static let enrollment = "Enrolls the device in device management (MDM). 1 to 255 bytes."
    fileprivate static let pushMagic = text(
        "a PushMagic: text of 1 to 255 bytes", schema: Schema.text.example("4F1B7D2E-77"))
    fileprivate static let label = text("a label: text of 1 to 100 bytes", schema: Schema.text.example("alice"))
}

extension Form where Value == DeviceOS {
    package static let os = Form(
        ofText: DeviceOS.expected, candidates: [DeviceOS.newest.description], schema: .os, text: \.description
    ) { DeviceOS($0) }
}

extension Form where Value == ActivityDraft {
    /// A Live Activity that the app starts itself.
    package static let activityDraft = object(
        ActivityDraft(topic: "", attributesType: ""),
        .required("topic", .topic, "The topic of the app, with any suffix or none.") { $0.topic = $1 },
        .optional("environment", .word, "For an app that the device has in both environments.") { $0.environment = $1 },
        .required("attributesType", .text("the name of an ActivityAttributes structure", schema: .text(1...255))) {
            $0.attributesType = $1
        }, .optional("attributes", .jsonObject) { $0.attributes = $1.text },
        .optional("contentState", .jsonObject) { $0.contentState = $1.text },
        .optional("staleAt", .time, "When the content becomes stale.") { $0.staleAt = $1 },
        .optional("channel", .channelID, "A channel that it follows instead of having an update token.") {
            $0.channel = $1
        }
    ).described(as: "Activity")
}

extension Form where Value == JSONValue {
    fileprivate static let jsonObject = Self(expected: "a JSON object", schema: .dictionary(of: .anything)) {
        if case .object = $0 { $0 } else { nil }
    }
}

extension Form where Value == AppState {
    package static let appState = words(Array(AppState.allCases), schema: .word(.appState), \.rawValue)
}

extension Form where Value == Bool {
    package static let onlineState = words([true, false]) { $0 ? "online" : "offline" }
}

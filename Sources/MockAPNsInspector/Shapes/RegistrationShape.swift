internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// An app on a device as the API shows it.
struct RegistrationShape {
    private let registration: Registration
    private let device: Device
    private let subject: InspectedServer
    private let badges: Badges?

    /// - Parameters:
    ///   - registration: the app.
    ///   - device: the device that it is on.
    ///   - subject: where that is.
    ///   - badges: the numbers on the icons of the device; `nil` to show none.
    init(_ registration: Registration, of device: Device, in subject: InspectedServer, badges: Badges?) {
        self.registration = registration
        self.device = device
        self.subject = subject
        self.badges = badges
    }

    var json: JSONValue { .object(members) }

    /// Members for an answer that has others as well.
    var members: [String: JSONValue] {
        var shown: [String: JSONValue] = [
            "token": .string(registration.token.hex),
            "device": .string(DeviceReferenceText.text(device.id)),
            "label": JSONValue(device.label),
            "topic": .string(registration.topic),
            "environment": .string(registration.environment.name),
            "appState": .string(registration.appState.name),
            "notificationsEnabled": .bool(registration.allowsNotifications),
            "state": .string(registration.state.name),
            "deadSince": JSONValue(registration.deadSince?.rfc3339),
            "accepted": JSONValue(UInt64(registration.counters.accepted)),
            "delivered": JSONValue(UInt64(registration.counters.delivered)),
            "discarded": JSONValue(UInt64(registration.counters.discarded)),
            "stored": push(registration.stored),
            "storedUntil": JSONValue(registration.storedUntil?.rfc3339),
            "held": push(registration.held),
            "lastPush": push(registration.lastPush),
        ]
        if let badges { shown["badge"] = badges[registration.token] }
        return shown
    }

    private func push(_ seq: UInt64?) -> JSONValue { JSONValue(seq.map { subject.pushID($0) }) }
}

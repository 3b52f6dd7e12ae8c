internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// A device as the API shows it.
struct DeviceShape {
    private let device: Device
    private let subject: InspectedServer
    private let badges: Badges?

    /// - Parameters:
    ///   - device: the device.
    ///   - subject: where it is.
    ///   - showsBadge: whether to look for the badge, which means to read every push that reached the device.
    init(_ device: Device, in subject: InspectedServer, showsBadge: Bool = true) {
        self.device = device
        self.subject = subject
        badges = showsBadge ? Badges(of: device, in: subject) : nil
    }

    var json: JSONValue {
        let counters = device.registrations.map(\.counters)
        var shown: [String: JSONValue] = [
            "id": .string(DeviceReferenceText.text(device.id)),
            "label": JSONValue(device.label),
            "state": .string(device.isOnline ? "online" : "offline"),
            "lowPower": .bool(device.savesPower),
            "origin": .string(device.origin.name),
            "offlineSince": JSONValue(device.offlineSince?.rfc3339),
            "connectedClients": JSONValue(device.connectedClients),
            "delivered": JSONValue(counters.reduce(0) { $0 + Int64($1.delivered) }),
            "discarded": JSONValue(counters.reduce(0) { $0 + Int64($1.discarded) }),
            "stored": JSONValue(device.registrations.count { $0.stored != nil }),
            "lastPush": lastPush,
            "registrations": .array(
                device.registrations.map {
                    RegistrationShape($0, of: device, in: subject, badges: badges).json
                }
            ),
        ]
        if let badges { shown["badge"] = badges.sum }
        return .object(shown)
    }

    private var lastPush: JSONValue {
        guard let seq = device.registrations.compactMap(\.lastPush).max() else { return .null }
        return ["id": .string(subject.pushID(seq)), "seq": JSONValue(seq)]
    }
}

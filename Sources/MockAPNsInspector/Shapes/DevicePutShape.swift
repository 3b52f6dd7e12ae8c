internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// What a bulk description of devices did.
struct DevicePutShape {
    private let report: DevicePutReport
    private let subject: InspectedServer

    init(_ report: DevicePutReport, in subject: InspectedServer) {
        self.report = report
        self.subject = subject
    }

    /// The answer as JSON text.
    var text: [UInt8] {
        var members = DeliveryReportShape(report.deliveries, in: subject).members
        members["created"] = JSONValue(report.created)
        members["updated"] = JSONValue(report.updated)
        members["devices"] = .array(report.devices.map(device))
        return JSONValue.object(members).text + "\n".utf8
    }

    private func device(_ device: Device) -> JSONValue {
        [
            "id": .string(DeviceReferenceText.text(device.id)),
            "label": JSONValue(device.label),
            "registrations": .array(device.registrations.map(app)),
        ]
    }

    private func app(_ registration: Registration) -> JSONValue {
        [
            "token": .string(registration.token.hex),
            "topic": .string(registration.topic),
            "environment": .string(registration.environment.name),
        ]
    }
}

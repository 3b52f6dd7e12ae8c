internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// The simulated devices.
enum DeviceRoutes {
    static let listParameters = ["state", "topic", "q", "limit", "after"]

    /// `POST /api/v1/devices`.
    static func add(_ call: Route.Call) throws(Problem) -> APIResponse {
        var body = try BodyReader(call.request.body, known: DeviceBody.draftMembers, null: .absent)
        let draft = DeviceBody.draft(&body)
        try body.finish()
        let device = try call.withDevices { devices throws(DeviceError) in try devices.add(draft) }
        var response = APIResponse.json(DeviceShape(device, in: call.subject).json, status: 201)
        response.headers.append(("Location", "/api/v1/devices/\(DeviceReferenceText.text(device.id))"))
        return response
    }

    /// `PUT /api/v1/devices`.
    static func put(_ call: Route.Call) throws(Problem) -> APIResponse {
        let drafts = try DeviceBody.drafts(call.request.body)
        let report = try call.withDevices { devices throws(DeviceError) in try devices.put(drafts) }
        return APIResponse(body: .bytes(DevicePutShape(report, in: call.subject).text))
    }

    /// `GET /api/v1/devices`.
    static func list(_ call: Route.Call) throws(Problem) -> APIResponse {
        var reader = call.query
        var query = DeviceQuery()
        query.isOnline = reader.value("state", QueryReader.Form<DeviceBody.State>.word).map { $0 == .online }
        query.topics = reader.values("topic", .text("a topic"))
        query.text = reader.value("q", .text("a part of a label or of a device token"))
        query.limit = reader.value("limit", .limit) ?? query.limit
        query.after = reader.value("after", deviceID)
        try reader.finish()
        let page = call.devices.devices(query)
        let devices = page.devices.map { DeviceShape($0, in: call.subject, showsBadge: false).json }
        let nextAfter = page.nextAfter.map(DeviceReferenceText.text)
        if call.request.wantsLines {
            return .lines(
                devices,
                headers: [
                    ("X-Mock-APNs-Matched", String(page.matched)),
                    ("X-Mock-APNs-Next-After", nextAfter ?? ""),
                    ("X-Mock-APNs-Forgotten", String(page.forgotten)),
                ]
            )
        }
        return .json([
            "devices": .array(devices),
            "matched": JSONValue(page.matched),
            "total": JSONValue(page.total),
            "nextAfter": JSONValue(nextAfter),
            "forgotten": JSONValue(page.forgotten),
            "note": JSONValue(note(page)),
        ])
    }

    /// `GET /api/v1/devices/{device}`.
    static func one(_ call: Route.Call) throws(Problem) -> APIResponse {
        .json(DeviceShape(try device(call), in: call.subject).json)
    }

    /// `PATCH /api/v1/devices/{device}`.
    static func change(_ call: Route.Call) throws(Problem) -> APIResponse {
        let reference = try call.deviceReference()
        var body = try BodyReader(call.request.body, known: DeviceBody.changeMembers)
        let change = DeviceBody.change(&body)
        try body.finish()
        let (device, report) = try call.withDevices { devices throws(DeviceError) in
            try devices.change(reference, change)
        }
        var answer = DeliveryReportShape(report, in: call.subject).members
        answer["device"] = DeviceShape(device, in: call.subject).json
        return .json(.object(answer))
    }

    /// `DELETE /api/v1/devices/{device}`.
    static func forget(_ call: Route.Call) throws(Problem) -> APIResponse {
        let reference = try call.deviceReference()
        try call.withDevices { devices throws(DeviceError) in try devices.forget(reference) }
        return .done
    }

    /// `POST /api/v1/devices/{device}/registrations`.
    static func register(_ call: Route.Call) throws(Problem) -> APIResponse {
        let reference = try call.deviceReference()
        var body = try BodyReader(call.request.body, known: DeviceBody.appMembers, null: .absent)
        let draft = DeviceBody.app(&body)
        try body.finish()
        // Without a topic there was a complaint.
        guard let draft else { preconditionFailure("a description without complaints is whole") }
        // The world sees the app as the first of a description.
        let registration = try call.withDevices(dropping: "/registrations/0") { devices throws(DeviceError) in
            try devices.register(draft, on: reference)
        }
        return try RegistrationRoutes.created(registration, call)
    }

    /// `GET /api/v1/devices/{device}/inbox`.
    static func inbox(_ call: Route.Call) throws(Problem) -> APIResponse {
        let reference = try call.deviceReference()
        let (device, arrived) = try call.withDevices {
            devices throws(DeviceError) -> (Device, [PushRecord]) in
            (try devices.device(reference), try devices.arrived(reference))
        }
        return .json(InboxShape(device, arrived: arrived, in: call.subject).json)
    }

    /// `GET /api/v1/devices/{device}/stored`.
    static func stored(_ call: Route.Call) throws(Problem) -> APIResponse {
        let reference = try call.deviceReference()
        let (device, stored) = try call.withDevices {
            devices throws(DeviceError) -> (Device, [PushRecord]) in
            (try devices.device(reference), try devices.stored(reference))
        }
        return .json([
            "device": .string(DeviceReferenceText.text(device.id)),
            "label": JSONValue(device.label),
            "stored": .array(stored.map { PushShape($0, in: call.subject).json }),
        ])
    }

    private static func device(_ call: Route.Call) throws(Problem) -> Device {
        let reference = try call.deviceReference()
        return try call.withDevices { devices throws(DeviceError) in try devices.device(reference) }
    }

    private static var deviceID: QueryReader.Form<DeviceID> {
        QueryReader.Form(expected: "the id of a device: dev_ and 16 hexadecimal digits") {
            DeviceReferenceText.id($0)
        }
    }

    private static func note(_ page: DevicePage) -> String? {
        guard page.forgotten > 0 else { return nil }
        return
            "Forgotten to make room: \(page.forgotten) devices that pushes to unknown device tokens had made."
            + " Devices that are described stay."
    }
}

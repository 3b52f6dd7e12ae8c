internal import MockAPNsAPI
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
        let shape = APIObject<DeviceShape>(device, in: call.subject)
        return .created(shape, at: "/api/v1/devices/\(shape.id)")
    }

    /// `PUT /api/v1/devices`.
    static func put(_ call: Route.Call) throws(Problem) -> APIResponse {
        let drafts = try DeviceBody.drafts(call.request.body)
        let report = try call.withDevices { devices throws(DeviceError) in try devices.put(drafts) }
        return .json(APIObject<DevicesPutShape>(report, in: call.subject))
    }

    /// `GET /api/v1/devices`.
    static func list(_ call: Route.Call) throws(Problem) -> APIResponse {
        var reader = call.query
        var query = DeviceQuery()
        query.isOnline = reader.value("state", Form<DeviceBody.State>.word).map { $0 == .online }
        query.topics = reader.values("topic", .text("a topic"))
        query.text = reader.value("q", .text("a part of a label or of a device token"))
        query.limit = reader.value("limit", .limit) ?? query.limit
        query.after = reader.value("after", deviceID)
        try reader.finish()
        let page = call.devices.devices(query)
        let devices = page.devices.map { APIObject<DeviceShape>($0, in: call.subject, showsBadge: false) }
        let nextAfter = page.nextAfter.map(DeviceReferenceText.text)
        let headers = [
            ("X-Mock-APNs-Matched", String(page.matched)),
            ("X-Mock-APNs-Next-After", nextAfter ?? ""),
            ("X-Mock-APNs-Forgotten", String(page.forgotten)),
        ]
        return .list(devices, call.request, headers: headers) { devices in
            APIObject<DevicePageShape> {
                $0.devices = devices
                $0.forgotten = UInt64(page.forgotten)
                $0.matched = page.matched
                $0.nextAfter = nextAfter
                $0.note = note(page)
                $0.total = page.total
            }
        }
    }

    /// `GET /api/v1/devices/{device}`.
    static func one(_ call: Route.Call) throws(Problem) -> APIResponse {
        .json(APIObject<DeviceShape>(try device(call), in: call.subject))
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
        return .json(
            APIObject<DeviceChangedShape> {
                $0.deliveries = APIObject(report, in: call.subject)
                $0.device = APIObject(device, in: call.subject)
            }
        )
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
        return .json(Inbox(device, arrived: arrived, in: call.subject).shape)
    }

    /// `GET /api/v1/devices/{device}/stored`.
    static func stored(_ call: Route.Call) throws(Problem) -> APIResponse {
        let reference = try call.deviceReference()
        let (device, stored) = try call.withDevices {
            devices throws(DeviceError) -> (Device, [PushRecord]) in
            (try devices.device(reference), try devices.stored(reference))
        }
        return .json(
            APIObject<StoredShape> {
                $0.device = DeviceReferenceText.text(device.id)
                $0.label = device.label
                $0.set(\.stored, to: .array(stored.map { ShownPush($0, in: call.subject).json }))
            }
        )
    }

    private static func device(_ call: Route.Call) throws(Problem) -> Device {
        let reference = try call.deviceReference()
        return try call.withDevices { devices throws(DeviceError) in try devices.device(reference) }
    }

    private static var deviceID: Form<DeviceID> {
        Form(ofText: "the id of a device: dev_ and 16 hexadecimal digits") {
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

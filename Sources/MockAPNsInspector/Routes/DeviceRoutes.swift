internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// The simulated devices.
enum DeviceRoutes {
    static let group = RouteGroup(
        "devices",
        "The simulated phones, and what they make of pushes.",
        [
            .get("/api/v1/devices", "List devices", list)
                .takes(query)
                .gives(.list(DevicePageShape.self, "The devices.")),
            .post("/api/v1/devices", "Create a device", add)
                .reads(draft)
                .gives(.json(DeviceShape.self, "The device, with its tokens.", status: 201))
                .fails(.labelTaken, .tokenTaken, .registrationTaken, .unusableValue, .tooMany),
            .put("/api/v1/devices", "Make many devices, or bring them to what is described", put)
                .largestBody(Route.largestList)
                .detail("All or nothing; up to 64 MiB.")
                .reads(drafts)
                .gives(.json(DevicesPutShape.self, "What was made and changed."))
                .fails(.labelTaken, .tokenTaken, .registrationTaken, .unusableValue, .tooMany),
            .get("/api/v1/devices/{device}", "Show a device", one)
                .gives(.json(DeviceShape.self, "The device."))
                .fails(.unknownDevice),
            .patch("/api/v1/devices/{device}", "Take a device online or offline, or rename it", change)
                .detail("What waits is delivered before this answers.")
                .reads(changeBody)
                .gives(.json(DeviceChangedShape.self, "The device, and what was delivered."))
                .fails(.unknownDevice, .labelTaken, .unusableValue),
            .delete("/api/v1/devices/{device}", "Forget a device", forget)
                .gives(.nothing("Its tokens are unknown."))
                .fails(.unknownDevice),
            .post("/api/v1/devices/{device}/registrations", "Put an app on a device", register)
                .reads(app)
                .gives(.json(RegistrationShape.self, "The app, with its token.", status: 201))
                .fails(.unknownDevice, .tokenTaken, .registrationTaken, .unusableValue, .tooMany),
            .get("/api/v1/devices/{device}/inbox", "Show what Notification Center shows now", inbox)
                .gives(.json(InboxShape.self, "The notifications, newest first."))
                .fails(.unknownDevice),
            .get("/api/v1/devices/{device}/stored", "Show what waits for a device", stored)
                .gives(.json(StoredShape.self, "One push for each app at most."))
                .fails(.unknownDevice),
            .get("/api/v1/devices/{device}/connect", "Connect as a device", connect)
                .writes()
                .detail("The device is online while the stream is open.")
                .gives(.other(APIResponse.events, "Server-Sent Events: connected, push, gap, closed."))
                .fails(.unknownDevice, .tooManyStreams),
        ]
    )

    private static let example: JSONValue = [
        "label": "alice", "registrations": [["topic": "com.example.app"]],
    ]

    private static let query = QueryForm(
        DeviceQuery(),
        .once("state", .onlineState, "Online or offline.") { $0.isOnline = $1 },
        .any("topic", .text("a topic", schema: .topic), "The topic of an app.") { $0.topics = $1 },
        .once(
            "q",
            .text("a part of a label or of a device token"),
            "A part of a label or of a device token."
        ) { $0.text = $1 },
        .limit { $0.limit = $1 },
        .once("after", deviceID, "Only devices behind this one: the cursor.") { $0.after = $1 }
    )

    private static let deviceID = Form<DeviceID>(
        ofText: "the id of a device: dev_ and 16 hexadecimal digits",
        schema: .deviceID
    ) { DeviceReferenceText.id($0) }

    private static let draft = RequestBody(.deviceDraft, use: .draft, example: example)
    private static let drafts = RequestBody(.list(of: .deviceDraft), use: .draft, example: [example])
    private static let changeBody = RequestBody(.deviceChange, example: ["state": "offline"])
    private static let app = RequestBody(
        .appDraft,
        use: .draft,
        example: ["topic": "com.example.app.voip"]
    )

    static func add(_ call: Route.Call) throws(Problem) -> APIResponse {
        let draft = try call.read(draft)
        let device = try call.withDevices { devices throws(DeviceError) in try devices.add(draft) }
        let shape = APIObject<DeviceShape>(device, in: call.subject)
        return .created(shape, at: "/api/v1/devices/\(shape.id)")
    }

    static func put(_ call: Route.Call) throws(Problem) -> APIResponse {
        let drafts = try call.read(drafts)
        let report = try call.withDevices { devices throws(DeviceError) in try devices.put(drafts) }
        return .json(APIObject<DevicesPutShape>(report, in: call.subject))
    }

    static func list(_ call: Route.Call) throws(Problem) -> APIResponse {
        let query = try call.read(query)
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

    static func one(_ call: Route.Call) throws(Problem) -> APIResponse {
        .json(APIObject<DeviceShape>(try device(call), in: call.subject))
    }

    static func change(_ call: Route.Call) throws(Problem) -> APIResponse {
        let reference = try call.deviceReference()
        let change = try call.read(changeBody)
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

    static func forget(_ call: Route.Call) throws(Problem) -> APIResponse {
        let reference = try call.deviceReference()
        try call.withDevices { devices throws(DeviceError) in try devices.forget(reference) }
        return .done
    }

    static func register(_ call: Route.Call) throws(Problem) -> APIResponse {
        let reference = try call.deviceReference()
        let draft = try call.read(app)
        // The world sees the app as the first of a description.
        let registration = try call.withDevices(dropping: "/registrations/0") { devices throws(DeviceError) in
            try devices.register(draft, on: reference)
        }
        return try RegistrationRoutes.created(registration, call)
    }

    static func inbox(_ call: Route.Call) throws(Problem) -> APIResponse {
        let reference = try call.deviceReference()
        let (device, arrived) = try call.withDevices {
            devices throws(DeviceError) -> (Device, [PushRecord]) in
            (try devices.device(reference), try devices.arrived(reference))
        }
        return .json(Inbox(device, arrived: arrived, in: call.subject).shape)
    }

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

    private static func note(_ page: DevicePage) -> String? {
        guard page.forgotten > 0 else { return nil }
        return
            "Forgotten to make room: \(page.forgotten) devices that pushes to unknown device tokens had made."
            + " Devices that are described stay."
    }

    // MARK: Connecting as a device

    static func connect(_ call: Route.Call) throws(Problem) -> APIResponse {
        let reference = try call.deviceReference()
        guard call.request.method != "HEAD" else {
            // Who wants to see the headers is not a device, and must not be given what is stored for one.
            _ = try call.withDevices { devices throws(DeviceError) in try devices.device(reference) }
            return .events(NoEvents())
        }
        let link = try call.withDevices { devices throws(DeviceError) in try devices.connect(reference) }
        return .events(DeviceEvents(link, in: call.subject))
    }
}

internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

enum DeviceRoutes {
    static let routes: [Route] = [
        .get("/api/v1/devices", "List devices", reads: query, list).gives(.list(DevicePageShape.self, "The devices.")),
        .post("/api/v1/devices", "Create a device", reads: draft, add).gives(
            .json(DeviceShape.self, "The device, with its device tokens.", status: 201)
        ).fails(.labelTaken, .tokenTaken, .registrationTaken, .unusableValue, .tooMany),
        .put("/api/v1/devices", "Create or update many devices", reads: drafts, put).largestBody(Route.largestList)
            .detail("All or nothing; up to 100,000 devices, and 64 MiB.").gives(
                .json(DevicesPutShape.self, "The created and updated devices.")
            ).fails(.labelTaken, .tokenTaken, .registrationTaken, .unusableValue, .tooMany),
        .get("/api/v1/devices/connect", "Connect as many devices", reads: group, connectAll).writes().detail(
            "All matching devices, or the first ones, are online while the stream is open. The data of each event names its"
                + " device: connected has the number of devices, and the data of push has device, label and push."
        ).example(query: "?topic=com.example.app&count=1000").gives(
            .other(APIResponse.events, "Server-Sent Events: connected, push, activity.*, gap, closed.")
        ).fails(.unknownDevice, .tooMany, .tooManyStreams),
        .get("/api/v1/devices/{device}", "Get a device", one).gives(.json(DeviceShape.self, "The device.")).fails(
            .unknownDevice),
        .patch("/api/v1/devices/{device}", "Update a device", change).detail(
            "Takes it online or offline, or renames it. Stored notifications are delivered before the response."
        ).reads(changeBody).gives(.json(DeviceChangedShape.self, "The device, and the delivered notifications.")).fails(
            .unknownDevice, .labelTaken, .unusableValue),
        .delete("/api/v1/devices/{device}", "Delete a device", forget).gives(
            .nothing("Deleted; its device tokens are unknown from now on.")
        ).fails(.unknownDevice),
        .post("/api/v1/devices/{device}/registrations", "Install an app on a device", register).reads(app).gives(
            .json(RegistrationShape.self, "The app, with its device token.", status: 201)
        ).fails(.unknownDevice, .tokenTaken, .registrationTaken, .unusableValue, .tooMany),
        .get("/api/v1/devices/{device}/inbox", "Get the content of Notification Center", inbox).gives(
            .json(InboxShape.self, "The notifications and the broadcasts, newest first.")
        ).fails(.unknownDevice),
        .get("/api/v1/devices/{device}/stored", "List stored pushes of a device", stored).gives(
            .json(StoredShape.self, "At most one push for each app, and one broadcast for each channel.")
        ).fails(.unknownDevice),
        .get("/api/v1/devices/{device}/connect", "Connect as a device", reads: level, connect).writes().detail(
            "The device is online while the stream is open."
        ).gives(.other(APIResponse.events, "Server-Sent Events: connected, push, activity.*, gap, closed.")).fails(
            .unknownDevice, .tooManyStreams),
    ]

    private static let example: JSONValue = ["label": "alice", "registrations": [["topic": "com.example.app"]]]

    private static let filters: [Parameter<DeviceQuery>] = [
        .once("state", .onlineState, "Online or offline.") { $0.isOnline = $1 },
        .any("topic", .text("a topic", schema: .topic), "Topic of an app.") { $0.topics = $1 },
        .once("q", .text("a part of a label or of a device token"), "Part of a label or a device token.") {
            $0.text = $1
        }, .once("after", deviceID, "Only devices after this one: the cursor.") { $0.after = $1 },
    ]

    private static let query = QueryForm(DeviceQuery(), filters + [.limit { $0.limit = $1 }])

    /// The devices to connect as.
    private struct Group: Sendable {
        var query = DeviceQuery()
        var count: Int?
        var fields = PushFields.full
    }

    private static let group = QueryForm(
        Group(),
        filters.map { $0.part(of: \.query) } + [
            .once(
                "count", .whole(1...DeviceLink.largest),
                "Number of devices: the first ones that match. By default all of them, 100,000 at most."
            ) { $0.count = $1 }, fields.part(of: \.fields),
        ])

    private static let fields = Parameter<PushFields>.once(
        "fields", .word, "Level of detail of pushes; full by default."
    ) { $0 = $1 }

    private static let level = QueryForm(PushFields.full, [fields])

    private static let deviceID = Form<DeviceID>(
        ofText: "the id of a device: dev_ and 16 hexadecimal digits", schema: .deviceID
    ) { DeviceReferenceText.id($0) }

    private static let draft = RequestBody(.deviceDraft, use: .draft, example: example)
    private static let drafts = RequestBody(.list(of: .deviceDraft), use: .draft, example: [example])
    private static let changeBody = RequestBody(.deviceChange, example: ["state": "offline"])
    private static let app = RequestBody(.appDraft, use: .draft, example: ["topic": "com.example.app.voip"])

    private static func add(_ call: Route.Call, _ draft: DeviceDraft) throws(Problem) -> APIResponse {
        let device = try call.withDevices(try call.devices.add(draft))
        let shape = APIObject<DeviceShape>(ShownDevice(device, in: call.subject.shown))
        return .created(shape, at: "/api/v1/devices/\(shape.id)")
    }

    /// The most devices of one list: while they are created, about 15 µs each, everything else waits for the world.
    private static let longestList = 100_000

    private static func put(_ call: Route.Call, _ drafts: [DeviceDraft]) throws(Problem) -> APIResponse {
        guard drafts.count <= longestList else {
            throw Problem(
                .tooMany, "The list has \(drafts.count) devices, expected at most \(longestList). Send it in parts.")
        }
        let report = try call.withDevices(try call.devices.put(drafts))
        return .json(DevicesPutShape.self, (report, call.subject.journal.extent))
    }

    private static func list(_ call: Route.Call, _ query: DeviceQuery) throws(Problem) -> APIResponse {
        let page = call.devices.devices(query)
        let devices = page.devices.map { ShownDevice($0, in: call.subject.shown, showsBadge: false) }
        let nextAfter = page.nextAfter.map(DeviceReferenceText.text)
        let headers = [
            ("X-Mock-APNs-Matched", String(page.matched)), ("X-Mock-APNs-Next-After", nextAfter ?? ""),
            ("X-Mock-APNs-Forgotten", String(page.forgotten)),
        ]
        return .list(\DevicePageShape.devices, of: (page, devices, note(page)), call.request, headers: headers)
    }

    private static func one(_ call: Route.Call) throws(Problem) -> APIResponse {
        .json(DeviceShape.self, ShownDevice(try call.device(Devices.device), in: call.subject.shown))
    }

    static func change(_ call: Route.Call) throws(Problem) -> APIResponse {
        let reference = try call.deviceReference()
        let change = try changeBody.read(call)
        let (device, report) = try call.withDevices(try call.devices.change(reference, change))
        let shown = call.subject.shown
        return .json(DeviceChangedShape.self, (ShownDevice(device, in: shown), (report, shown.journal.extent)))
    }

    static func forget(_ call: Route.Call) throws(Problem) -> APIResponse {
        try call.device(Devices.forget)
        return .done
    }

    static func register(_ call: Route.Call) throws(Problem) -> APIResponse {
        let reference = try call.deviceReference()
        let draft = try app.read(call)
        let registration = try call.withDevices(
            dropping: "/registrations/0", try call.devices.register(draft, on: reference))
        return try RegistrationRoutes.created(registration, call)
    }

    static func inbox(_ call: Route.Call) throws(Problem) -> APIResponse {
        let device = try call.device(Devices.device)
        let arrived = try call.withDevices(try call.devices.arrived(.id(device.id)))
        let broadcasts = try call.withDevices(try call.devices.broadcasts(of: .id(device.id)))
        return .json(Inbox(of: device, arrived, in: call.subject.shown).shape(with: broadcasts))
    }

    static func stored(_ call: Route.Call) throws(Problem) -> APIResponse {
        let device = try call.device(Devices.device)
        let stored = try call.device(Devices.stored)
        return .json(StoredShape.self, (device, stored.map { ShownPush($0, in: call.subject.shown) }))
    }

    private static func note(_ page: DevicePage) -> String? {
        guard page.forgotten > 0 else { return nil }
        return "Removed \(counted(page.forgotten, "device", "devices")) to make room: only those that were created by"
            + " pushes to unknown device tokens. Described devices are kept."
    }

    private static func connect(_ call: Route.Call, _ fields: PushFields) throws(Problem) -> APIResponse {
        guard call.request.method != "HEAD" else {
            // Connecting would deliver what is stored for the device.
            _ = try call.device(Devices.device)
            return .events(NoEvents())
        }
        let (device, link) = try call.device { devices in
            { reference throws(DeviceError) in try devices.connect(reference) }
        }
        return .events(DeviceEvents(link, of: device, fields, in: call.subject))
    }

    private static func connectAll(_ call: Route.Call, _ group: Group) throws(Problem) -> APIResponse {
        guard call.request.method != "HEAD" else { return .events(NoEvents()) }
        let link = try call.withDevices(try call.devices.connect(group.query, count: group.count))
        return .events(DeviceEvents(link, group.fields, in: call.subject))
    }
}

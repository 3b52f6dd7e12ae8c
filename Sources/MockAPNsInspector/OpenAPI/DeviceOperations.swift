internal import MockAPNsAPI
internal import MockAPNsFormats

/// What the API says of `/api/v1/devices`.
enum DeviceOperations {
    private static let draft: JSONValue = ["label": "alice", "registrations": [["topic": "com.example.app"]]]

    static let table = OperationTable(
        name: "devices",
        description: "The simulated phones, and what they make of pushes.",
        operations: [
            Operation(
                "GET",
                "/api/v1/devices",
                "List devices",
                parameters: [
                    Operation.Parameter("state", .words(["online", "offline"]), "Online or offline."),
                    Operation.Parameter("topic", .topic, "The topic of an app.", isRepeatable: true),
                    Operation.Parameter("q", .text(atLeast: 1), "A part of a label or of a device token."),
                    PushParameters.limit,
                    Operation.Parameter("after", .deviceID, "Only devices behind this one: the cursor."),
                ],
                answers: [.list(DevicePageShape.self, "The devices.")]
            ),
            Operation(
                "POST",
                "/api/v1/devices",
                "Make a device",
                body: Operation.Body(schema: .named("DeviceDraft"), example: draft),
                answers: [.json(DeviceShape.self, "The device, with its tokens.", status: 201)],
                problems: [.labelTaken, .tokenTaken, .registrationTaken, .unusableValue, .tooMany]
            ),
            Operation(
                "PUT",
                "/api/v1/devices",
                "Make many devices, or bring them to what is described",
                description: "All or nothing; up to 64 MiB.",
                body: Operation.Body(schema: .list(of: .named("DeviceDraft")), example: [draft]),
                answers: [.json(DevicesPutShape.self, "What was made and changed.")],
                problems: [.labelTaken, .tokenTaken, .registrationTaken, .unusableValue, .tooMany]
            ),
            Operation(
                "GET",
                "/api/v1/devices/{device}",
                "Show a device",
                answers: [.json(DeviceShape.self, "The device.")],
                problems: [.unknownDevice]
            ),
            Operation(
                "PATCH",
                "/api/v1/devices/{device}",
                "Take a device online or offline, or rename it",
                description: "What waits is delivered before this answers.",
                body: Operation.Body(schema: DeviceSchemas.change, example: ["state": "offline"]),
                answers: [.json(DeviceChangedShape.self, "The device, and what was delivered.")],
                problems: [.unknownDevice, .labelTaken, .unusableValue]
            ),
            Operation(
                "DELETE",
                "/api/v1/devices/{device}",
                "Forget a device",
                answers: [.nothing("Its tokens are unknown.")],
                problems: [.unknownDevice]
            ),
            Operation(
                "POST",
                "/api/v1/devices/{device}/registrations",
                "Put an app on a device",
                body: Operation.Body(schema: .named("AppDraft"), example: ["topic": "com.example.app.voip"]),
                answers: [.json(RegistrationShape.self, "The app, with its token.", status: 201)],
                problems: [.unknownDevice, .tokenTaken, .registrationTaken, .unusableValue, .tooMany]
            ),
            Operation(
                "GET",
                "/api/v1/devices/{device}/inbox",
                "Show what Notification Center shows now",
                answers: [.json(InboxShape.self, "The notifications, newest first.")],
                problems: [.unknownDevice]
            ),
            Operation(
                "GET",
                "/api/v1/devices/{device}/stored",
                "Show what waits for a device",
                answers: [.json(StoredShape.self, "One push for each app at most.")],
                problems: [.unknownDevice]
            ),
            Operation(
                "GET",
                "/api/v1/devices/{device}/connect",
                "Be a device",
                description: "The device is online while the stream is open.",
                answers: [.other(APIResponse.events, "Server-Sent Events: connected, push, gap, closed.")],
                problems: [.unknownDevice, .tooManyStreams]
            ),
        ],
        schemas: DeviceSchemas.all
    )
}

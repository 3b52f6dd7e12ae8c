internal import MockAPNsAPI
internal import MockAPNsFormats

/// What the API says of `/api/v1/pushes`.
enum PushOperations {
    static let table = OperationTable(
        name: "pushes",
        description: "What arrived, refused pushes included.",
        operations: [
            Operation(
                "GET",
                "/api/v1/pushes",
                "List pushes, and wait for them",
                description:
                    "All filters must hold; one that is repeated means any of its values. A time-out is"
                    + " 200 with satisfied false: a read is no assertion.",
                parameters: PushParameters.selection + [
                    PushParameters.limit, PushParameters.order, PushParameters.fields, PushParameters.wait,
                    PushParameters.count,
                ],
                answers: [.list(PushPageShape.self, "The pushes.")],
                problems: [.unknownDevice, .badPath, .namespaceGone, .notReady],
                exampleQuery: "?after=0&outcome=accepted&wait=5s"
            ),
            Operation(
                "DELETE",
                "/api/v1/pushes",
                "Delete pushes",
                description: "Without a filter it takes all=true.",
                parameters: PushParameters.selection + [
                    Operation.Parameter("all", .words(["true"]), "Delete without a filter.")
                ],
                answers: [.json(DeletedShape.self, "How many there were.")],
                problems: [.unknownDevice, .badPath],
                exampleQuery: "?all=true"
            ),
            Operation(
                "GET",
                "/api/v1/pushes/latest",
                "Show the newest push that fits",
                parameters: PushParameters.selection + [PushParameters.fields, PushParameters.wait],
                answers: [
                    Operation.Answer(
                        description: "The push.",
                        content: [APIResponse.json: .either(.named("Push"), .named("PushSummary"))],
                        shapes: [APIObject<PushShape>.self, APIObject<PushSummaryShape>.self]
                    )
                ],
                problems: [.unknownPush, .unknownDevice, .badPath, .namespaceGone, .notReady]
            ),
            Operation(
                "GET",
                "/api/v1/pushes/count",
                "Count pushes",
                parameters: PushParameters.selection + [PushParameters.wait, PushParameters.count],
                answers: [.json(PushCountShape.self, "How many there are.")],
                problems: [.unknownDevice, .badPath, .namespaceGone, .notReady]
            ),
            Operation(
                "POST",
                "/api/v1/pushes/send",
                "Send a push to the server itself",
                description:
                    "It is judged, recorded and delivered as one of a provider, without a network, and belongs to"
                    + " the namespace in which it is sent. Without a token it goes to the device test-phone, which"
                    + " is made for it. A member of headers that is null is left out of the push.",
                body: Operation.Body(
                    schema: sending,
                    example: ["title": "Order shipped", "body": "#17 is on its way."],
                    isRequired: false
                ),
                answers: [.json(PushSentShape.self, "The push, with its answer.", status: 201)],
                problems: [.unknownDevice, .unknownPush, .tooMany, .unusableValue, .notReady]
            ),
            Operation(
                "GET",
                "/api/v1/pushes/{id}",
                "Show a push",
                answers: [.json(PushShape.self, "The push.")],
                problems: [.unknownPush]
            ),
            Operation(
                "PATCH",
                "/api/v1/pushes/{id}",
                "Write a note beside a push",
                description: "Exports have it too. It goes with the push.",
                body: Operation.Body(
                    schema: .closed(["note": Schema.text(atLeast: 1).orNull], required: ["note"]),
                    example: ["note": "fails since the change of topics"]
                ),
                answers: [.json(PushShape.self, "The push.")],
                problems: [.unknownPush, .unusableValue]
            ),
            Operation(
                "DELETE",
                "/api/v1/pushes/{id}",
                "Delete a push",
                answers: [.nothing("It is gone.")],
                problems: [.unknownPush]
            ),
            Operation(
                "GET",
                "/api/v1/pushes/{id}/raw",
                "Take a payload, byte for byte",
                answers: [.other("application/octet-stream", "The body of the push.")],
                problems: [.unknownPush, .notConvertible]
            ),
            Operation(
                "GET",
                "/api/v1/pushes/{id}/curl",
                "Show a command that sends the push again",
                answers: [.other(APIResponse.text, "The command.")],
                problems: [.unknownPush, .notConvertible]
            ),
            Operation(
                "GET",
                "/api/v1/pushes/{id}/simctl.apns",
                "Take a push for the Simulator",
                description: "What xcrun simctl push takes.",
                answers: [
                    .json(.dictionary(of: .anything), "The payload, with Simulator Target Bundle.")
                ],
                problems: [.unknownPush, .notConvertible]
            ),
        ],
        schemas: [:]
    )

    /// The body of a push that the API sends.
    private static let sending = Schema.closed([
        "token": Schema.text(atLeast: 1).described("A device token, or @ and the label of a device.").orNull,
        "topic": Schema.text(atLeast: 1).orNull,
        "pushType": Schema.text(atLeast: 1).described("alert, unless it is given.").orNull,
        "priority": Schema.either(.integer, .text).orNull,
        "expiration": Schema.either(.integer, .text).described("In UNIX seconds; 0 to try once.").orNull,
        "collapseId": Schema.text(atLeast: 1).orNull,
        "headers": Schema.dictionary(of: .text.orNull).described("Headers by name; null leaves one out.")
            .orNull,
        "payload": Schema.anything.described("The body, as JSON."),
        "title": Schema.text(atLeast: 1).described("For a payload with an alert.").orNull,
        "body": Schema.text(atLeast: 1).orNull,
    ])
}

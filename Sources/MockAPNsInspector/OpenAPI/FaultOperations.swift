internal import MockAPNsWorld

/// What the API says of `/api/v1/faults`.
enum FaultOperations {
    private static let draft: JSONValue = [
        "name": "two 503 then fine", "match": ["topic": "com.example.app"], "when": ["times": 2],
        "do": ["respond": ["status": 503, "reason": "ServiceUnavailable"]],
    ]
    private static let body = Operation.Body(schema: .named("FaultDraft"), example: draft)
    private static let problems: [Problem.Kind] = [.unusableValue, .tooManyFaults]

    static let table = OperationTable(
        name: "faults",
        description:
            "What goes wrong on purpose; the first fault that matches a push and fires is the only one.",
        operations: [
            Operation(
                "GET",
                "/api/v1/faults",
                "List faults",
                answers: [.list(.named("FaultList"), line: .named("Fault"), "The faults, in their order.")]
            ),
            Operation(
                "POST",
                "/api/v1/faults",
                "Add a fault",
                body: body,
                answers: [.json(.named("Fault"), "The fault.", status: 201)],
                problems: problems
            ),
            Operation(
                "DELETE",
                "/api/v1/faults",
                "Remove faults",
                parameters: [
                    Operation.Parameter("all", .words(["true"]), "Every fault."),
                    Operation.Parameter(
                        "name",
                        .text(atLeast: 1),
                        "Faults of this name.",
                        isRepeatable: true
                    ),
                    Operation.Parameter(
                        "preset",
                        .words(FaultPreset.all.map(\.name)),
                        "Faults that were made from this preset.",
                        isRepeatable: true
                    ),
                ],
                answers: [.json(.named("Deleted"), "How many there were.")],
                exampleQuery: "?all=true"
            ),
            Operation(
                "PUT",
                "/api/v1/faults/order",
                "Put faults into another order",
                body: Operation.Body(
                    schema: .closed(["order": .list(of: .text)], required: ["order"]),
                    example: ["order": ["flt_2", "flt_1"]]
                ),
                answers: [.json(.named("FaultList"), "The faults, in their order.")],
                problems: [.unknownFault, .unusableValue]
            ),
            Operation(
                "GET",
                "/api/v1/faults/presets",
                "List what can be made with one word",
                answers: [.json(.named("FaultPresetList"), "The presets.")]
            ),
            Operation(
                "POST",
                "/api/v1/faults/presets/{name}",
                "Add a fault from a preset",
                body: Operation.Body(
                    schema: .dictionary(of: .anything),
                    example: [:],
                    isRequired: false
                ),
                answers: [.json(.named("Fault"), "The fault.", status: 201)],
                problems: problems + [.unknownPreset]
            ),
            Operation(
                "POST",
                "/api/v1/faults/dry-run",
                "See which pushes a fault would have fired for",
                body: Operation.Body(
                    schema: .closed([
                        "match": Schema.dictionary(of: .anything).orNull,
                        "when": Schema.dictionary(of: .anything).orNull,
                    ]),
                    example: ["match": ["topic": "com.example.app"], "when": ["every": 2]]
                ),
                answers: [.json(.named("FaultDryRun"), "The pushes.")],
                problems: [.unusableValue]
            ),
            Operation(
                "GET",
                "/api/v1/faults/{fault}",
                "Show a fault",
                answers: [.json(.named("Fault"), "The fault.")],
                problems: [.unknownFault]
            ),
            Operation(
                "PUT",
                "/api/v1/faults/{fault}",
                "Describe a fault anew",
                body: body,
                answers: [.json(.named("Fault"), "The fault.")],
                problems: problems + [.unknownFault]
            ),
            Operation(
                "PATCH",
                "/api/v1/faults/{fault}",
                "Change a fault, or switch it on or off",
                body: Operation.Body(schema: .named("FaultChange"), example: ["enabled": false]),
                answers: [.json(.named("Fault"), "The fault.")],
                problems: problems + [.unknownFault]
            ),
            Operation(
                "DELETE",
                "/api/v1/faults/{fault}",
                "Remove a fault",
                answers: [.nothing("It is gone.")],
                problems: [.unknownFault]
            ),
        ],
        schemas: [
            "Fault": fault, "FaultList": .object(["faults": .list(of: .named("Fault"))]),
            "FaultPresetList": .object(["presets": .list(of: .named("FaultPreset"))]),
            "FaultDryRun": .object([
                "hits": .count, "matched": .count, "pushes": .list(of: .pushID),
                "journal": .named("Journal"), "note": .text.orNull,
            ]),
            "FaultDraft": .closed(members, required: ["do"]), "FaultChange": .closed(members),
            "FaultPreset": .object([
                "name": .text, "meaning": .text, "source": .text,
                "parameters": .list(
                    of: .object(["name": .text, "default": .either(.text, .number), "meaning": .text])
                ),
            ]),
        ]
    )

    private static let members: [String: Schema] = [
        "name": .text.orNull, "enabled": .boolean.orNull,
        "match": Schema.dictionary(of: .anything).orNull
            .described("As in verifications, and connection for a fault of whole connections."),
        "when": Schema.dictionary(of: .anything).orNull
            .described("skip, times, every, probability, from, until, afterIdle, afterRequests."),
        "do": Schema.dictionary(of: .anything).described("One action; docs/faults.md says which there are."),
    ]

    private static let fault = Schema.object([
        "id": .text("^flt_[0-9]+$"), "position": .count, "name": .text.orNull, "preset": .text.orNull,
        "enabled": .boolean, "match": .dictionary(of: .anything), "when": .dictionary(of: .anything),
        "do": .dictionary(of: .anything),
        "stats": .object([
            "evaluated": .count, "fired": .count, "lastFiredAt": .time.orNull, "firedFor": .list(of: .pushID),
            "draws": .list(
                of: .object(["number": .count, "for": .text, "value": .number, "fired": .boolean])
            ),
        ]),
    ])
}

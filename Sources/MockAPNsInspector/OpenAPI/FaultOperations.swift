internal import MockAPNsAPI
internal import MockAPNsFormats

/// What the API says of `/api/v1/faults`.
enum FaultOperations {
    private static let draft: JSONValue = [
        "name": "two 503 then fine", "match": ["topic": "com.example.app"], "when": ["times": 2],
        "do": ["respond": ["status": 503, "reason": "ServiceUnavailable"]],
    ]

    static let table = OperationTable(
        name: "faults",
        description:
            "What goes wrong on purpose. The first fault of the list that fires is the one that happens.",
        operations: [
            Operation(
                "GET",
                "/api/v1/faults",
                "List faults",
                answers: [.list(FaultListShape.self, "In the order of the list.")]
            ),
            Operation(
                "POST",
                "/api/v1/faults",
                "Add a fault",
                description: "It goes to the end of the list.",
                body: Operation.Body(schema: .named("FaultDraft"), example: draft),
                answers: [.json(FaultShape.self, "The fault.", status: 201)],
                problems: [.unusableValue, .tooManyFaults]
            ),
            Operation(
                "DELETE",
                "/api/v1/faults",
                "Delete faults",
                description: "Without a filter it takes all=true.",
                parameters: [
                    Operation.Parameter("all", .words(["true"]), "Delete without a filter."),
                    Operation.Parameter("name", .text(atLeast: 1), "The name of faults.", isRepeatable: true),
                    Operation.Parameter(
                        "preset",
                        FaultSchemas.preset,
                        "The preset that they were made of.",
                        isRepeatable: true
                    ),
                ],
                answers: [.json(DeletedShape.self, "How many there were.")],
                exampleQuery: "?all=true"
            ),
            Operation(
                "PUT",
                "/api/v1/faults/order",
                "Put faults in order",
                body: Operation.Body(
                    schema: .closed(
                        ["order": .list(of: .faultID).described("Every id, once.")],
                        required: ["order"]
                    ),
                    example: ["order": ["flt_2", "flt_1"]]
                ),
                answers: [.json(FaultListShape.self, "In their new order.")],
                problems: [.unknownFault, .unusableValue]
            ),
            Operation(
                "GET",
                "/api/v1/faults/presets",
                "List what has gone wrong for others",
                answers: [.json(FaultPresetListShape.self, "The presets.")]
            ),
            Operation(
                "POST",
                "/api/v1/faults/presets/{name}",
                "Add the fault of a preset",
                description: "Each preset takes its own parameters besides name, enabled and match.",
                body: Operation.Body(
                    schema: FaultSchemas.presetBody,
                    example: ["times": 1],
                    isRequired: false
                ),
                answers: [.json(FaultShape.self, "The fault.", status: 201)],
                problems: [.unknownPreset, .unusableValue, .tooManyFaults]
            ),
            Operation(
                "POST",
                "/api/v1/faults/dry-run",
                "Ask what a fault would have happened to",
                description: "Looks at the pushes in the journal; nothing is changed.",
                body: Operation.Body(
                    schema: FaultSchemas.rehearsal,
                    example: ["match": ["topic": "com.example.app"], "when": ["every": 3]]
                ),
                answers: [.json(FaultDryRunShape.self, "The pushes.")],
                problems: [.unusableValue]
            ),
            Operation(
                "GET",
                "/api/v1/faults/{fault}",
                "Show a fault",
                answers: [.json(FaultShape.self, "The fault, and what it has done.")],
                problems: [.unknownFault]
            ),
            Operation(
                "PUT",
                "/api/v1/faults/{fault}",
                "Describe a fault anew",
                body: Operation.Body(schema: .named("FaultDraft"), example: draft),
                answers: [.json(FaultShape.self, "The fault.")],
                problems: [.unknownFault, .unusableValue]
            ),
            Operation(
                "PATCH",
                "/api/v1/faults/{fault}",
                "Change parts of a fault",
                body: Operation.Body(schema: FaultSchemas.change, example: ["enabled": false]),
                answers: [.json(FaultShape.self, "The fault.")],
                problems: [.unknownFault, .unusableValue]
            ),
            Operation(
                "DELETE",
                "/api/v1/faults/{fault}",
                "Delete a fault",
                answers: [.nothing("It is gone.")],
                problems: [.unknownFault]
            ),
        ],
        schemas: FaultSchemas.all
    )
}

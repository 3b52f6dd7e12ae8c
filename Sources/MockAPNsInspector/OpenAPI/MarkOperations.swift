internal import MockAPNsAPI
internal import MockAPNsFormats

/// What the API says of `/api/v1/marks`.
enum MarkOperations {
    static let table = OperationTable(
        name: "marks",
        description: "Lines between pushes, for people who look at them.",
        operations: [
            Operation(
                "GET",
                "/api/v1/marks",
                "List the marks",
                description: "The latest 1,000, the oldest first. A reset of the pushes takes them away.",
                parameters: [
                    Operation.Parameter("after", .count, "Only those set behind this number, or with it.")
                ],
                answers: [.json(MarkListShape.self, "The marks.")]
            ),
            Operation(
                "POST",
                "/api/v1/marks",
                "Set a mark",
                body: Operation.Body(
                    schema: .closed(["text": .text(atLeast: 1)], required: ["text"]),
                    example: ["text": "test \"shipsOrder\" started"]
                ),
                answers: [.json(MarkShape.self, "The mark.", status: 201)],
                problems: [.unusableValue]
            ),
        ],
        schemas: [:]
    )
}

internal import MockAPNsFormats

/// What the API says of `/api/v1/marks`.
enum MarkOperations {
    private static let mark = Schema.object([
        "id": .text("^mrk_[0-9]+$"),
        "seq": .count.described("The number of the newest event when it was set."),
        "at": .time, "text": .text,
    ])

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
                answers: [.json(.named("MarkList"), "The marks.")]
            ),
            Operation(
                "POST",
                "/api/v1/marks",
                "Set a mark",
                body: Operation.Body(
                    schema: .closed(["text": .text(atLeast: 1)], required: ["text"]),
                    example: ["text": "test \"shipsOrder\" started"]
                ),
                answers: [.json(.named("Mark"), "The mark.", status: 201)],
                problems: [.unusableValue]
            ),
        ],
        schemas: ["Mark": mark, "MarkList": .object(["marks": .list(of: .named("Mark"))])]
    )
}

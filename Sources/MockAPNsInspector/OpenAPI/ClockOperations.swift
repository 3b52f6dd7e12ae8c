internal import MockAPNsAPI
internal import MockAPNsFormats

/// What the API says of the clock.
enum ClockOperations {
    static let table = OperationTable(
        name: "clock",
        description: "The clock that expiration, storage, token age and 410 go by.",
        operations: [
            Operation(
                "GET",
                "/api/v1/clock",
                "Show the clock",
                answers: [.json(ClockShape.self, "The clock.")]
            ),
            Operation(
                "PUT",
                "/api/v1/clock",
                "Stop the clock, or let it run",
                body: Operation.Body(
                    schema: .closed(
                        ["mode": .words(ClockShape.Mode.self), "now": .time],
                        required: ["mode"]
                    ),
                    example: ["mode": "frozen", "now": "2030-01-01T00:00:00Z"]
                ),
                answers: [.json(ClockSetShape.self, "The clock, and what was due.")],
                problems: [.unusableValue]
            ),
            Operation(
                "POST",
                "/api/v1/clock/advance",
                "Move the clock forward",
                description: "Runs everything due before it answers.",
                body: Operation.Body(
                    schema: .closed(["by": .duration], required: ["by"]),
                    example: ["by": "1h"]
                ),
                answers: [.json(ClockAdvancedShape.self, "The clock, and what was due.")],
                problems: [.unusableValue]
            ),
        ],
        schemas: [:]
    )
}

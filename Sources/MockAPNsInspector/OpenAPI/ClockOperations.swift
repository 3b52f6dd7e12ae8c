internal import MockAPNsFormats

/// What the API says of the clock.
enum ClockOperations {
    private static let clock: [String: Schema] = [
        "mode": .words(ClockShape.Mode.self), "now": .time,
        "offsetSeconds": .number.described("How far it is ahead of the system's clock."),
        "nextDue": .time.orNull.described("When the next thing happens by itself."),
    ]

    static let table = OperationTable(
        name: "clock",
        description: "The clock that expiration, storage, token age and 410 go by.",
        operations: [
            Operation(
                "GET",
                "/api/v1/clock",
                "Show the clock",
                answers: [.json(.named("Clock"), "The clock.")]
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
                answers: [.json(.named("ClockSet"), "The clock, and what was due.")],
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
                answers: [.json(.named("ClockAdvanced"), "The clock, and what was due.")],
                problems: [.unusableValue]
            ),
        ],
        schemas: [
            "Clock": .object(clock),
            "ClockSet": .object(clock.merging(DeviceSchemas.deliveries) { first, _ in first }),
            "ClockAdvanced": .object(
                clock.merging(DeviceSchemas.deliveries) { first, _ in first }
                    .merging(["namespacesExpired": .list(of: .text)]) { first, _ in first }
            ),
        ]
    )
}

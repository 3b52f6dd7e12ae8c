/// What the API says of `/api/v1/feedback`.
enum FeedbackOperations {
    static let table = OperationTable(
        name: "feedback",
        description: "The device tokens that providers should stop pushing to.",
        operations: [
            Operation(
                "GET",
                "/api/v1/feedback",
                "List dead device tokens",
                parameters: [Operation.Parameter("since", .time, "Only tokens that died from this time on.")],
                answers: [.list(.named("FeedbackList"), line: .named("Feedback"), "Oldest death first.")]
            ),
            Operation(
                "DELETE",
                "/api/v1/feedback",
                "Clear the list",
                answers: [.json(.named("Deleted"), "How many there were.")]
            ),
        ],
        schemas: [
            "FeedbackList": .object(["feedback": .list(of: .named("Feedback"))]),
            "Feedback": .object([
                "token": .token, "device": .text.orNull, "topic": .text.orNull, "unregisteredAt": .time,
                "cause": .text, "reported410": .count, "lastReportedAt": .time.orNull,
                "pushesAfterFirst410": .count,
            ]),
        ]
    )
}

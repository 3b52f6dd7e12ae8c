internal import MockAPNsAPI

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
                answers: [.list(FeedbackListShape.self, "Oldest death first.")]
            ),
            Operation(
                "DELETE",
                "/api/v1/feedback",
                "Clear the list",
                answers: [.json(DeletedShape.self, "How many there were.")]
            ),
        ],
        schemas: [:]
    )
}

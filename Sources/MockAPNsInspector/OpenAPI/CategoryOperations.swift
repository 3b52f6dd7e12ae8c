internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsWorld

/// What the API says of the categories of apps, whose buttons previews show.
enum CategoryOperations {
    private typealias Limit = NotificationCategories.Limit

    static let table = OperationTable(
        name: "categories",
        description: "The buttons of notifications, which only the app knows: uploaded, previews show them.",
        operations: [
            Operation(
                "GET",
                "/api/v1/categories",
                "List categories",
                answers: [
                    .list(CategoryListShape.self, "The categories.")
                ]
            ),
            Operation(
                "GET",
                "/api/v1/categories/{topic}/{category}",
                "Show a category",
                answers: [.json(CategoryShape.self, "Its buttons, in their order.")],
                problems: [.unknownCategory]
            ),
            Operation(
                "PUT",
                "/api/v1/categories/{topic}/{category}",
                "Describe the buttons of a category",
                description:
                    "The whole category: its actions as the app gives them to UNNotificationCategory, in their order.",
                body: Operation.Body(
                    schema: .closed(
                        ["actions": .list(of: draft, atMost: Limit.actions)],
                        required: ["actions"]
                    ),
                    example: [
                        "actions": [
                            ["identifier": "ACCEPT", "title": "Accept"],
                            ["title": "Decline", "destructive": true],
                        ]
                    ]
                ),
                answers: [
                    .json(CategorySummaryShape.self, "The category was replaced."),
                    .json(CategorySummaryShape.self, "The category is new.", status: 201),
                ],
                problems: [.tooManyCategories]
            ),
            Operation(
                "DELETE",
                "/api/v1/categories/{topic}/{category}",
                "Delete a category",
                answers: [.nothing("It is gone.")],
                problems: [.unknownCategory]
            ),
        ],
        schemas: [:]
    )

    private static let draft = Schema.closed(
        [
            "identifier": text.orNull.described("What the app is told."),
            "title": text.described("What stands on the button."),
            "destructive": flag.described("Shown in red."),
            "foreground": flag.described("Opens the app."),
            "authenticationRequired": flag.described("Asks to unlock the device first."),
            "textInput": flag.described("Asks for a text, as UNTextInputNotificationAction does."),
        ],
        required: ["title"]
    )

    private static let text = Schema.text(1...Limit.scalars)
    /// `null` says as much as nothing: the body describes something anew.
    private static let flag = Schema.boolean.orNull.defaulting(to: false)
}

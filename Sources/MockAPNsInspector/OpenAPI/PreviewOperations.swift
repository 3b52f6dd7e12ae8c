internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsPreview
internal import MockAPNsWorld

/// What the API says of previews, and of the texts of apps that they look up.
enum PreviewOperations {
    private static let language = Operation.Parameter(
        "language",
        .languageTag,
        "The language of the device; without it en, where the app has it."
    )
    private static let appState = Operation.Parameter(
        "appState",
        .word(.appState),
        "What the app is doing; without it, what it was doing when the push reached it."
    )

    static let table = OperationTable(
        name: "previews",
        description: "What iOS would show of a push: an approximation, as data and as a picture.",
        operations: [
            Operation(
                "GET",
                "/api/v1/pushes/{id}/preview",
                "Show what iOS would show of a push",
                parameters: [language, appState],
                answers: [.json(PreviewShape.self, "What would be shown, and in which states of the app.")],
                problems: [.unknownPush]
            ),
            Operation(
                "GET",
                "/api/v1/pushes/{id}/preview.svg",
                "Take a picture of what iOS would show",
                description: "SVG without script, style or link; the same push gives the same bytes.",
                parameters: [
                    Operation.Parameter(
                        "view",
                        .word(.previewView),
                        "Where; without it, the lock screen. Notification Center is that of now."
                    ),
                    Operation.Parameter("appearance", .words(PreviewAppearance.self), "Light or dark."),
                    language, appState,
                ],
                answers: [.other(APIResponse.picture, "The picture.")],
                problems: [.unknownPush],
                exampleQuery: "?view=lock-screen&appearance=dark"
            ),
            Operation(
                "GET",
                "/api/v1/strings",
                "List strings tables",
                answers: [.list(StringsListShape.self, "The tables.")]
            ),
            Operation(
                "GET",
                "/api/v1/strings/{topic}/{language}",
                "Show a strings table",
                answers: [.json(StringsTableShape.self, "The texts, by their keys.")],
                problems: [.unknownStrings]
            ),
            Operation(
                "PUT",
                "/api/v1/strings/{topic}/{language}",
                "Upload the texts of an app in one language",
                description:
                    "The whole table: an object of keys and texts, or with Content-Type: text/plain an Apple"
                    + " .strings file.",
                body: Operation.Body(
                    schema: .dictionary(of: .text),
                    example: ["ORDER_SHIPPED": "Order %@ is on its way to %2$@."],
                    alternatives: ["text/plain": .text]
                ),
                answers: [
                    .json(StringsSummaryShape.self, "The table was replaced."),
                    .json(StringsSummaryShape.self, "The table is new.", status: 201),
                ],
                problems: [.tooManyStrings]
            ),
            Operation(
                "DELETE",
                "/api/v1/strings/{topic}/{language}",
                "Delete a strings table",
                answers: [.nothing("It is gone.")],
                problems: [.unknownStrings]
            ),
        ],
        schemas: [:]
    )
}

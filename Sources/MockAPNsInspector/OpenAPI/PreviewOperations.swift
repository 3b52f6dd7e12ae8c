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
        DeviceSchemas.appState,
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
                answers: [.json(.named("Preview"), "What would be shown, and in which states of the app.")],
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
                        .words(PreviewView.self),
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
                answers: [.list(.named("StringsList"), line: .named("StringsSummary"), "The tables.")]
            ),
            Operation(
                "GET",
                "/api/v1/strings/{topic}/{language}",
                "Show a strings table",
                answers: [.json(.named("StringsTable"), "The texts, by their keys.")],
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
                    .json(.named("StringsSummary"), "The table was replaced."),
                    .json(.named("StringsSummary"), "The table is new.", status: 201),
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
        schemas: [
            "Preview": preview,
            "StringsSummary": .object(summary),
            "StringsTable": .object(
                summary.merging(["strings": .dictionary(of: .text)]) { first, _ in first }
            ),
            "StringsList": .object(["tables": .list(of: .named("StringsSummary"))]),
        ]
    )

    private static let summary: [String: Schema] = [
        "topic": .topic.described("The bundle identifier."), "language": .languageTag, "count": .count,
    ]

    // MARK: Schemas

    private static let text = Schema.object([
        "text": .text.described("What the device shows."), "source": .words(PreviewText.Source.self),
        "key": .text.orNull, "arguments": .list(of: .text),
    ])

    private static let preview = Schema.object([
        "push": .pushID, "seq": .count, "kind": .words(PreviewKind.self), "headline": .text, "summary": .text,
        "language": Schema.languageTag.orNull.described("That of the strings table; null without one."),
        "app": .object(["bundleId": .text, "name": .text, "letter": .text, "color": .text]),
        "title": text.orNull, "subtitle": text.orNull, "body": text.orNull,
        "badge": .object([
            "effect": .words(PreviewBadge.effects), "number": Schema.integer.orNull, "meaning": .text,
        ]),
        "sound": .object([
            "kind": .words(PreviewSound.Kind.self), "name": .text.orNull, "volume": Schema.fraction.orNull,
            "meaning": .text,
        ]),
        "interruptionLevel": .object(["value": .words(InterruptionLevel.self), "meaning": .text]),
        "threadId": .text.orNull,
        "category": Schema.object(["id": .text, "meaning": .text]).orNull,
        "categoryActions": Schema.list(of: .named("CategoryAction")).orNull
            .described("The buttons of the category, in their order; null where it was not uploaded."),
        "relevanceScore": Schema.number.orNull, "targetContentId": .text.orNull,
        "launchImage": .text.orNull, "collapseId": .text.orNull,
        "chips": .list(of: .object(["name": .text, "meaning": .text])),
        "liveActivity": Schema.object([
            "event": .text.orNull, "meaning": .text, "timestamp": .anything, "contentState": .anything,
            "attributesType": .anything, "attributes": .anything, "staleDate": .anything,
            "dismissalDate": .anything,
        ]).orNull,
        "appState": DeviceSchemas.appState,
        "isShown": .boolean.described("Whether there is a notification to be seen in this state."),
        "appStates": .list(
            of: .object([
                "appState": DeviceSchemas.appState, "isShown": .boolean, "summary": .text,
                "presentation": .text, "callbacks": .list(of: .text),
            ])
        ),
        "isDelivered": .boolean, "notificationsEnabled": .boolean,
        "notes": .list(of: .text).described("What is odd, and what is approximate."),
        "views": .list(of: .words(PreviewView.self)).described("The pictures that say something."),
    ])
}

extension Schema {
    /// The name of a language.
    static let languageTag = Schema.text("^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8}){0,3}$").example("en")
}

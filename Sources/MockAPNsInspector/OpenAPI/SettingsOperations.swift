internal import MockAPNsAPI
internal import MockAPNsFormats

/// What the API says of `/api/v1/settings`.
enum SettingsOperations {
    private static let members = Dictionary(
        uniqueKeysWithValues: RunTimeSetting.all.map { ($0.name, $0.schema) }
    )

    static let table = OperationTable(
        name: "settings",
        description: "What can be set while the server runs.",
        operations: [
            Operation(
                "GET",
                "/api/v1/settings",
                "Show the settings",
                answers: [.json(.named("Settings"), "The settings.")]
            ),
            Operation(
                "PATCH",
                "/api/v1/settings",
                "Change settings",
                description:
                    "All at once, or none: no push is judged by half of a change. strict comes first, as it sets others.",
                body: Operation.Body(schema: .closed(members), example: ["unknownTokens": "reject"]),
                answers: [.json(.named("Settings"), "The settings.")]
            ),
        ],
        schemas: ["Settings": .object(members)]
    )
}

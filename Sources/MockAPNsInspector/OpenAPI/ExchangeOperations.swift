internal import MockAPNsAPI
internal import MockAPNsFormats

/// What the API says of export and import.
enum ExchangeOperations {
    static let table = OperationTable(
        name: "exchange",
        description: "Pushes out of one server and into another.",
        operations: [
            Operation(
                "GET",
                "/api/v1/pushes/export",
                "Export pushes",
                description: "Every push that fits, oldest first. ndjson is what import takes; har is an HTTP"
                    + " Archive for browsers and proxies.",
                parameters: [
                    Operation.Parameter(
                        "format",
                        Schema.words(PushExport.Format.self).defaulting(to: "ndjson"),
                        "The form of the file."
                    )
                ] + PushParameters.selection,
                answers: [
                    Operation.Answer(
                        description: "The pushes.",
                        content: [
                            APIResponse.lines: Schema.text.described("One push per line."),
                            APIResponse.json: .object(["log": .dictionary(of: .anything)]),
                        ]
                    )
                ],
                problems: [.unknownDevice, .badPath],
                exampleQuery: "?topic=com.example.app"
            ),
            Operation(
                "POST",
                "/api/v1/pushes/import",
                "Import pushes",
                description:
                    "All lines or nothing; up to 64 MiB. The pushes get numbers and ids of this server, say"
                    + " imported, and reach no device.",
                body: Operation.Body(
                    schema: Schema.text.described("What an export in the form ndjson has."),
                    example: "@pushes.ndjson",
                    contentType: APIResponse.lines
                ),
                answers: [.json(ImportedShape.self, "How many there are.", status: 201)]
            ),
        ],
        schemas: [:]
    )
}

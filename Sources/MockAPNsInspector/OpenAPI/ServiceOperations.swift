internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsWorld

/// What the API says of the server itself.
enum ServiceOperations {
    static let table = OperationTable(
        name: "service",
        description: "The server itself.",
        operations: [
            Operation(
                "GET",
                "/livez",
                "Ask whether the process runs",
                answers: [.json(AliveShape.self, "It does.")]
            ),
            Operation(
                "GET",
                "/readyz",
                "Ask whether every listener accepts",
                answers: [.json(ReadyShape.self, "All do.")],
                problems: [.notReady]
            ),
            Operation(
                "GET",
                "/metrics",
                "Take numbers for Prometheus",
                answers: [.other(MetricsText.contentType, "The text format of Prometheus.")]
            ),
            Operation(
                "GET",
                "/docs",
                "Read this document as a page",
                answers: [.other(DocsPage.contentType, "The page.")]
            ),
            Operation(
                "GET",
                "/docs/lints",
                "Read what each lint means",
                description: "A lint's learn leads to its place in it.",
                answers: [.other(DocsPage.contentType, "The page.")]
            ),
            Operation(
                "GET",
                "/docs/style.css",
                "Take the style of the pages",
                answers: [.other(DocsPage.styleType, "The style sheet.")]
            ),
            Operation(
                "GET",
                "/api/v1/openapi.json",
                "Take this document as JSON",
                answers: [.json(.dictionary(of: .anything), "An OpenAPI 3.1 document.")]
            ),
            Operation(
                "GET",
                "/api/v1/openapi.yaml",
                "Take this document as YAML",
                answers: [
                    Operation.Answer(
                        description: "An OpenAPI 3.1 document.",
                        content: [OpenAPIRoute.yaml: .dictionary(of: .anything)]
                    )
                ]
            ),
            Operation(
                "GET",
                "/api/v1/info",
                "Show what the server is and how it is set up",
                answers: [.json(InfoShape.self, "The server.")]
            ),
            Operation(
                "GET",
                "/api/v1/seq",
                "Take the number of the newest event",
                answers: [.json(SequenceShape.self, "Ask with after= of it afterwards.")]
            ),
            Operation(
                "GET",
                "/api/v1/connections",
                "List connections to the APNs side",
                parameters: [
                    Operation.Parameter(
                        "state",
                        .words(["open", "closed"]),
                        "Open or closed.",
                        isRepeatable: true
                    ),
                    PushParameters.order, PushParameters.limit,
                ],
                answers: [.list(ConnectionPageShape.self, "The connections.")]
            ),
            Operation(
                "POST",
                "/api/v1/reset",
                "Go back to the start",
                body: Operation.Body(
                    schema: .closed([
                        "only": .listWithEntries(of: .words(ResetReport.Part.self)),
                        "connections": .words(["keep", "close"]),
                    ]),
                    example: ["only": ["pushes"]],
                    isRequired: false
                ),
                answers: [.json(ResetShape.self, "What was cleared.")]
            ),
            Operation(
                "POST",
                "/api/v1/shutdown",
                "Stop the server",
                description: "Needs --allow-shutdown. The server stops once this answer is written.",
                body: Operation.Body(schema: .closed([:]), example: [:], isRequired: false),
                answers: [.json(StoppingShape.self, "It stops.", status: 202)],
                problems: [.shutdownNotAllowed]
            ),
        ],
        schemas: [:]
    )
}

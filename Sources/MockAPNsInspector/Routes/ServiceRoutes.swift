internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsWorld

/// The server itself.
enum ServiceRoutes {
    static let group = RouteGroup(
        "service",
        "The server itself.",
        [
            Route("GET", "/livez", "Ask whether the process runs", answer: HealthRoutes.live)
                .forAnyHost()
                .work(.prompt)
                .gives(.json(AliveShape.self, "It does.")),
            Route("GET", "/readyz", "Ask whether every listener accepts", answer: HealthRoutes.ready)
                .forAnyHost()
                .work(.prompt)
                .gives(.json(ReadyShape.self, "All do."))
                .fails(.notReady),
            Route("GET", "/metrics", "Take numbers for Prometheus", answer: MetricsRoute.metrics)
                .gives(.other(MetricsText.contentType, "The text format of Prometheus.")),
            Route("GET", "/docs", "Read this document as a page", answer: OpenAPIRoute.page)
                .gives(.other(DocsPage.contentType, "The page.")),
            Route("GET", "/docs/lints", "Read what each lint means", answer: OpenAPIRoute.lints)
                .detail("A lint's learn leads to its place in it.")
                .gives(.other(DocsPage.contentType, "The page.")),
            Route("GET", "/docs/style.css", "Take the style of the pages", answer: OpenAPIRoute.style)
                .gives(.other(DocsPage.styleType, "The style sheet.")),
            Route("GET", "/api/v1/openapi.json", "Take this document as JSON", answer: OpenAPIRoute.json)
                .gives(.json(.dictionary(of: .anything), "An OpenAPI 3.1 document.")),
            Route("GET", "/api/v1/openapi.yaml", "Take this document as YAML", answer: OpenAPIRoute.yaml)
                .gives(
                    Route.Answer(
                        description: "An OpenAPI 3.1 document.",
                        content: [OpenAPIRoute.yaml: .dictionary(of: .anything)]
                    )
                ),
            Route(
                "GET",
                "/api/v1/info",
                "Show what the server is and how it is set up",
                answer: InfoRoute.info
            )
            .gives(.json(InfoShape.self, "The server.")),
            Route("GET", "/api/v1/seq", "Take the number of the newest event", answer: SequenceRoute.current)
                .gives(.json(SequenceShape.self, "Ask with after= of it afterwards.")),
            ConnectionRoutes.route,
            Route("POST", "/api/v1/reset", "Go back to the start", answer: ResetRoute.reset)
                .reads(ResetRoute.body)
                .gives(.json(ResetShape.self, "What was cleared.")),
            Route("POST", "/api/v1/shutdown", "Stop the server", answer: ShutdownRoute.shutDown)
                .work(.prompt)
                .detail("Needs --allow-shutdown. The server stops once this answer is written.")
                .reads(ShutdownRoute.body)
                .gives(.json(StoppingShape.self, "It stops.", status: 202))
                .fails(.shutdownNotAllowed),
        ]
    )

}

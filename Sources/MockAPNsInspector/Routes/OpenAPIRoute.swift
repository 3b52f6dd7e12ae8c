internal import MockAPNsFormats

/// What the API says of itself: as an OpenAPI document, and as a page.
enum OpenAPIRoute {
    static let yaml = "application/yaml"

    /// Nothing from elsewhere, and nothing that runs.
    private static let safety = [
        (
            name: "Content-Security-Policy",
            value: "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none';"
                + " frame-ancestors 'none'"
        ),
        (name: "X-Content-Type-Options", value: "nosniff"),
        (name: "Referrer-Policy", value: "no-referrer"),
    ]

    /// `GET /api/v1/openapi.json`.
    static func json(_ call: Route.Call) throws(Problem) -> APIResponse { .json(document(call)) }

    /// `GET /api/v1/openapi.yaml`.
    static func yaml(_ call: Route.Call) throws(Problem) -> APIResponse {
        APIResponse(contentType: yaml, body: .bytes(Array(YAMLText(document(call)).text.utf8)))
    }

    /// `GET /docs`.
    static func page(_ call: Route.Call) throws(Problem) -> APIResponse {
        let server = call.subject.apiURL(port: call.request.localPort ?? 8_197)
        return page(DocsPage(document(call), server: server).html)
    }

    /// `GET /docs/lints`.
    static func lints(_ call: Route.Call) throws(Problem) -> APIResponse { page(LintsPage.html) }

    private static func page(_ html: String) -> APIResponse {
        APIResponse(contentType: DocsPage.contentType, headers: safety, body: .bytes(Array(html.utf8)))
    }

    /// `GET /docs/style.css`.
    static func style(_ call: Route.Call) throws(Problem) -> APIResponse {
        APIResponse(
            contentType: DocsPage.styleType,
            headers: safety,
            body: .bytes(Array(DocsPage.style.utf8))
        )
    }

    private static func document(_ call: Route.Call) -> JSONValue {
        OpenAPIDocument(version: call.subject.facts.version).json
    }
}

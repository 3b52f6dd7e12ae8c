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

    static func json(_ call: Route.Call) throws(Problem) -> APIResponse { .json(document(call)) }

    /// JSON is YAML 1.2, so both forms of the document are the same bytes.
    static func yaml(_ call: Route.Call) throws(Problem) -> APIResponse {
        var response = try json(call)
        response.contentType = yaml
        return response
    }

    static func page(_ call: Route.Call) throws(Problem) -> APIResponse {
        let server = call.subject.apiURL(port: call.request.localPort ?? 8_197)
        return page(DocsPage(document: document(call), server: server).html)
    }

    static func lints(_ call: Route.Call) throws(Problem) -> APIResponse { page(LintsPage.html) }

    private static func page(_ html: String) -> APIResponse {
        APIResponse(contentType: HTMLText.contentType, headers: safety, body: .bytes(Array(html.utf8)))
    }

    static func style(_ call: Route.Call) throws(Problem) -> APIResponse {
        APIResponse(
            contentType: DocsPage.styleType,
            headers: safety,
            body: .bytes(Array(DocsPage.style.utf8))
        )
    }

    private static func document(_ call: Route.Call) -> JSONValue {
        OpenAPIDocument(groups: RouteGroup.all, version: call.subject.facts.version).json
    }
}

internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats

/// The inspector's page and its files.
///
/// They are not operations of the API, so they are not in `RouteGroup.all`.
enum PageRoutes {
    /// The paths of the page's views; the page reads them itself.
    private static let places = [
        "/", "/p/{id}", "/latest", "/compare/{id}/{other}", "/devices", "/devices/{device}", "/channels",
        "/channels/{channel}", "/faults", "/faults/{fault}", "/feedback", "/keys", "/connections",
        "/connections/{connection}", "/log",
    ]

    static let routes: [Route] =
        places.map { route($0, to: "index.html").forThePage() } + [
            PictureRoute.route, route("/ui/{path...}"), route("/favicon.ico", to: "icon.svg"),
        ]

    /// Pushes are untrusted: no inline scripts, no text that becomes markup, and nothing from other servers.
    ///
    /// The picture of a push is shown in a frame, by `PictureRoute`, when the user clicks on a button.
    private static let safety =
        APIResponse.safety(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                + " connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
                + " require-trusted-types-for 'script'; trusted-types event-stream") + [
            ("Cross-Origin-Opener-Policy", "same-origin")
        ]

    /// A route to a file: by default, to the one that the rest of the path names.
    private static func route(_ path: String, to file: String? = nil) -> Route {
        Route("GET", path) { (call) throws(Problem) in try answer(file ?? call.pathParts["path"] ?? "", to: call) }
    }

    private static func answer(_ path: String, to call: Route.Call) throws(Problem) -> APIResponse {
        guard call.subject.showsPage else {
            throw Problem(
                .unknownPath,
                "The inspector is turned off: start without --no-ui (MOCK_APNS_NO_UI) to have it here."
                    + " The API is described at /docs.")
        }
        if call.request.acceptsGzip, let file = PageFile.joined(at: path) {
            return APIResponse(
                contentType: file.contentType,
                headers: safety + [("Content-Encoding", "gzip"), ("Vary", "Accept-Encoding")], body: .bytes(file.bytes))
        }
        guard let file = PageFile.at(path) else {
            let nearest = Suggestion.nearest(to: path, among: PageFile.all.map(\.path)).map { "/ui/" + $0 }
            throw Problem(
                .unknownPath, "The page has no file '\(path)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "."),
                complaints: [
                    Complaint(path: call.request.path, message: "is not a file of the page", suggestion: nearest)
                ])
        }
        let varies = PageFile.joined(at: path) == nil ? [] : [("Vary", "Accept-Encoding")]
        return APIResponse(contentType: file.contentType, headers: safety + varies, body: .bytes(file.bytes))
    }
}

extension Route.Call {
    /// Longer matchers are left out of links, in bytes of JSON.
    private static let longestMatch = 1_500

    /// The URL of a push on the page, under the host name that the client used; `nil` without the page.
    ///
    /// With `match`, the page shows which conditions of this matcher the push does not meet.
    func pageLink(to id: String, match: JSONValue? = nil) -> String? {
        guard subject.showsPage, let host = request.hosts.first else { return nil }
        let namespace = subject.namespace
        let isStandard = namespace === subject.server.namespaces.standard
        let parameters = [
            isStandard ? nil : "ns=\(namespace.name)",
            (match?.text).flatMap { text in text.count > Self.longestMatch ? nil : "match=\(Base64URL.encode(text))" },
        ].compactMap(\.self)
        return "http://\(host)/p/\(id)" + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
    }
}

/// The API's documentation: as an OpenAPI document, and as pages.
enum OpenAPIRoute {
    static let yaml = "application/yaml"

    private static let safety = APIResponse.safety(
        "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")

    /// JSON is valid YAML 1.2, so the document has the same bytes as either.
    static func document(_ call: Route.Call, as contentType: String = APIResponse.json) -> APIResponse {
        var response = APIResponse.json(document(of: call))
        response.contentType = contentType
        return response
    }

    static func page(_ call: Route.Call) throws(Problem) -> APIResponse {
        let server = call.subject.apiURL(port: call.request.localPort ?? 8_197)
        return file(DocsPage(document: document(of: call), server: server).html)
    }

    static func file(_ text: String, _ contentType: String = HTMLText.contentType) -> APIResponse {
        .text(text, as: contentType, headers: safety)
    }

    private static func document(of call: Route.Call) -> JSONValue {
        OpenAPIDocument(groups: RouteGroup.all, version: call.subject.facts.version).json
    }
}

internal import CMockAPNsPage
internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats

/// The inspector's page and its files.
///
/// They are not operations of the API, so they are not in `RouteGroup.all`.
enum PageRoutes {
    /// The paths of the page's views; the page reads them itself.
    private static let places = [
        "/", "/p/{id}", "/latest", "/devices", "/devices/{device}", "/faults", "/faults/{fault}", "/feedback",
        "/keys", "/connections", "/connections/{connection}", "/log",
    ]

    static let routes: [Route] =
        places.map { Route("GET", $0, answer: page).forThePage() } + [
            Route("GET", "/ui/{path...}", answer: file), Route("GET", "/favicon.ico", answer: icon),
        ]

    /// No inline scripts, nothing from other servers, and no text that becomes markup: pushes are untrusted.
    private static let safety =
        APIResponse.safety(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:;"
                + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
                + " require-trusted-types-for 'script'"
        ) + [("Cross-Origin-Opener-Policy", "same-origin")]

    private static func page(_ call: Route.Call) throws(Problem) -> APIResponse {
        try answer("index.html", to: call)
    }

    private static func file(_ call: Route.Call) throws(Problem) -> APIResponse {
        try answer(call.pathParts["path"] ?? "", to: call)
    }

    private static func icon(_ call: Route.Call) throws(Problem) -> APIResponse {
        try answer("icon.svg", to: call)
    }

    private static func answer(_ path: String, to call: Route.Call) throws(Problem) -> APIResponse {
        guard call.subject.showsPage else {
            throw Problem(
                kind: .unknownPath,
                detail:
                    "The inspector is turned off: start without --no-ui (MOCK_APNS_NO_UI) to have it here."
                    + " The API is described at /docs."
            )
        }
        guard let file = PageFile.at(path) else {
            let nearest = Suggestion.nearest(to: path, among: PageFile.all.map(\.path)).map { "/ui/" + $0 }
            throw Problem(
                kind: .unknownPath,
                detail: "The page has no file '\(path)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "."),
                complaints: [
                    Complaint(
                        path: call.request.path,
                        message: "is not a file of the page",
                        suggestion: nearest
                    )
                ]
            )
        }
        return APIResponse(contentType: file.contentType, headers: safety, body: .bytes(file.bytes))
    }
}

extension Route.Call {
    /// The URL of a push on the page, under the host name that the client used; `nil` without the page.
    func pageLink(to id: String) -> String? {
        guard subject.showsPage, let host = request.hosts.first else { return nil }
        let namespace = subject.namespace
        let isStandard = namespace === subject.server.namespaces.standard
        return "http://\(host)/p/\(id)" + (isStandard ? "" : "?ns=\(namespace.name)")
    }
}

/// The API's documentation: as an OpenAPI document, and as pages.
enum OpenAPIRoute {
    static let yaml = "application/yaml"

    private static let safety = APIResponse.safety(
        "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )

    static func json(_ call: Route.Call) throws(Problem) -> APIResponse { .json(document(call)) }

    /// JSON is valid YAML 1.2, so both documents are the same bytes.
    static func yaml(_ call: Route.Call) throws(Problem) -> APIResponse {
        var response = try json(call)
        response.contentType = yaml
        return response
    }

    static func page(_ call: Route.Call) throws(Problem) -> APIResponse {
        let server = call.subject.apiURL(port: call.request.localPort ?? 8_197)
        return file(DocsPage(document: document(call), server: server).html)
    }

    static func lints(_ call: Route.Call) throws(Problem) -> APIResponse { file(LintsPage.html) }

    static func style(_ call: Route.Call) throws(Problem) -> APIResponse {
        file(DocsPage.style, DocsPage.styleType)
    }

    private static func file(_ text: String, _ contentType: String = HTMLText.contentType) -> APIResponse {
        APIResponse(contentType: contentType, headers: safety, body: .bytes(Array(text.utf8)))
    }

    private static func document(_ call: Route.Call) -> JSONValue {
        OpenAPIDocument(groups: RouteGroup.all, version: call.subject.facts.version).json
    }
}

/// A file of the inspector's page, embedded in the program.
struct PageFile: Sendable {
    /// Relative to `web/`.
    let path: String
    let contentType: String
    let bytes: [UInt8]

    static let all: [PageFile] = {
        var count = 0
        return UnsafeBufferPointer(start: mockapns_page_files(&count), count: count).map { file in
            PageFile(
                path: String(cString: file.path),
                contentType: String(cString: file.content_type),
                bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
            )
        }
    }()

    private static let byPath = Dictionary(all.map { ($0.path, $0) }) { first, _ in first }

    static func at(_ path: String) -> PageFile? { byPath[path] }
}

internal import MockAPNs
internal import MockAPNsFormats

/// The inspector: the page that shows what the API tells, and the files that it is made of.
///
/// These are pages for people and no operations of the API. So they stand in a table of their own, beside
/// `RouteGroup.all`, from which the OpenAPI document is made.
enum PageRoutes {
    /// Where the page is: every place in it that a link can lead to.
    ///
    /// What the path means is the page's business.
    static let places = [
        "/", "/p/{id}", "/latest", "/devices", "/devices/{device}", "/faults", "/faults/{fault}", "/feedback",
        "/keys", "/connections", "/connections/{connection}", "/log",
    ]

    /// The routes, of which none is an operation of the API.
    static let routes: [Route] =
        places.map { Route("GET", $0, answer: page).forThePage() } + [
            Route("GET", "/ui/{path...}", answer: file), Route("GET", "/favicon.ico", answer: icon),
        ]

    /// Only what the server itself sends, nothing that stands in the page's own text, and no text that becomes markup:
    /// what a push says is hostile.
    private static let safety = [
        (
            name: "Content-Security-Policy",
            value: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:;"
                + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
                + " require-trusted-types-for 'script'"
        ),
        (name: "X-Content-Type-Options", value: "nosniff"),
        (name: "Referrer-Policy", value: "no-referrer"),
        (name: "Cross-Origin-Opener-Policy", value: "same-origin"),
    ]

    /// `GET /`, and every other place of the page.
    private static func page(_ call: Route.Call) throws(Problem) -> APIResponse {
        try answer("index.html", to: call)
    }

    private static func file(_ call: Route.Call) throws(Problem) -> APIResponse {
        try answer(call.pathParts["path"] ?? "", to: call)
    }

    /// `GET /favicon.ico`, which browsers ask for by themselves.
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
    /// Where a person can look at a push, as the client that asks reaches this server; `nil` without the page.
    func pageLink(to id: String) -> String? {
        guard subject.showsPage, let host = request.hosts.first else { return nil }
        let namespace = subject.namespace
        let isStandard = namespace === subject.server.namespaces.standard
        return "http://\(host)/p/\(id)" + (isStandard ? "" : "?ns=\(namespace.name)")
    }
}

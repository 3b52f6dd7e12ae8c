/// A problem as a page, for a person who has opened a path of the API in a browser.
///
/// It has no style of its own: the server's style sheet is not for everybody who may see this.
struct ProblemPage {
    static let contentType = "text/html; charset=utf-8"

    /// Nothing but the text.
    static let safety = [
        (
            name: "Content-Security-Policy",
            value: "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        (name: "X-Content-Type-Options", value: "nosniff"),
        (name: "Referrer-Policy", value: "no-referrer"),
    ]

    private let problem: Problem
    private let target: String

    /// - Parameters:
    ///   - problem: what is wrong.
    ///   - request: what was asked for.
    init(_ problem: Problem, to request: APIRequest) {
        self.problem = problem
        // One slash at the start: two, or what browsers take for them, would name another host.
        let path = "/" + request.path.drop { $0 == "/" || $0 == "\\" }
        target = path + (request.query.isEmpty ? "" : "?" + request.query)
    }

    /// The page.
    var html: String {
        let title = HTMLText.escaped(problem.kind.row.title)
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(problem.kind.row.status) · mock-apns</title>
            </head>
            <body>
            <h1>\(title)</h1>
            <p>\(HTMLText.escaped(problem.detail))</p>
            \(wayOut)
            </body>
            </html>

            """
    }

    /// What to do next.
    private var wayOut: String {
        switch problem.kind {
        case .notAuthorized:
            // A link from elsewhere does not bring the cookie along; one from this page does.
            """
            <p>To look at it here, open this address once with the token behind it:
            <code>/?\(AccessPolicy.parameter)=&lt;token&gt;</code>. The browser then keeps the token until it is closed.</p>
            <p>You have done so? <a href="\(HTMLText.escaped(target))">Go on.</a></p>
            """
        case .hostNotAllowed, .originNotAllowed: ""
        default: "<p><a href=\"/\">The inspector</a> · <a href=\"/docs\">The API</a></p>"
        }
    }
}

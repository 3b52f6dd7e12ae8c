internal import MockAPNsAPI

/// A problem as a page, for a person who has opened a path of the API in a browser.
///
/// It has no style: whoever sees it may not be allowed to read the server's style sheet.
enum ProblemPage {
    static let headers = APIResponse.safety(
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")

    static func html(_ problem: Problem, to request: APIRequest) -> String {
        HTMLText.page(
            title: "\(problem.kind.row.status) · mock-apns",
            body: """
                <h1>\(HTMLText.escaped(problem.kind.row.title))</h1>
                <p>\(HTMLText.escaped(problem.detail))</p>
                \(nextStep(after: problem.kind, request))
                """)
    }

    private static func nextStep(after kind: Problem.Kind, _ request: APIRequest) -> String {
        switch kind {
        case .notAuthorized:
            // A link from another site does not send the cookie; one from this page does.
            let target = request.localPath + (request.query.isEmpty ? "" : "?" + request.query)
            return """
                <p>To open it here, open this address once, with the token at its end:
                <code>/?\(InspectorAccess.parameter)=&lt;token&gt;</code>. The browser then keeps the token until it is closed.</p>
                <p>Done? <a href="\(HTMLText.escaped(target))">Continue.</a></p>
                """
        case .hostNotAllowed, .originNotAllowed: return ""
        default: return "<p><a href=\"/\">Inspector</a> · <a href=\"/docs\">API</a></p>"
        }
    }
}

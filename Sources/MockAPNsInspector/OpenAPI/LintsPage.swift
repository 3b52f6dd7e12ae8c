internal import MockAPNsQuery

/// The lints as a page, to which `learn` of a lint points.
enum LintsPage {
    static var html: String {
        let body = """
            <nav aria-label="Contents"><h2><a href="/docs">API</a></h2>\(navigation)</nav>
            <main>
            <h1>Warnings</h1>
            <p>Warnings are about pushes that APNs accepts, or rejects without saying enough; the API calls them lints. They
            never change a response. An error: the push is rejected, has no effect, or is certainly not as intended. A warning:
            something will probably break in production. A note (<code>info</code>): it works, with something worth
            knowing. Rows of lists show the worst error or warning, and no notes. Warnings that consider several pushes
            see those in the journal, and are reported for the later one. Warnings about a connection are reported for
            the pushes that led to them and once for the connection, and rows of pushes do not show them.</p>
            \(Lint.allCases.map(article).joined(separator: "\n"))
            </main>
            """
        return HTMLText.page(title: "mock-apns warnings", styleSheet: "/docs/style.css", body: body)
    }

    /// The lints by severity, the worst first.
    private static var navigation: String {
        Lint.Severity.allCases.map { severity in
            let links = Lint.allCases.filter { $0.severity == severity }.map { lint in
                "<li><a href=\"#\(lint.id)\">\(lint.id)</a></li>"
            }
            return "<h2>\(severity.rawValue)</h2><ul>\(links.joined())</ul>"
        }.joined()
    }

    private static func article(_ lint: Lint) -> String {
        let scope = lint.scope
        let search = "<code>lint=\(lint.id)</code> in a list, <code>lint:\(lint.id)</code> in a search"
        let facts = [
            ("Why", HTMLText.escaped(lint.why)), ("Hint", HTMLText.escaped(lint.fix)),
            ("Source", HTMLText.escaped(lint.source) + "."), ("Find it", search),
        ]
        return "<article id=\"\(lint.id)\"><h3><a href=\"#\(lint.id)\"><code>\(lint.id)</code></a>"
            + " <small>\(lint.severity.rawValue), of \(scope)</small></h3><p><strong>" + HTMLText.escaped(lint.meaning)
            + "</strong></p>" + facts.map { "<p>\($0): \($1)</p>" }.joined() + "</article>"
    }
}

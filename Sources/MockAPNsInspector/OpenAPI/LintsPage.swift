internal import MockAPNsQuery

/// The lints as a page for people: where `learn` of a lint leads, made from the rows that the server goes by.
enum LintsPage {
    /// The page.
    static var html: String {
        let lints = Lint.allCases
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>mock-apns lints</title>
            <link rel="stylesheet" href="/docs/style.css">
            </head>
            <body>
            <nav aria-label="Contents"><h2><a href="/docs">API</a></h2>\(navigation(lints))</nav>
            <main>
            <h1>Lints</h1>
            <p>A lint is something odd about a push that APNs does not refuse, or refuses in words too short to help.
            It never changes an answer. An error is refused, without effect, or certainly not what was meant; a
            warning works, and is probably not what was meant; an info works, and is worth knowing. Lints that look
            at several pushes know what the journal held when somebody looked, and are found in the later one.</p>
            \(lints.map(article).joined(separator: "\n"))
            </main>
            </body>
            </html>

            """
    }

    /// The lints by severity, the worst first.
    private static func navigation(_ lints: [Lint]) -> String {
        Lint.Severity.allCases.map { severity in
            let links = lints.filter { $0.row.severity == severity }.map { lint in
                "<li><a href=\"#\(lint.id)\">\(lint.id)</a></li>"
            }
            return "<h2>\(severity.rawValue)</h2><ul>\(links.joined())</ul>"
        }.joined()
    }

    private static func article(_ lint: Lint) -> String {
        let row = lint.row
        let scope = lint.looksAtHistory ? "several pushes" : "a single push"
        let search = "<code>lint=\(lint.id)</code> in a list, <code>lint:\(lint.id)</code> in a search"
        let facts = [
            ("Why", HTMLText.escaped(row.why)), ("Fix", HTMLText.escaped(row.fix)),
            ("Source", HTMLText.escaped(row.source) + "."), ("Find it", search),
        ]
        return "<article id=\"\(lint.id)\"><h3><a href=\"#\(lint.id)\"><code>\(lint.id)</code></a>"
            + " <small>\(row.severity.rawValue), of \(scope)</small></h3><p><strong>"
            + HTMLText.escaped(row.meaning) + "</strong></p>"
            + facts.map { "<p>\($0): \($1)</p>" }.joined() + "</article>"
    }
}

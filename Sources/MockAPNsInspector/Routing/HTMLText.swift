/// Text and pages in HTML.
enum HTMLText {
    static let contentType = "text/html; charset=utf-8"

    private static let entities: [Unicode.Scalar: String] = [
        "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;",
    ]

    static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { $0 += entities[$1] ?? String($1) }
    }

    /// A page; `title` and `body` are HTML.
    static func page(title: String, styleSheet: String? = nil, body: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(title)</title>\(styleSheet.map { "\n<link rel=\"stylesheet\" href=\"\($0)\">" } ?? "")
        </head>
        <body>
        \(body)
        </body>
        </html>

        """
    }
}

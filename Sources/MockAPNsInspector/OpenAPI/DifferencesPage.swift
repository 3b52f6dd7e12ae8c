/// `docs/differences.md` as a page, to which the descriptions of settings point.
enum DifferencesPage {
    private static let path = "/docs/differences"
    private static let document = MarkdownText(
        PageFile.at("differences.md").map { String(decoding: $0.bytes, as: UTF8.self) } ?? "")

    static let html = HTMLText.page(
        title: "mock-apns: differences from the real service", styleSheet: "/docs/style.css",
        body: """
            <nav aria-label="Contents"><h2><a href="/docs">API</a></h2><ul>\(contents)</ul></nav>
            <main class="differences">
            \(document.html)</main>
            """)

    private static var contents: String {
        document.headings.map { "<li><a href=\"#\($0.id)\">\($0.html)</a></li>" }.joined()
    }

    /// Returns the link to the row about a setting, such as `invalidJson`; `nil` if no row names it.
    static func link(to setting: String) -> String? {
        let id = MarkdownText.id(ofOption: setting)
        return document.rowIDs.contains(id) ? "\(path)#\(id)" : nil
    }
}

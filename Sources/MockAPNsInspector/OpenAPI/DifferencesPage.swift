/// `docs/differences.md` as a page, to which the descriptions of settings point; `scripts/page-table` makes it.
enum DifferencesPage {
    static let html = PageFile.at("differences.html").map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
    private static let ids: Set<Substring> = {
        let parts = html.split(separator: "\"")
        return Set(zip(parts, parts.dropFirst()).compactMap { $0.hasSuffix("id=") ? $1 : nil })
    }()

    /// Returns the link to the row about a setting, such as `invalidJson`; `nil` if no row names it.
    static func link(to setting: String) -> String? {
        let id = setting.reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
        return ids.contains(Substring(id)) ? "/docs/differences#\(id)" : nil
    }
}

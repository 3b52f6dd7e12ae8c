/// The part of Markdown that the documents use, as HTML: headings, paragraphs, lists, tables, code, emphasis and links.
struct MarkdownText {
    private(set) var html = ""
    /// The headings below the title; `html` is the text.
    private(set) var headings: [(id: String, html: String)] = []
    /// The IDs of table rows: the names of the options in their last cells.
    private(set) var rowIDs: Set<String> = []

    init(_ text: String) {
        for block in text.split(separator: "\n\n") {
            let lines = block.split(separator: "\n")
            switch lines.first?.first {
            case "#": add(heading: lines[0])
            case "|": add(table: lines.map(Self.cells))
            case "-": add(list: lines)
            case nil: break
            default: html += "<p>\(Self.inline(lines.joined(separator: " ")))</p>\n"
            }
        }
    }

    /// The ID of an option's row: `invalid-json` for `invalid-json=reject`, `--invalid-json` and `invalidJson`.
    static func id(ofOption option: some StringProtocol) -> String {
        option.drop { $0 == "-" }.prefix { $0 != "=" && $0 != " " }.reduce(into: "") {
            $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1)
        }
    }

    private mutating func add(heading line: Substring) {
        let level = line.prefix { $0 == "#" }.count
        let text = line.dropFirst(level + 1)
        // An option may have the name of a heading.
        let id = "about-" + text.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "-" }
        if level > 1 { headings.append((id, Self.inline(text))) }
        html += "<h\(level) id=\"\(id)\">\(Self.inline(text))</h\(level)>\n"
    }

    private mutating func add(list lines: [Substring]) {
        var items: [String] = []
        for line in lines {
            if line.hasPrefix("- ") || items.isEmpty {
                items.append(String(line.dropFirst(2)))
            } else {
                items[items.count - 1] += " " + line
            }
        }
        html += "<ul>\(items.map { "<li>\(Self.inline($0))</li>" }.joined())</ul>\n"
    }

    /// Adds a table: its head, a line of dashes, and its rows.
    private mutating func add(table: [[Substring]]) {
        html += "<table><tr>\((table.first ?? []).map { "<th>\(Self.inline($0))</th>" }.joined())</tr>\n"
        for row in table.dropFirst(2) {
            let codes = (row.last ?? "").split(separator: "`", omittingEmptySubsequences: false)
            let options = codes.enumerated().compactMap { $0.offset % 2 == 1 ? Self.id(ofOption: $0.element) : nil }
            let ids = options.filter { rowIDs.insert($0).inserted }
            let id = ids.first.map { " id=\"\($0)\"" } ?? ""
            let others = ids.dropFirst().map { "<span id=\"\($0)\"></span>" }.joined()
            let cells = row.map(Self.inline).joined(separator: "</td><td>")
            html += "<tr\(id)><td>\(cells)\(others)</td></tr>\n"
        }
        html += "</table>\n"
    }

    private static func cells(_ line: Substring) -> [Substring] {
        let inner = line.dropFirst().dropLast()
        return inner.split(separator: "|", omittingEmptySubsequences: false).map { cell in
            let start = cell.drop { $0 == " " }
            return start.last == " " ? start.dropLast() : start
        }
    }

    // MARK: Inside a line

    private static let emphasis = [("**", "strong"), ("*", "em")]

    private static func inline(_ text: some StringProtocol) -> String {
        var rest = Substring(text)
        var html = ""
        while let first = rest.first {
            if first == "`", let code = rest.dropFirst().enclosed(until: "`") {
                html += "<code>\(HTMLText.escaped(String(code)))</code>"
                rest = rest[code.endIndex...].dropFirst()
            } else if first == "<", let url = rest.dropFirst().enclosed(until: ">"), url.hasPrefix("https://") {
                html += link(url, to: url)
                rest = rest[url.endIndex...].dropFirst()
            } else if first == "[", let label = rest.dropFirst().enclosed(until: "]"),
                rest[label.endIndex...].hasPrefix("]("), let url = rest[label.endIndex...].dropFirst(2).parenthesized
            {
                html += link(label, to: url)
                rest = rest[url.endIndex...].dropFirst()
            } else if let (mark, tag) = emphasis.first(where: { rest.hasPrefix($0.0) }),
                let inner = rest.dropFirst(mark.count).enclosed(until: mark)
            {
                html += "<\(tag)>\(inline(inner))</\(tag)>"
                rest = rest[inner.endIndex...].dropFirst(mark.count)
            } else {
                html += HTMLText.escaped(String(first))
                rest = rest.dropFirst()
            }
        }
        return html
    }

    /// A link to another site; other files of the documents are not served, so only their names are shown.
    private static func link(_ label: Substring, to url: Substring) -> String {
        guard url.hasPrefix("https://") else { return inline(label) }
        return "<a href=\"\(HTMLText.escaped(String(url)))\" rel=\"noreferrer\">\(HTMLText.escaped(String(label)))</a>"
    }
}

extension Substring {
    /// The text before the next `end`; `nil` if there is none, or nothing before it.
    fileprivate func enclosed(until end: String) -> Substring? {
        var at = startIndex
        while at < endIndex {
            if self[at...].hasPrefix(end) { return at == startIndex ? nil : self[..<at] }
            at = index(after: at)
        }
        return nil
    }

    /// The text before the parenthesis that closes the one before the text.
    fileprivate var parenthesized: Substring? {
        var depth = 1
        for at in indices {
            if self[at] == "(" { depth += 1 }
            if self[at] == ")" { depth -= 1 }
            if depth == 0 { return self[..<at] }
        }
        return nil
    }
}

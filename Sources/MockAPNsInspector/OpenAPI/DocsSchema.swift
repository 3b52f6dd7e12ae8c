internal import MockAPNsFormats

/// A schema as a page shows it: a word for a plain value, a table for an object.
struct DocsSchema {
    /// The schema as HTML.
    let html: String

    init(_ schema: JSONValue?) { html = Self.html(schema ?? [:]) }

    private static let reference = "#/components/schemas/"

    private static func html(_ schema: JSONValue) -> String {
        let name = DocsPage.text(schema["$ref"])
        if name.hasPrefix(reference) {
            let name = HTMLText.escaped(String(name.dropFirst(reference.count)))
            return "<a href=\"#schema-\(name)\">\(name)</a>"
        }
        let choices = schema["anyOf"].entries
        if !choices.isEmpty { return choices.map(html).joined(separator: " or ") }
        if let constant = schema["const"] { return code(constant) }
        let values = schema["enum"].entries
        if !values.isEmpty { return values.map(code).joined(separator: " ") }
        if let entries = schema["items"] { return "list of " + html(entries) }
        let members = schema["properties"].sortedMembers
        if !members.isEmpty { return table(members, of: schema) }
        if let value = schema["additionalProperties"], value != false {
            return "object of " + html(value)
        }
        return HTMLText.escaped(type(of: schema))
    }

    private static func table(
        _ members: [(key: String, value: JSONValue)],
        of schema: JSONValue
    ) -> String {
        let isClosed = schema["additionalProperties"] == false
        let required = schema["required"].entries.map { DocsPage.text($0) }
        let rows = members.map { name, member in
            // Of an answer, what is always there goes without saying; of a body, what may be left out.
            let isNotable = required.contains(name) == isClosed
            let note = !isNotable ? "" : isClosed ? " <em>required</em>" : " <em>not always</em>"
            let shown = required.isEmpty ? "" : note
            return "<tr><th scope=\"row\"><code>\(HTMLText.escaped(name))</code>\(shown)</th>"
                + "<td>\(html(member))</td>"
                + "<td>\(HTMLText.escaped(DocsPage.text(member["description"])))</td></tr>"
        }
        return "<table>\(rows.joined())</table>"
    }

    /// The words for a plain value.
    private static func type(of schema: JSONValue) -> String {
        var words = DocsPage.text(schema["type"])
        let several = schema["type"].entries.map { DocsPage.text($0) }
        if !several.isEmpty { words = several.joined(separator: " or ") }
        if words.isEmpty { return "any value" }
        if schema["format"] == "date-time" { words = words.replacing("string", with: "time") }
        if let value = schema["default"] {
            words += ", by default \(String(decoding: value.text, as: UTF8.self))"
        }
        return words
    }

    private static func code(_ value: JSONValue) -> String {
        "<code>" + HTMLText.escaped(String(decoding: value.text, as: UTF8.self)) + "</code>"
    }
}

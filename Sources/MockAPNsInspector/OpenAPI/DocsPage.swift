internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery

/// The OpenAPI document as a page, for which a browser needs only a style sheet.
struct DocsPage {
    static let styleType = "text/css; charset=utf-8"

    let document: JSONValue
    /// The URL of the API, for commands.
    let server: String

    var html: String {
        let title = Self.html(document["info"]?["title"])
        let version = Self.html(document["info"]?["version"])
        let tags = document["tags"].entries
        let body = """
            <nav aria-label="Contents">\(navigation(tags))</nav>
            <main>
            <h1>\(title) <small>\(version)</small></h1>
            <p>\(Self.html(document["info"]?["description"]))</p>
            <p>As a document: <a href="/api/v1/openapi.json">openapi.json</a>,
            <a href="/api/v1/openapi.yaml">openapi.yaml</a>. The warnings about pushes:
            <a href="/docs/lints">warnings</a>. How it differs from APNs:
            <a href="/docs/differences">differences</a>.</p>
            \(tags.map(section).joined())
            <h2 id="schemas">Schemas</h2>
            \(schemas)
            </main>
            """
        return HTMLText.page(title: title, styleSheet: "/docs/style.css", body: body)
    }

    private func navigation(_ tags: [JSONValue]) -> String {
        tags.map { tag in
            let name = Self.html(tag["name"])
            let links = operations(of: Self.text(tag["name"])).map { operation in
                "<li><a href=\"#\(operation.id)\"><b>\(operation.method)</b> \(operation.shownPath)</a></li>"
            }
            return "<h2><a href=\"#\(name)\">\(name)</a></h2><ul>\(links.joined())</ul>"
        }.joined() + "<h2><a href=\"#schemas\">Schemas</a></h2>"
    }

    private struct Entry {
        let method: String
        let path: String
        let json: JSONValue

        var id: String { DocsPage.html(json["operationId"]) }
        var shownPath: String { HTMLText.escaped(path) }
    }

    private static let methods = ["get", "post", "put", "patch", "delete"]

    private func operations(of tag: String) -> [Entry] {
        document["paths"].sortedMembers.flatMap { path, item in
            Self.methods.compactMap { method -> Entry? in
                guard let operation = item[method], operation["tags"] == [.string(tag)] else { return nil }
                return Entry(method: method.uppercased(), path: path, json: operation)
            }
        }
    }

    private func section(_ tag: JSONValue) -> String {
        let name = Self.html(tag["name"])
        return "<h2 id=\"\(name)\">\(name)</h2><p>\(Self.html(tag["description"]))</p>"
            + operations(of: Self.text(tag["name"])).map(article).joined()
    }

    private func article(_ entry: Entry) -> String {
        let operation = entry.json
        var html =
            "<article id=\"\(entry.id)\"><h3><a href=\"#\(entry.id)\"><b>\(entry.method)</b>"
            + " <code>\(entry.shownPath)</code></a></h3><p><strong>"
            + "\(Self.html(operation["summary"])).</strong> \(Self.html(operation["description"]))</p>"
            + "<pre><code>\(HTMLText.escaped(curl(entry)))</code></pre>"
        let parameters = operation["parameters"].entries.map { parameter in
            Self.row(
                Self.text(parameter["name"]), DocsSchema.html(parameter["schema"]), Self.text(parameter["description"]))
        }
        html += Self.table("Parameters", parameters)
        for (type, content) in (operation["requestBody"]?["content"]).sortedMembers {
            html += "<h4>Body <small>\(HTMLText.escaped(type))</small></h4>" + DocsSchema.html(content["schema"])
        }
        let answers = operation["responses"].sortedMembers.map { status, answer in
            let shapes = answer["content"].sortedMembers.map { type, content in
                "<small>\(HTMLText.escaped(type))</small> " + DocsSchema.html(content["schema"])
            }
            return Self.row(status, shapes.joined(separator: "<br>"), Self.text(answer["description"]))
        }
        return html + Self.table("Responses", answers) + "</article>"
    }

    private func curl(_ entry: Entry) -> String {
        var path = entry.path
        for parameter in entry.json["parameters"].entries where parameter["in"] == "path" {
            let name = Self.text(parameter["name"])
            let example = (parameter["schema"]?["examples"]).entries.first.map { Self.text($0) }
            path = path.replacing("{\(name)}", with: example ?? name)
        }
        path += Self.text(entry.json[OpenAPIDocument.exampleQuery])
        var words = ["curl -s"]
        if entry.method != "GET" { words.append("-X \(entry.method)") }
        words.append(CurlCommand.quoted(server + path))
        for (_, content) in (entry.json["requestBody"]?["content"]).sortedMembers {
            guard let example = content["example"] else { continue }
            let data = CurlCommand.quoted(example.string ?? String(decoding: example.text, as: UTF8.self))
            words.append((example.string == nil ? "-d " : "--data-binary ") + data)
        }
        return words.joined(separator: " ")
    }

    private var schemas: String {
        (document["components"]?["schemas"]).sortedMembers.map { name, schema in
            let name = HTMLText.escaped(name)
            return "<article id=\"schema-\(name)\"><h3><a href=\"#schema-\(name)\">\(name)</a></h3>"
                + DocsSchema.html(schema) + "</article>"
        }.joined()
    }

    private static func table(_ title: String, _ rows: [String]) -> String {
        rows.isEmpty ? "" : "<h4>\(title)</h4><table>\(rows.joined())</table>"
    }

    /// `note` is HTML after the name.
    static func row(_ name: String, _ html: String, _ description: String, note: String = "") -> String {
        "<tr><th scope=\"row\"><code>\(HTMLText.escaped(name))</code>\(note)</th><td>\(html)</td>"
            + "<td>\(HTMLText.escaped(description))</td></tr>"
    }

    static func text(_ value: JSONValue?) -> String { value?.string ?? "" }

    static func html(_ value: JSONValue?) -> String { HTMLText.escaped(text(value)) }
}

/// A schema in HTML: a word for a plain value, a table for an object.
enum DocsSchema {
    private static let reference = "#/components/schemas/"

    static func html(_ schema: JSONValue?) -> String {
        let schema = schema ?? [:]
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
        if let value = schema["additionalProperties"], value != false { return "object of " + html(value) }
        return HTMLText.escaped(type(of: schema))
    }

    private static func table(_ members: [(key: String, value: JSONValue)], of schema: JSONValue) -> String {
        let isClosed = schema["additionalProperties"] == false
        let required = schema["required"].entries.map { DocsPage.text($0) }
        let rows = members.map { name, member in
            // Members of an answer are usually always there, and those of a body may usually be left out.
            let isNotable = required.contains(name) == isClosed
            let note = isClosed ? " <em>required</em>" : " <em>not always</em>"
            let isNoted = isNotable && !required.isEmpty
            let description = DocsPage.text(member["description"])
            return DocsPage.row(name, html(member), description, note: isNoted ? note : "")
        }
        return "<table>\(rows.joined())</table>"
    }

    private static func type(of schema: JSONValue) -> String {
        var words = SchemaCheck.types(of: schema).joined(separator: " or ")
        if words.isEmpty { return "any value" }
        if schema["format"] == "date-time" { words = words.replacing("string", with: "time") }
        if let value = schema["default"] { words += ", by default \(String(decoding: value.text, as: UTF8.self))" }
        return words
    }

    private static func code(_ value: JSONValue) -> String {
        "<code>" + HTMLText.escaped(String(decoding: value.text, as: UTF8.self)) + "</code>"
    }
}

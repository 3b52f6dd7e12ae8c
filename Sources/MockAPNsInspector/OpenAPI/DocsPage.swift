internal import MockAPNsFormats

/// The OpenAPI document as a page for people: made here, so that a browser needs nothing but the page and its style.
struct DocsPage {
    static let contentType = "text/html; charset=utf-8"
    static let styleType = "text/css; charset=utf-8"

    private let document: JSONValue
    private let server: String

    /// - Parameters:
    ///   - document: the OpenAPI document.
    ///   - server: the URL of the API, for commands.
    init(_ document: JSONValue, server: String) {
        self.document = document
        self.server = server
    }

    /// The page.
    var html: String {
        let title = HTMLText.escaped(Self.text(document["info"]?["title"]))
        let version = HTMLText.escaped(Self.text(document["info"]?["version"]))
        let tags = document["tags"].entries
        let sections = tags.map(section).joined()
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(title)</title>
            <link rel="stylesheet" href="/docs/style.css">
            </head>
            <body>
            <nav aria-label="Contents">\(navigation(tags))</nav>
            <main>
            <h1>\(title) <small>\(version)</small></h1>
            <p>\(HTMLText.escaped(Self.text(document["info"]?["description"])))</p>
            <p>As a document: <a href="/api/v1/openapi.json">openapi.json</a>,
            <a href="/api/v1/openapi.yaml">openapi.yaml</a>. What lints say of pushes:
            <a href="/docs/lints">lints</a>.</p>
            \(sections)
            <h2 id="schemas">Schemas</h2>
            \(schemas)
            </main>
            </body>
            </html>

            """
    }

    // MARK: Contents

    private func navigation(_ tags: [JSONValue]) -> String {
        tags.map { tag in
            let name = HTMLText.escaped(Self.text(tag["name"]))
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

        var id: String { HTMLText.escaped(DocsPage.text(json["operationId"])) }
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
        let name = Self.text(tag["name"])
        return "<h2 id=\"\(HTMLText.escaped(name))\">\(HTMLText.escaped(name))</h2>"
            + "<p>\(HTMLText.escaped(Self.text(tag["description"])))</p>"
            + operations(of: name).map(article).joined()
    }

    // MARK: Operations

    private func article(_ entry: Entry) -> String {
        let operation = entry.json
        var html =
            "<article id=\"\(entry.id)\"><h3><a href=\"#\(entry.id)\"><b>\(entry.method)</b>"
            + " <code>\(entry.shownPath)</code></a></h3><p><strong>"
            + HTMLText.escaped(Self.text(operation["summary"])) + ".</strong> "
            + HTMLText.escaped(Self.text(operation["description"])) + "</p>"
        html += "<pre><code>\(HTMLText.escaped(curl(entry)))</code></pre>"
        let parameters = operation["parameters"].entries.map { parameter in
            Self.row(
                Self.text(parameter["name"]),
                DocsSchema(parameter["schema"]).html,
                Self.text(parameter["description"])
            )
        }
        html += Self.table("Parameters", parameters)
        for (type, content) in (operation["requestBody"]?["content"]).sortedMembers {
            html +=
                "<h4>Body <small>\(HTMLText.escaped(type))</small></h4>" + DocsSchema(content["schema"]).html
        }
        let answers = operation["responses"].sortedMembers.map { status, answer in
            let shapes = answer["content"].sortedMembers.map { type, content in
                "<small>\(HTMLText.escaped(type))</small> " + DocsSchema(content["schema"]).html
            }
            return Self.row(status, shapes.joined(separator: "<br>"), Self.text(answer["description"]))
        }
        return html + Self.table("Answers", answers) + "</article>"
    }

    /// The operation as a command.
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
            let isText = if case .string = example { true } else { false }
            let body = isText ? Self.text(example) : String(decoding: example.text, as: UTF8.self)
            words.append((isText ? "--data-binary " : "-d ") + CurlCommand.quoted(body))
        }
        return words.joined(separator: " ")
    }

    private var schemas: String {
        (document["components"]?["schemas"]).sortedMembers.map { name, schema in
            let name = HTMLText.escaped(name)
            return "<article id=\"schema-\(name)\"><h3><a href=\"#schema-\(name)\">\(name)</a></h3>"
                + DocsSchema(schema).html + "</article>"
        }.joined()
    }

    // MARK: Parts

    private static func table(_ title: String, _ rows: [String]) -> String {
        rows.isEmpty ? "" : "<h4>\(title)</h4><table>\(rows.joined())</table>"
    }

    private static func row(_ name: String, _ html: String, _ description: String) -> String {
        "<tr><th scope=\"row\"><code>\(HTMLText.escaped(name))</code></th><td>\(html)</td>"
            + "<td>\(HTMLText.escaped(description))</td></tr>"
    }

    static func text(_ value: JSONValue?) -> String {
        guard case .string(let text)? = value else { return "" }
        return text
    }
}

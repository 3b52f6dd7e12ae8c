internal import MockAPNsAPI
internal import MockAPNsFormats

/// The tables of `docs/api.md` that follow from the routes; `make reference` writes them.
package enum APITables {
    /// The lines before a table, and the table after them.
    private static let tables: [String: @Sendable () -> [[String]]] = [
        "<!-- operations: written by make reference -->": { operations },
        "<!-- filters: written by make reference -->": { filters },
        "<!-- settings: written by make reference -->": { settings },
        "<!-- schema keywords: written by make reference -->": { schemaKeywords },
    ]
    private static let end = "<!-- end -->"

    /// Returns a document with each of its tables as the routes say now.
    package static func updated(_ document: String) -> String {
        var lines: [String] = []
        var isOld = false
        for line in document.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line == end { isOld = false }
            if !isOld { lines.append(line) }
            guard let rows = tables[line]?() else { continue }
            lines += rows.map { "| " + $0.joined(separator: " | ") + " |" }
            isOld = true
        }
        return lines.joined(separator: "\n")
    }

    private static let filterNames = PushSelection.parameters.map(\.row.name)

    private static var operations: [[String]] {
        let routes = RouteGroup.all.flatMap(\.routes)
        return [["request", "what it does", "takes"], ["---", "---", "---"]]
            + routes.map { route in
                let words = [route.summary + ".", route.detail].filter { !$0.isEmpty }
                return ["`\(route.method) \(route.path)`", cell(words.joined(separator: " ")), taken(by: route)]
            }
    }

    /// The parameters of a route, and the members of its body.
    private static func taken(by route: Route) -> String {
        let parameters = route.parameters.map(\.name)
        let isFiltered = filterNames.allSatisfy(parameters.contains)
        let own = isFiltered ? parameters.filter { !filterNames.contains($0) } : parameters
        let body = route.body.map { members(of: $0.schema()) } ?? []
        let all = (isFiltered ? ["the [filters](#pushes)"] : []) + own.map { "`\($0)=`" } + body.map { "`\($0)`" }
        return all.count > 20 ? "see `/docs`" : all.joined(separator: ", ")
    }

    private static func members(of schema: Schema) -> [String] {
        resolved(schema)["properties"].sortedMembers.map(\.key)
    }

    /// The schema itself, if it is only a name.
    private static func resolved(_ schema: Schema) -> JSONValue {
        let name = (schema.json["$ref"]?.string ?? "").split(separator: "/").last.map(String.init)
        return name.flatMap { schema.named[$0] ?? Vocabulary.schemas[$0] } ?? schema.json
    }

    private static var filters: [[String]] {
        [["parameter", "selects pushes by"], ["---", "---"]]
            + PushSelection.parameters.map { ["`\($0.row.name)`", cell($0.row.description)] }
    }

    private static var settings: [[String]] {
        [["setting", "values", "what it does"], ["---", "---", "---"]]
            + RunTimeSetting.all.map { setting in
                let schema = setting.field.schema(.request)
                let words = resolved(schema)["enum"].entries.compactMap(\.string).map { "`\($0)`" }
                let meaning = schema.json["description"]?.string ?? ""
                return ["`\(setting.name)`", words.joined(separator: " "), cell(meaning)]
            }
    }

    private static var schemaKeywords: [[String]] {
        [["keyword", "its value", "what it requires"], ["---", "---", "---"]]
            + JSONSchemaKeyword.allCases.map { ["`\($0.rawValue)`", cell($0.row.form), cell($0.row.meaning)] }
    }

    private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}

/// Makes a schema that fits every value it has seen: types, members, and which of them all objects have.
///
/// Nothing is guessed from few values: no `enum`, no bounds, no `format`, and other members stay allowed.
package struct JSONSchemaInference: Sendable {
    /// The maximum nesting of the schemas; deeper values are described by their types only.
    package static let deepest = 16
    /// The maximum number of members of an object that are described; with more, the names are seen as data.
    package static let mostMembers = 100

    private var root = Node()

    /// The number of values seen.
    package private(set) var count = 0

    /// Creates an inference that has seen nothing.
    package init() {}

    /// Takes a value into account.
    package mutating func note(_ value: JSONValue) {
        count += 1
        root.note(value.read, depth: 0)
    }

    /// The schema; `true` as an object without keywords, if no value was seen.
    ///
    /// The deepest levels are left out if the document would be too large to be stored.
    package func schema(title: String? = nil) -> JSONSchema? {
        for depth in (0...root.levels).reversed() {
            var members = root.members(depth: depth)
            members["$schema"] = "https://json-schema.org/draft/2020-12/schema"
            if let title { members["title"] = .string(title) }
            if let schema = try? JSONSchema(JSONValue.object(members).text) { return schema }
        }
        return nil
    }

    /// What was seen at one place.
    private struct Node: Sendable {
        private var kinds: Set<JSONKind> = []
        private var objects = 0
        /// Empty if there were too many names.
        private var properties: [String: (node: Node, count: Int)] = [:]
        private var hasTooManyNames = false
        /// One entry or none; an array because a value cannot contain itself.
        private var items: [Node] = []

        mutating func note(_ value: JSONValue, depth: Int) {
            kinds.insert(JSONKind(of: value))
            guard depth < JSONSchemaInference.deepest else { return }
            switch value {
            case .object(let members):
                objects += 1
                for (name, member) in members where !hasTooManyNames {
                    properties[name, default: (Node(), 0)].node.note(member, depth: depth + 1)
                    properties[name]?.count += 1
                }
                guard properties.count > JSONSchemaInference.mostMembers else { return }
                hasTooManyNames = true
                properties = [:]
            case .array(let values):
                if items.isEmpty, !values.isEmpty { items = [Node()] }
                for value in values { items[0].note(value, depth: depth + 1) }
            case .null, .bool, .integer, .unsigned, .number, .literal, .string, .written: break
            }
        }

        /// The number of levels below this one.
        var levels: Int {
            max(properties.values.map { $0.node.levels + 1 }.max() ?? 0, items.map { $0.levels + 1 }.max() ?? 0)
        }

        /// The keywords of the schema, with this many levels below it.
        func members(depth: Int) -> [String: JSONValue] {
            var members: [String: JSONValue] = [:]
            let kinds = kinds.contains(.number) ? kinds.subtracting([.integer]) : kinds
            let names = JSONKind.allCases.filter(kinds.contains).map { JSONValue.string($0.rawValue) }
            if !names.isEmpty { members["type"] = names.count == 1 ? names[0] : .array(names) }
            guard depth > 0 else { return members }
            if !properties.isEmpty {
                members["properties"] = .object(properties.mapValues { .object($0.node.members(depth: depth - 1)) })
                let required = properties.filter { $0.value.count == objects }.keys.sorted {
                    $0.utf8.lexicographicallyPrecedes($1.utf8)
                }
                if !required.isEmpty { members["required"] = .array(required.map { .string($0) }) }
            }
            if let items = items.first { members["items"] = .object(items.members(depth: depth - 1)) }
            return members
        }
    }
}

public import MockAPNsFormats

/// What is known of a shape, whichever it is: its members by name.
///
/// A class, so that looking up a member copies one reference and not all members. Without a type parameter, so that
/// writing an object costs no look-up of types while it runs.
public class AnyDefinition: @unchecked Sendable {
    /// A member at its place.
    struct Entry: Sendable {
        let name: String
        let member: AnyMember
        /// The name as JSON, with the colon.
        let label: [UInt8]
    }

    /// The name in the OpenAPI document; `nil` describes the shape wherever it is used.
    public final let title: String?
    /// Where the object is used.
    public final let use: SchemaUse
    /// All members, including those of parts, by name.
    final let entries: [Entry]

    init(properties: Mirror, _ title: String?, _ use: SchemaUse) {
        (self.title, self.use) = (title, use)
        var members: [(name: String, member: AnyMember, isOwn: Bool)] = []
        for child in properties.children {
            if let part = child.value as? any AnyPart {
                members += part.members.map { ($0.name, $0.member, false) }
            } else if let member = child.value as? AnyMember, let name = child.label {
                members.append((name, member, true))
            }
        }
        members.sort { $0.name < $1.name }
        for (position, entry) in members.enumerated() where entry.isOwn { entry.member.position = position }
        entries = members.map {
            Entry(name: $0.name, member: $0.member, label: Array("\"\($0.name)\":".utf8))
        }
    }

    /// The position of a member.
    final func position(of name: String) -> Int? { entries.firstIndex { $0.name == name } }

    // MARK: Objects

    /// The values of an object without any.
    @usableFromInline final var noValues: [JSONValue?] { Array(repeating: nil, count: entries.count) }

    /// Appends an object as JSON on one line, with the members in the order of their names.
    @usableFromInline final func write(_ values: [JSONValue?], to text: inout [UInt8]) {
        text.append(UInt8(ascii: "{"))
        let start = text.count
        for position in values.indices {
            guard let value = values[position] else {
                assert(
                    entries[position].member.isOptional,
                    "'\(entries[position].name)' of \(self) was not set"
                )
                continue
            }
            if text.count > start { text.append(UInt8(ascii: ",")) }
            text += entries[position].label
            value.write(to: &text)
        }
        text.append(UInt8(ascii: "}"))
    }

    /// Reads the values of an object; members that are not known here are ignored.
    ///
    /// - Throws: `ShapeMismatch` for the first member that is missing or has another type.
    final func values(of json: JSONValue) throws(ShapeMismatch) -> [JSONValue?] {
        guard case .object(let given) = json.read else { throw ShapeMismatch(json, expected: "an object") }
        var values = noValues
        for (position, entry) in entries.enumerated() {
            guard let value = given[entry.name] else {
                if entry.member.isOptional { continue }
                throw ShapeMismatch(missing: entry.name)
            }
            do throws(ShapeMismatch) {
                try entry.member.check(value)
            } catch {
                throw error.inside(entry.name)
            }
            values[position] = value
        }
        return values
    }

    /// Ends the program: a value of an object does not have the type of its member.
    @usableFromInline final func hasWrongType(at position: Int) -> Never {
        preconditionFailure("'\(entries[position].name)' was set with its type or checked")
    }

    // MARK: Schemas

    /// The schema of the object, whether or not it has a name.
    public final func schema(_ use: SchemaUse) -> Schema {
        let members = entries.map { ($0.name, $0.member.schema(use)) }
        let schemas = Dictionary(uniqueKeysWithValues: members)
        let required = entries.filter { !$0.member.isOptional }.map(\.name)
        guard use == .response else { return .closed(schemas, required: required) }
        return .object(schemas, optional: Set(schemas.keys).subtracting(required))
    }

    /// Adds the shape under its name, and what its members refer to.
    final func collectSchemas(into schemas: inout [String: Schema]) {
        if let title {
            guard schemas[title] == nil else { return }
            schemas[title] = schema(use)
        }
        for entry in entries { entry.member.type.collectSchemas(into: &schemas) }
    }
}

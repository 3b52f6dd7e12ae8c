/// The members of one kind of object in the debug API, defined once.
///
/// Each property is a `Member`: its name, type, schema and description. Encoding and decoding (`APIObject`), the OpenAPI
/// document and `/docs` all come from it. To add a member: add a property here, and the line that computes its value.
package protocol Shape: Sendable {
    /// The members, and the name of the shape in the OpenAPI document.
    static var definition: Definition<Self> { get }
}

/// What is known of a shape: its members by name.
///
/// A class, so that looking up a member copies one reference and not all members.
package final class Definition<Content: Shape>: Sendable {
    /// A member at its place.
    struct Entry: Sendable {
        let name: String
        let member: AnyMember
        /// The name as JSON, with the colon.
        let label: [UInt8]
    }

    /// The properties, by which `APIObject` finds members.
    let content: Content
    /// The name in the OpenAPI document; `nil` describes the shape wherever it is used.
    package let title: String?
    /// Where the object is used.
    package let use: SchemaUse
    /// All members, including those of parts, by name.
    let entries: [Entry]

    /// Reads the properties of a shape.
    package init(_ content: Content, _ title: String? = nil, use: SchemaUse = .response) {
        (self.content, self.title, self.use) = (content, title, use)
        var members: [(name: String, member: AnyMember, isOwn: Bool)] = []
        for child in Mirror(reflecting: content).children {
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
    func position(of name: String) -> Int? { entries.firstIndex { $0.name == name } }

    /// The schema of the object, whether or not it has a name.
    package func schema(_ use: SchemaUse) -> Schema {
        let members = entries.map { ($0.name, $0.member.schema(use)) }
        let schemas = Dictionary(uniqueKeysWithValues: members)
        let required = entries.filter { !$0.member.isOptional }.map(\.name)
        guard use == .response else { return .closed(schemas, required: required) }
        return .object(schemas, optional: Set(schemas.keys).subtracting(required))
    }
}

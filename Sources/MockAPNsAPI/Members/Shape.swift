public import MockAPNsFormats

/// The members of one kind of object in the debug API, defined once.
///
/// Each property is a `Member`: its name, type, schema and description. Encoding and decoding (`APIObject`), the OpenAPI
/// document and `/docs` all come from it. To add a member: add a property here, and the line that computes its value.
public protocol Shape: Sendable {
    /// The members, and the name of the shape in the OpenAPI document.
    static var definition: Definition<Self> { get }
}

/// The members of a shape, and its properties, by which `APIObject` finds members.
public final class Definition<Content: Shape>: AnyDefinition, @unchecked Sendable {
    @usableFromInline let content: Content

    /// Reads the properties of a shape.
    public init(_ content: Content, _ title: String? = nil, use: SchemaUse = .response) {
        self.content = content
        super.init(properties: Mirror(reflecting: content), title, use)
    }
}

/// The members of any shape, by name.
///
/// A class, so that looking up a member copies one reference and not all members. Without a type parameter, so that
/// writing an object looks up no types at run time.
public class AnyDefinition: @unchecked Sendable {
    struct Entry: Sendable {
        let name: String
        let member: AnyMember
        /// The name as JSON, with the colon.
        let label: [UInt8]
    }

    /// The name in the OpenAPI document; without one, the shape is described wherever it is used.
    private final let title: String?
    private final let use: SchemaUse
    /// All members, including those of parts, by name.
    final let entries: [Entry]

    init(properties: Mirror, _ title: String?, _ use: SchemaUse) {
        (self.title, self.use) = (title, use)
        var own: [Entry] = []
        var others: [Entry] = []
        for child in properties.children {
            if let part = child.value as? any AnyPart {
                others += part.entries
            } else if let member = child.value as? AnyMember, let name = child.label {
                own.append(Entry(name: name, member: member, label: Array("\"\(name)\":".utf8)))
            }
        }
        entries = (own + others).sorted { $0.name < $1.name }
        for entry in own { entry.member.position = position(of: entry.name) ?? 0 }
    }

    final func position(of name: String) -> Int? { entries.firstIndex { $0.name == name } }

    @usableFromInline final var noValues: [JSONValue?] { Array(repeating: nil, count: entries.count) }

    /// Appends an object as JSON on one line, with the members in the order of their names.
    @usableFromInline final func write(_ values: [JSONValue?], to text: inout [UInt8]) {
        text.append(UInt8(ascii: "{"))
        let start = text.count
        for position in values.indices {
            guard let value = values[position] else {
                assert(entries[position].member.isOptional, "'\(entries[position].name)' of \(self) was not set")
                continue
            }
            if text.count > start { text.append(UInt8(ascii: ",")) }
            text += entries[position].label
            value.write(to: &text)
        }
        text.append(UInt8(ascii: "}"))
    }

    /// Reads the values of an object, and ignores unknown members.
    final func values(of json: JSONValue) throws(Complaint) -> [JSONValue?] {
        guard case .object(let given) = json.read else { throw Complaint(json, expected: "an object") }
        var values = noValues
        for (position, entry) in entries.enumerated() {
            values[position] = given[entry.name]
            if let value = given[entry.name] {
                _ = try entry.member.type.init(json: value, inside: entry.name)
            } else if !entry.member.isOptional {
                throw Complaint(path: "/" + JSONPointer.escaped(entry.name), message: "is missing")
            }
        }
        return values
    }

    @usableFromInline final func hasWrongType(at position: Int) -> Never {
        preconditionFailure("'\(entries[position].name)' was set with its type or checked")
    }

    package final func schema(_ use: SchemaUse) -> Schema {
        let members = Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0.member.schema(use)) })
        let required = entries.filter { !$0.member.isOptional }.map(\.name)
        return use == .response ? .object(members, required: required) : .closed(members, required: required)
    }

    /// The schema of the object where it is used: a reference, if the shape has a name.
    final func reference(_ use: SchemaUse) -> Schema {
        guard let title else { return schema(use) }
        return use == .draft ? .named(title + "Draft") : schema(self.use).named(title)
    }
}

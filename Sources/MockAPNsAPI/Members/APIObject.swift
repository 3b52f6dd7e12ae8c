package import MockAPNsFormats

/// An object of the debug API: the values of a shape's members.
///
/// A member is read and set as a property of the object, with the type that the shape gives it.
@dynamicMemberLookup
package struct APIObject<Content: Shape>: ShapeValue, Equatable {
    /// The values, in the order of the definition; `nil` for members that are absent.
    private var values: [JSONValue?]

    /// An object without values; every member that is not optional must be set before the object is written.
    package init() { values = Array(repeating: nil, count: Content.definition.entries.count) }

    /// An object whose members are set by `fill`.
    package init(_ fill: (inout Self) -> Void) {
        self.init()
        fill(&self)
    }

    // MARK: Members

    /// The value of a member.
    package subscript<Value>(dynamicMember path: KeyPath<Content, Member<Value>>) -> Value {
        get { value(at: Content.definition.content[keyPath: path].position) }
        set { values[Content.definition.content[keyPath: path].position] = newValue.json }
    }

    /// The value of a member that may be absent.
    package subscript<Value>(dynamicMember path: KeyPath<Content, OptionalMember<Value>>) -> Value? {
        get {
            let position = Content.definition.content[keyPath: path].position
            return values[position] == nil ? nil : value(at: position)
        }
        set { values[Content.definition.content[keyPath: path].position] = newValue?.json }
    }

    /// The members of another shape that this one has, too.
    package subscript<Other>(dynamicMember path: KeyPath<Content, Part<Other>>) -> APIObject<Other> {
        get {
            var part = APIObject<Other>()
            for (position, entry) in Other.definition.entries.enumerated() {
                part.values[position] = Content.definition.position(of: entry.name).flatMap { values[$0] }
            }
            return part
        }
        set {
            for (entry, value) in zip(Other.definition.entries, newValue.values) {
                if let position = Content.definition.position(of: entry.name) { values[position] = value }
            }
        }
    }

    /// Sets a member to JSON that is known to have its shape.
    package mutating func set<Value>(_ path: KeyPath<Content, Member<Value>>, to json: JSONValue) {
        values[Content.definition.content[keyPath: path].position] = json
    }

    private func value<Value: ShapeValue>(at position: Int) -> Value {
        let json = values[position] ?? .null
        guard let value = try? Value(json: json.read) else {
            preconditionFailure(
                "'\(Content.definition.entries[position].name)' was set with its type or checked"
            )
        }
        return value
    }

    // MARK: JSON

    /// Refers to a shape that has a name, and describes any other.
    package static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema {
        if let element { return element }
        guard let title = Content.definition.title else { return Content.definition.schema(use) }
        return .named(use == .draft ? title + "Draft" : title)
    }

    /// Adds the shape under its name, and what its members refer to.
    package static func collectSchemas(into schemas: inout [String: Schema]) {
        let definition = Content.definition
        if let title = definition.title {
            guard schemas[title] == nil else { return }
            schemas[title] = definition.schema(definition.use)
        }
        for entry in definition.entries { entry.member.type.collectSchemas(into: &schemas) }
    }

    /// The object as serialized JSON.
    package var json: JSONValue { .written(serialized) }

    /// The object as JSON on one line, with the members in the order of their names.
    package var serialized: [UInt8] {
        var text: [UInt8] = []
        write(to: &text)
        return text
    }

    /// Appends the object as JSON.
    package func write(to text: inout [UInt8]) {
        var separator = UInt8(ascii: "{")
        for (entry, value) in zip(Content.definition.entries, values) {
            guard let value else {
                assert(entry.member.isOptional, "'\(entry.name)' of \(Content.self) was not set")
                continue
            }
            text.append(separator)
            text += entry.label
            value.write(to: &text)
            separator = UInt8(ascii: ",")
        }
        if separator == UInt8(ascii: "{") { text.append(separator) }
        text.append(UInt8(ascii: "}"))
    }

    /// Reads an object; members that are not known here are ignored.
    ///
    /// - Throws: `ShapeMismatch` for the first member that is missing or has another type.
    package init(json: JSONValue) throws(ShapeMismatch) {
        guard case .object(let given) = json.read else { throw ShapeMismatch(json, expected: "an object") }
        self.init()
        for (position, entry) in Content.definition.entries.enumerated() {
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
    }
}

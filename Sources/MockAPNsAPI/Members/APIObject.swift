public import MockAPNsFormats

/// An object of the debug API: the values of a shape's members.
///
/// A member is read and set as a property of the object, with the type that the shape gives it. What finds a member is
/// inlined: the caller knows the shape, so no key path is followed while the program runs.
@dynamicMemberLookup public struct APIObject<Content: Shape>: ShapeValue, Equatable {
    /// The values, in the order of the definition; `nil` for members that are absent.
    @usableFromInline var values: [JSONValue?]

    /// An object without values; every member that is not optional must be set before the object is written.
    @inlinable public init() { values = Content.definition.noValues }

    /// An object whose members are set by `fill`.
    @inlinable public init(_ fill: (inout Self) -> Void) {
        self.init()
        fill(&self)
    }

    /// The value of a member.
    @inlinable public subscript<Value>(dynamicMember path: KeyPath<Content, Member<Value>>) -> Value {
        @inline(__always) get { value(at: Content.definition.content[keyPath: path].position) }
        @inline(__always) set { values[Content.definition.content[keyPath: path].position] = newValue.json }
    }

    /// The value of a member that may be absent.
    @inlinable public subscript<Value>(dynamicMember path: KeyPath<Content, OptionalMember<Value>>) -> Value? {
        @inline(__always) get {
            let position = Content.definition.content[keyPath: path].position
            return values[position] == nil ? nil : value(at: position)
        }
        @inline(__always) set { values[Content.definition.content[keyPath: path].position] = newValue?.json }
    }

    /// The members of another shape that this one has, too.
    public subscript<Other>(dynamicMember path: KeyPath<Content, Part<Other>>) -> APIObject<Other> {
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
    public mutating func set<Value>(_ path: KeyPath<Content, Member<Value>>, to json: JSONValue) {
        values[Content.definition.content[keyPath: path].position] = json
    }

    @inlinable func value<Value: ShapeValue>(at position: Int) -> Value {
        guard let value = try? Value(json: (values[position] ?? .null).read) else {
            Content.definition.hasWrongType(at: position)
        }
        return value
    }

    /// The shape's schema, or a reference to it if the shape has a name.
    public static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema {
        element ?? Content.definition.reference(use)
    }

    /// The object as serialized JSON.
    @inlinable public var json: JSONValue { .written(serialized) }

    /// The object as JSON on one line, with the members in the order of their names.
    @inlinable public var serialized: [UInt8] {
        var text: [UInt8] = []
        write(to: &text)
        return text
    }

    /// Appends the object as JSON.
    @inlinable public func write(to text: inout [UInt8]) { Content.definition.write(values, to: &text) }

    /// Reads an object, and ignores unknown members.
    public init(json: JSONValue) throws(Complaint) { values = try Content.definition.values(of: json) }
}

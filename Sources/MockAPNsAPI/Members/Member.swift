package import MockAPNsFormats

/// A member of any type, as a definition lists it.
///
/// The members of a definition are a chain, because code that is not specialized copies the entries of a list, and looks up
/// their type, each time that an object is written. `@unchecked Sendable`: `next` is set once, while the definition is created.
final class MemberEntry<Source>: @unchecked Sendable {
    typealias Write = @Sendable (_ source: Source, _ label: [UInt8], _ text: inout [UInt8]) -> Void

    let name: String
    /// The name as JSON, with the colon.
    let label: [UInt8]
    let isOptional: Bool
    let schema: @Sendable (SchemaUse) -> Schema
    /// Appends the label, the value and a comma; nothing if the member is absent.
    let write: Write
    /// The next member of the definition, by name.
    fileprivate(set) var next: MemberEntry?

    @_semantics("optimize.sil.specialize.generic.never") fileprivate init(
        name: String, label: [UInt8], isOptional: Bool, schema: @escaping @Sendable (SchemaUse) -> Schema,
        write: @escaping Write
    ) { (self.name, self.label, self.isOptional, self.schema, self.write) = (name, label, isOptional, schema, write) }

    /// Links the members of a definition; returns the first one.
    @_semantics("optimize.sil.specialize.generic.never") static func linked(_ entries: [MemberEntry]) -> MemberEntry? {
        for (entry, next) in zip(entries, entries.dropFirst()) { entry.next = next }
        return entries.first
    }
}

/// A property of a shape.
///
/// `@unchecked Sendable`: `name` is set once, while the definition that owns the member is created.
package class AnyMember<Source>: @unchecked Sendable {
    /// Names the property, and returns the members that it stands for.
    func entries(named name: String) -> [MemberEntry<Source>] { [] }
}

/// A property that is one member.
package class OneMember<Source>: AnyMember<Source>, @unchecked Sendable {
    private(set) final var name = ""
    private let isOptional: Bool
    private let schema: @Sendable (SchemaUse) -> Schema
    private let write: MemberEntry<Source>.Write

    @_semantics("optimize.sil.specialize.generic.never") fileprivate init<Value: ShapeValue>(
        _ type: Value.Type, _ element: Schema?, _ description: StaticString, isOptional: Bool,
        write: @escaping MemberEntry<Source>.Write
    ) {
        (self.isOptional, self.write) = (isOptional, write)
        schema = { use in
            var schema = Value.schema(element, use)
            if isOptional, use == .draft { schema = schema.orNull }
            return description.utf8CodeUnitCount == 0 ? schema : schema.described(description.description)
        }
    }

    @_semantics("optimize.sil.specialize.generic.never") override final func entries(
        named name: String
    ) -> [MemberEntry<Source>] {
        self.name = name
        let label = Array("\"\(name)\":".utf8)
        return [MemberEntry(name: name, label: label, isOptional: isOptional, schema: schema, write: write)]
    }
}

/// A member that is always there; an optional value may be `null`.
package final class ShapeMember<Source, Value: ShapeValue>: OneMember<Source>, @unchecked Sendable {
    let value: @Sendable (Source) -> Value

    /// Describes the member, and makes its value; `element` describes the innermost values, by default as their type does.
    @_semantics("optimize.sil.specialize.generic.never") package init(
        _ element: Schema? = nil, _ description: StaticString = "", value: @escaping @Sendable (Source) -> Value
    ) {
        self.value = value
        super.init(Value.self, element, description, isOptional: false) { source, label, text in
            text += label
            value(source).write(to: &text)
            text.append(UInt8(ascii: ","))
        }
    }

    /// Describes a member whose type says what values it may have.
    @_semantics("optimize.sil.specialize.generic.never") package convenience init(
        _ description: StaticString, value: @escaping @Sendable (Source) -> Value
    ) { self.init(nil, description, value: value) }

    /// Describes a member that is written often: `write` appends the same JSON as the value would, in less time.
    @_semantics("optimize.sil.specialize.generic.never") package init(
        _ description: StaticString = "", value: @escaping @Sendable (Source) -> Value,
        write: @escaping @Sendable (Source, inout [UInt8]) -> Void
    ) {
        self.value = value
        super.init(Value.self, nil, description, isOptional: false) { source, label, text in
            text += label
            write(source, &text)
            text.append(UInt8(ascii: ","))
        }
    }

    /// Creates a member from JSON, which must have the form of the member's type.
    @_semantics("optimize.sil.specialize.generic.never") package static func json(
        _ json: @escaping @Sendable (Source) -> JSONValue
    ) -> ShapeMember {
        ShapeMember(value: { Value(reading: ValueReader(json($0).read)) }, write: { json($0).write(to: &$1) })
    }
}

/// A member that may be absent.
package final class OptionalShapeMember<Source, Value: ShapeValue>: OneMember<Source>, @unchecked Sendable {
    let value: @Sendable (Source) -> Value?

    /// Describes the member, and makes its value; `nil` leaves it out.
    @_semantics("optimize.sil.specialize.generic.never") package init(
        _ element: Schema? = nil, _ description: StaticString = "", value: @escaping @Sendable (Source) -> Value?
    ) {
        self.value = value
        super.init(Value.self, element, description, isOptional: true) { source, label, text in
            guard let value = value(source) else { return }
            text += label
            value.write(to: &text)
            text.append(UInt8(ascii: ","))
        }
    }

    /// Describes a member whose type says what values it may have.
    @_semantics("optimize.sil.specialize.generic.never") package convenience init(
        _ description: StaticString, value: @escaping @Sendable (Source) -> Value?
    ) { self.init(nil, description, value: value) }
}

/// The members of another shape, among those of this one.
package final class ShapePart<Source, Content: Shape>: AnyMember<Source>, @unchecked Sendable {
    let source: @Sendable (Source) -> Content.Source

    /// Adds the members, whose values are made from a part of what this shape has.
    @_semantics("optimize.sil.specialize.generic.never") package init(
        _ source: @escaping @Sendable (Source) -> Content.Source
    ) { self.source = source }

    @_semantics("optimize.sil.specialize.generic.never") override func entries(
        named name: String
    ) -> [MemberEntry<Source>] {
        Content.definition.entries.map { [source] entry in
            MemberEntry(name: entry.name, label: entry.label, isOptional: entry.isOptional, schema: entry.schema) {
                entry.write(source($0), $1, &$2)
            }
        }
    }
}

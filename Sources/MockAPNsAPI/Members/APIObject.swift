package import MockAPNsFormats

/// An object of the debug API, to be written or read: either the source of its members, or JSON that has them.
///
/// A member is a property of the object, with the type that the shape gives it.
@dynamicMemberLookup package struct APIObject<Content: Shape>: ShapeValue {
    private enum Values {
        case made(Content.Source)
        case read(ValueReader)
    }

    private let values: Values

    /// Creates an object whose members are made from a source.
    @_semantics("optimize.sil.specialize.generic.never") package init(_ source: Content.Source) {
        values = .made(source)
    }

    /// Creates an object from JSON; each member is read when it is used.
    @_semantics("optimize.sil.specialize.generic.never") package init(reading value: ValueReader) {
        value.requireObject()
        values = .read(value)
    }

    /// The value of a member.
    @_semantics("optimize.sil.specialize.generic.never")
    package subscript<Value>(dynamicMember path: KeyPath<Content, ShapeMember<Content.Source, Value>>) -> Value {
        let member = Content.definition.content[keyPath: path]
        return switch values {
        case .made(let source): member.value(source)
        case .read(let value): Value(reading: value.member(member.name))
        }
    }

    /// The value of a member that may be absent.
    @_semantics("optimize.sil.specialize.generic.never")
    package subscript<Value>(dynamicMember path: KeyPath<Content, OptionalShapeMember<Content.Source, Value>>) -> Value?
    {
        let member = Content.definition.content[keyPath: path]
        switch values {
        case .made(let source): return member.value(source)
        case .read(let value):
            let value = value.member(member.name)
            return value.isAbsent ? nil : Value(reading: value)
        }
    }

    /// A member that objects of older versions do not have; `nil` if it is absent.
    @_semantics("optimize.sil.specialize.generic.never") package func ifGiven<Value>(
        _ path: KeyPath<Content, ShapeMember<Content.Source, Value>>
    ) -> Value? {
        if case .read(let value) = values, value.member(Content.definition.content[keyPath: path].name).isAbsent {
            return nil
        }
        return self[dynamicMember: path]
    }

    /// The members of another shape that this one has, too.
    @_semantics("optimize.sil.specialize.generic.never")
    package subscript<Other>(dynamicMember path: KeyPath<Content, ShapePart<Content.Source, Other>>) -> APIObject<Other>
    {
        switch values {
        case .made(let source): APIObject<Other>(Content.definition.content[keyPath: path].source(source))
        case .read(let value): APIObject<Other>(reading: value)
        }
    }

    /// A member as objects of a shape, where the definition allows any JSON or one of several shapes.
    @_semantics("optimize.sil.specialize.generic.never") package func read<Value, Other: ShapeValue>(
        _ path: KeyPath<Content, ShapeMember<Content.Source, Value>>, as type: Other.Type
    ) -> Other {
        let member = Content.definition.content[keyPath: path]
        return switch values {
        case .made(let source): Other(reading: ValueReader(member.value(source).json.read))
        case .read(let value): Other(reading: value.member(member.name))
        }
    }

    /// The shape's schema, or a reference to it if the shape has a name.
    @_semantics("optimize.sil.specialize.generic.never") package static func schema(
        _ element: Schema?, _ use: SchemaUse
    ) -> Schema { element ?? Content.definition.reference(use) }

    /// The object as serialized JSON.
    package var json: JSONValue { .written(serialized) }

    /// The object as JSON on one line; one that was made has its members in the order of their names.
    package var serialized: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(1_024)
        write(to: &text)
        return text
    }

    /// Appends the object as JSON.
    @_semantics("optimize.sil.specialize.generic.never") package func write(to text: inout [UInt8]) {
        switch values {
        case .made(let source): Content.definition.write(source, to: &text)
        case .read(let value): value.json.write(to: &text)
        }
    }
}

extension APIObject {
    /// Reads an object: what `use` asks for must be there and have its type; everything else is ignored.
    ///
    /// So a server of another version can be read, as long as it has what is used. The objects must not be kept.
    @_semantics("optimize.sil.specialize.generic.never") package static func read<Result>(
        _ json: JSONValue, _ use: (Self) throws -> Result
    ) throws -> Result {
        let value = ValueReader(json.read)
        let result = Swift.Result { try use(Self(reading: value)) }
        // First, because what is missing may be why `use` failed.
        if let complaint = value.complaint { throw complaint }
        return try result.get()
    }
}

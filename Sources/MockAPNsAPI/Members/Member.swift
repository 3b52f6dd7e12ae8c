internal import MockAPNsFormats

/// A member of a shape, whatever the type of its value.
///
/// `@unchecked Sendable`: `position` is set once, while the definition that owns the member is created.
public class AnyMember: @unchecked Sendable {
    @usableFromInline final var position = 0
    private let element: Schema?
    private let description: StaticString

    /// Describes the member; `element` describes the innermost values, by default as their type does.
    public init(_ element: Schema? = nil, _ description: StaticString = "") {
        (self.element, self.description) = (element, description)
    }

    /// Describes a member whose type says what values it may have.
    public convenience init(_ description: StaticString) { self.init(nil, description) }

    var type: any ShapeValue.Type { preconditionFailure("every kind of member says its type") }

    var isOptional: Bool { false }

    final func schema(_ use: SchemaUse) -> Schema {
        var schema = type.schema(element, use)
        if isOptional, use == .draft { schema = schema.orNull }
        return description.utf8CodeUnitCount == 0 ? schema : schema.described(description.description)
    }
}

/// A member that is always there; an optional value may be `null`.
public final class Member<Value: ShapeValue>: AnyMember, @unchecked Sendable {
    override var type: any ShapeValue.Type { Value.self }
}

/// A member that may be absent.
public final class OptionalMember<Value: ShapeValue>: AnyMember, @unchecked Sendable {
    override var type: any ShapeValue.Type { Value.self }

    override var isOptional: Bool { true }
}

/// The members of another shape, among those of this one.
public struct Part<Content: Shape>: AnyPart {
    /// Adds the members.
    public init() {}

    var entries: [AnyDefinition.Entry] { Content.definition.entries }
}

protocol AnyPart: Sendable { var entries: [AnyDefinition.Entry] { get } }

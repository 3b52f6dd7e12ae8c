internal import MockAPNsFormats

/// A member of a shape, whatever the type of its value.
///
/// `@unchecked Sendable`: `position` is set once, while the definition that owns the member is created.
public class AnyMember: @unchecked Sendable {
    @usableFromInline final var position = 0
    final let isOptional: Bool
    final let type: any ShapeValue.Type
    private let element: Schema?
    private let description: StaticString

    fileprivate init(
        _ type: any ShapeValue.Type,
        _ element: Schema?,
        _ description: StaticString,
        isOptional: Bool
    ) {
        (self.type, self.element, self.description, self.isOptional) = (
            type, element, description, isOptional
        )
    }

    final func schema(_ use: SchemaUse) -> Schema {
        var schema = type.schema(element, use)
        if isOptional, use == .draft { schema = schema.orNull }
        return description.utf8CodeUnitCount == 0 ? schema : schema.described(description.description)
    }

    final func check(_ json: JSONValue) throws(ShapeMismatch) { _ = try type.init(json: json) }
}

/// A member that is always there; an optional value may be `null`.
public final class Member<Value: ShapeValue>: AnyMember, @unchecked Sendable {
    /// Describes the member; `element` describes the innermost values, by default as their type does.
    public init(_ element: Schema? = nil, _ description: StaticString = "") {
        super.init(Value.self, element, description, isOptional: false)
    }

    /// Describes a member whose type says what values it may have.
    public convenience init(_ description: StaticString) { self.init(nil, description) }
}

/// A member that may be absent.
public final class OptionalMember<Value: ShapeValue>: AnyMember, @unchecked Sendable {
    /// Describes the member.
    public init(_ element: Schema? = nil, _ description: StaticString = "") {
        super.init(Value.self, element, description, isOptional: true)
    }

    /// Describes a member whose type says what values it may have.
    public convenience init(_ description: StaticString) { self.init(nil, description) }
}

/// The members of another shape, among those of this one.
public struct Part<Content: Shape>: Sendable {
    /// Adds the members.
    public init() {}
}

protocol AnyPart {
    var members: [(name: String, member: AnyMember)] { get }
}

extension Part: AnyPart {
    var members: [(name: String, member: AnyMember)] {
        Content.definition.entries.map { ($0.name, $0.member) }
    }
}

/// The members of one kind of object in the debug API, each defined once.
///
/// Each property is a `Member`: its name, type, schema, description and value. Writing and reading objects (`APIObject`),
/// the OpenAPI document and `/docs` all come from it. To add a member: add a property.
///
/// `@_semantics("optimize.sil.specialize.generic.never")` keeps the compiler from making copies of the generic functions of
/// shapes and forms for each of the 700 members, which take minutes to compile.
package protocol Shape: Sendable {
    /// What the values of the members are made from; a tuple, where no type has them all.
    associatedtype Source

    /// The members, and the name of the shape in the OpenAPI document.
    static var definition: Definition<Self> { get }
}

extension Shape {
    /// A member that is always there; an optional value may be `null`.
    package typealias Member<Value: ShapeValue> = ShapeMember<Source, Value>
    /// A member that may be absent.
    package typealias OptionalMember<Value: ShapeValue> = OptionalShapeMember<Source, Value>
    /// The members of another shape, among those of this one.
    package typealias Part<Content: Shape> = ShapePart<Source, Content>
}

/// The members of a shape, by name, and its properties, by which `APIObject` finds them.
package final class Definition<Content: Shape>: Sendable {
    let content: Content
    /// The name in the OpenAPI document; without one, the shape is described wherever it is used.
    private let title: String?
    private let use: SchemaUse
    /// All members, including those of parts, by name.
    let entries: [MemberEntry<Content.Source>]
    private let first: MemberEntry<Content.Source>?

    /// Reads the properties of a shape.
    @_semantics("optimize.sil.specialize.generic.never") package init(
        _ content: Content, _ title: String? = nil, use: SchemaUse = .response
    ) {
        (self.content, self.title, self.use) = (content, title, use)
        entries = Mirror(reflecting: content).children.flatMap { child in
            (child.value as? AnyMember<Content.Source>)?.entries(named: child.label ?? "") ?? []
        }.sorted { $0.name < $1.name }
        first = MemberEntry.linked(entries)
    }

    /// Appends an object as JSON on one line, with the members in the order of their names.
    @_semantics("optimize.sil.specialize.generic.never") func write(_ source: Content.Source, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "{"))
        let start = text.count
        var next = first
        while let entry = next {
            entry.write(source, entry.label, &text)
            next = entry.next
        }
        // Every member ends with a comma.
        if text.count > start { text.removeLast() }
        text.append(UInt8(ascii: "}"))
    }

    @_semantics("optimize.sil.specialize.generic.never") package func schema(_ use: SchemaUse) -> Schema {
        let members = Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0.schema(use)) })
        let required = entries.filter { !$0.isOptional }.map(\.name)
        return use == .response ? .object(members, required: required) : .closed(members, required: required)
    }

    /// The schema of the object where it is used: a reference, if the shape has a name.
    @_semantics("optimize.sil.specialize.generic.never") func reference(_ use: SchemaUse) -> Schema {
        guard let title else { return schema(use) }
        return use == .draft ? .named(title + "Draft") : schema(self.use).named(title)
    }
}

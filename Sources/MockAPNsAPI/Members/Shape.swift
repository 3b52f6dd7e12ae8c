/// The members of one kind of object in the debug API, defined once.
///
/// Each property is a `Member`: its name, type, schema and description. Encoding and decoding (`APIObject`), the OpenAPI
/// document and `/docs` all come from it. To add a member: add a property here, and the line that computes its value.
public protocol Shape: Sendable {
    /// The members, and the name of the shape in the OpenAPI document.
    static var definition: Definition<Self> { get }
}

/// What is known of a shape, and its properties, by which `APIObject` finds members.
public final class Definition<Content: Shape>: AnyDefinition, @unchecked Sendable {
    @usableFromInline let content: Content

    /// Reads the properties of a shape.
    public init(_ content: Content, _ title: String? = nil, use: SchemaUse = .response) {
        self.content = content
        super.init(properties: Mirror(reflecting: content), title, use)
    }
}

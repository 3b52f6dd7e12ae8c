internal import MockAPNsAPI
internal import MockAPNsFormats

/// What a value in a request may be: how it is read, and its schema.
///
/// The members of a body and the parameters of a query are made of forms, and both their reading and the OpenAPI document
/// come from that one definition.
struct Form<Value>: Sendable {
    /// Reads a value; complains to the reader and returns `nil` if it has another form.
    typealias Read = @Sendable (JSONValue, inout BodyReader) -> Value?

    /// What is expected, for people: completes "expected …".
    let expected: String
    /// The texts to suggest, where they can be counted.
    let candidates: [String]
    /// The schema.
    let schema: FormSchema
    /// What is expected of a list of such values.
    private(set) var expectedList: String
    /// Reads a value.
    let read: Read

    /// A plain value, for which `read` returns `nil` if it has another form.
    init(
        expected: String,
        candidates: [String] = [],
        schema: Schema,
        read: @escaping @Sendable (JSONValue) -> Value?
    ) {
        (self.expected, self.candidates, self.schema) = (expected, candidates, FormSchema(schema))
        expectedList = "a list, with \(expected) in each entry"
        self.read = { given, body in
            if let value = read(given) { return value }
            body.refuse(given, expected: expected, candidates: candidates)
            return nil
        }
    }

    /// A text.
    init(
        ofText expected: String,
        candidates: [String] = [],
        schema: Schema = .text(atLeast: 1),
        read: @escaping @Sendable (String) -> Value?
    ) {
        self.init(expected: expected, candidates: candidates, schema: schema) { value in
            guard case .string(let text) = value else { return nil }
            return read(text)
        }
    }

    /// A value with parts, which complains of each.
    init(expected: String, list: String? = nil, schema: FormSchema, parts read: @escaping Read) {
        (self.expected, candidates, self.schema) = (expected, [], schema)
        expectedList = list ?? "a list, with \(expected) in each entry"
        self.read = read
    }

    /// One of a few values, each by its name.
    static func words(_ values: [Value], schema: Schema? = nil, _ name: (Value) -> String) -> Self
    where Value: Sendable {
        let names = values.map(name)
        return Self(
            ofText: names.joined(separator: " or "),
            candidates: names,
            schema: schema ?? .words(names)
        ) {
            text in
            names.firstIndex(of: text).map { values[$0] }
        }
    }

    /// The form, described by another schema, to which the document refers by a name if one is given.
    ///
    /// - Parameters:
    ///   - name: the name in the document; a draft has the suffix `Draft`.
    ///   - schema: the schema; the form's own by default.
    /// - Returns: the form.
    func described(as name: String? = nil, _ schema: (@Sendable (SchemaUse) -> Schema)? = nil) -> Form {
        var described = schema.map { FormSchema($0) } ?? self.schema
        described.name = name
        return Form(expected: expected, list: expectedList, schema: described, parts: read)
    }

    /// The values that `change` makes of those that are read; it returns `nil` after a complaint.
    func map<Other>(
        _ change: @escaping @Sendable (Value, inout BodyReader) -> Other?
    ) -> Form<Other> {
        let read = read
        return Form<Other>(expected: expected, list: expectedList, schema: schema) { given, body in
            read(given, &body).flatMap { change($0, &body) }
        }
    }

    /// Lists of such values.
    ///
    /// - Parameters:
    ///   - form: the form of the entries.
    ///   - emptyHint: what an empty list would mean, where it is refused; completes "is an empty list; …".
    ///   - most: the most entries, for the schema.
    /// - Returns: the form.
    static func list<Entry>(
        of form: Form<Entry>,
        emptyHint: String? = nil,
        atMost most: Int? = nil
    ) -> Self where Value == [Entry] {
        let schema = FormSchema(named: form.schema.collect) { use in
            let entry = form.schema.reference(use)
            if let most { return .list(of: entry, atMost: most) }
            return emptyHint == nil ? .list(of: entry) : .listWithEntries(of: entry)
        }
        let expected = form.expectedList
        return Self(expected: expected, schema: schema) { given, body in
            guard case .array(let values) = given else {
                body.refuse(given, expected: expected)
                return nil
            }
            if values.isEmpty, let emptyHint { body.complain("is an empty list; \(emptyHint)") }
            var entries: [Entry] = []
            entries.reserveCapacity(values.count)
            for (position, value) in values.enumerated() {
                body.enter(.entry(position))
                if let entry = form.read(value, &body) { entries.append(entry) }
                body.leave()
            }
            return entries
        }
    }
}

/// The schema of a form, and the schemas to which it refers by name.
struct FormSchema: Sendable {
    /// The name in the document; `nil` describes the form wherever it is used.
    var name: String?
    private let make: @Sendable (SchemaUse) -> Schema
    private let parts: @Sendable (SchemaUse, inout [String: Schema]) -> Void

    /// - Parameters:
    ///   - parts: adds the schemas to which this one refers.
    ///   - make: the schema.
    init(
        named parts: @escaping @Sendable (SchemaUse, inout [String: Schema]) -> Void = { _, _ in },
        _ make: @escaping @Sendable (SchemaUse) -> Schema
    ) {
        (self.make, self.parts) = (make, parts)
    }

    /// A schema that is the same everywhere.
    init(_ schema: Schema) { self.init(named: { _, _ in }, { _ in schema }) }

    /// The schema, or a reference to it by its name.
    func reference(_ use: SchemaUse) -> Schema { name.map { .named(Self.name($0, use)) } ?? make(use) }

    /// Adds the schema under its name, and the schemas to which it refers.
    func collect(_ use: SchemaUse, into schemas: inout [String: Schema]) {
        if let name { schemas[Self.name(name, use)] = make(use) }
        parts(use, &schemas)
    }

    private static func name(_ name: String, _ use: SchemaUse) -> String {
        use == .draft ? name + "Draft" : name
    }
}

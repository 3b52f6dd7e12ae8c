package import MockAPNsFormats

/// How a value of a request is read, and its schema; some forms also write values for responses.
///
/// The members of a body and the parameters of a query are made of forms. Reading, error texts and the OpenAPI document
/// come from that one definition.
package struct Form<Value>: Sendable {
    /// Reads a value; complains to the reader and returns `nil` if it has another form.
    package typealias Read = @Sendable (JSONValue, inout FormReader) -> Value?
    package typealias MakeSchema = @Sendable (SchemaUse) -> Schema
    package typealias Write = @Sendable (Value) -> JSONValue

    /// Completes "expected …".
    package let expected: String
    /// The same for a list of such values.
    package let expectedList: String
    package let schema: MakeSchema
    package let read: Read
    private let write: Write?

    /// A value with parts, which complains of each.
    @_semantics("optimize.sil.specialize.generic.never") package init(
        expected: String, list: String? = nil, schema: @escaping MakeSchema, write: Write? = nil,
        parts read: @escaping Read
    ) {
        self.expected = expected
        expectedList = list ?? "a list, with \(expected) in each entry"
        (self.schema, self.write, self.read) = (schema, write, read)
    }

    /// A value as it would be read; the form must be one that writes.
    @_semantics("optimize.sil.specialize.generic.never") package func json(_ value: Value) -> JSONValue {
        guard let write else { preconditionFailure("the form of '\(expected)' does not write") }
        return write(value)
    }

    /// A plain value, for which `read` returns `nil` if it has another form; `candidates` are texts to suggest.
    @_semantics("optimize.sil.specialize.generic.never") package init(
        expected: String, candidates: [String] = [], schema: Schema, write: Write? = nil,
        read: @escaping @Sendable (JSONValue) -> Value?
    ) {
        self.init(expected: expected, schema: { _ in schema }, write: write) { given, reader in
            if let value = read(given) { return value }
            reader.refuse(given, expected: expected, candidates: candidates)
            return nil
        }
    }

    /// A text, for which `read` returns `nil` if it has another form.
    @_semantics("optimize.sil.specialize.generic.never") package init(
        ofText expected: String, candidates: [String] = [], schema: Schema = .text(atLeast: 1),
        text: (@Sendable (Value) -> String)? = nil, read: @escaping @Sendable (String) -> Value?
    ) {
        let write = text.map { text in { value in JSONValue.string(text(value)) } as Write }
        self.init(expected: expected, candidates: candidates, schema: schema, write: write) { value in
            guard case .string(let text) = value else { return nil }
            return read(text)
        }
    }

    /// One of a few values, each by its name.
    @_semantics("optimize.sil.specialize.generic.never") package static func words(
        _ values: [Value], schema: Schema? = nil, _ name: @escaping @Sendable (Value) -> String
    ) -> Self where Value: Sendable {
        let names = values.map(name)
        let start = names.dropLast().joined(separator: ", ")
        return Self(
            ofText: start.isEmpty ? names.joined() : "\(start) or \(names.last ?? "")", candidates: names,
            schema: schema ?? .words(names), text: name
        ) { text in names.firstIndex(of: text).map { values[$0] } }
    }

    /// The form with another schema; under a name in the document, which has the suffix `Draft` for a draft.
    @_semantics("optimize.sil.specialize.generic.never") package func described(
        as name: String? = nil, _ schema: MakeSchema? = nil
    ) -> Form {
        let schema = schema ?? self.schema
        let named: MakeSchema = { use in
            name.map { schema(use).named(use == .draft ? $0 + "Draft" : $0) } ?? schema(use)
        }
        return Form(expected: expected, list: expectedList, schema: named, write: write, parts: read)
    }

    /// Changes the values that are read; `change` returns `nil` after a complaint.
    @_semantics("optimize.sil.specialize.generic.never") package func map<Other>(
        _ change: @escaping @Sendable (Value, inout FormReader) -> Other?
    ) -> Form<Other> {
        Form<Other>(expected: expected, list: expectedList, schema: schema) { [read] given, reader in
            read(given, &reader).flatMap { change($0, &reader) }
        }
    }

    /// Lists of such values; with an `emptyHint`, which completes "is an empty list; …", at least one.
    @_semantics("optimize.sil.specialize.generic.never") package static func list<Entry>(
        of form: Form<Entry>, emptyHint: String? = nil, atMost most: Int? = nil
    ) -> Self where Value == [Entry] {
        let expected = form.expectedList
        return Self(expected: expected) { use in
            var schema = Schema.list(of: form.schema(use))
            if let most { schema = schema.with("maxItems", JSONValue(most)) }
            return emptyHint == nil ? schema : schema.with("minItems", 1)
        } write: { entries in
            .array(entries.map(form.json))
        } parts: { given, reader in
            guard case .array(let values) = given else {
                reader.refuse(given, expected: expected)
                return nil
            }
            if values.isEmpty, let emptyHint { reader.complain("is an empty list; \(emptyHint)") }
            var entries: [Entry] = []
            entries.reserveCapacity(values.count)
            for (position, value) in values.enumerated() {
                guard reader.goesOn(after: position) else { break }
                reader.enter(.entry(position))
                if let entry = form.read(value, &reader) { entries.append(entry) }
                reader.leave()
            }
            return entries
        }
    }
}

/// A member of an object in a body: how it is read, what is made of it, and its schema.
package struct Field<Product>: Sendable {
    package let name: String
    /// What is expected if the member is missing; `nil` if it may be left out.
    package private(set) var required: String?
    private let description: String
    private let standard: JSONValue?
    private let valueSchema: @Sendable (SchemaUse) -> Schema
    fileprivate let read: @Sendable (JSONValue, inout Product, inout FormReader) -> Void
    /// Writes the member; returns `nil` to leave it out.
    private let write: (@Sendable (Product) -> JSONValue?)?

    @_semantics("optimize.sil.specialize.generic.never") package static func required<Value>(
        _ name: String, _ form: Form<Value>, _ description: String = "", get: (@Sendable (Product) -> Value?)? = nil,
        set: @escaping @Sendable (inout Product, Value) -> Void
    ) -> Field {
        var field = optional(name, form, description, get: get, set: set)
        field.required = form.expected
        return field
    }

    /// A member that is read into a property, and written from it.
    @_semantics("optimize.sil.specialize.generic.never") package static func required<Value>(
        _ name: String, _ form: Form<Value>, _ description: String = "",
        as path: any WritableKeyPath<Product, Value> & Sendable
    ) -> Field { required(name, form, description, get: { $0[keyPath: path] }, set: { $0[keyPath: path] = $1 }) }

    /// A member that may be left out, and otherwise is read into a property, and written from it.
    @_semantics("optimize.sil.specialize.generic.never") package static func optional<Value>(
        _ name: String, _ form: Form<Value>, _ description: String = "",
        as path: any WritableKeyPath<Product, Value> & Sendable
    ) -> Field { optional(name, form, description, get: { $0[keyPath: path] }, set: { $0[keyPath: path] = $1 }) }

    /// The same for an optional property; `nil` leaves the member out.
    @_semantics("optimize.sil.specialize.generic.never") package static func optional<Value>(
        _ name: String, _ form: Form<Value>, _ description: String = "",
        as path: any WritableKeyPath<Product, Value?> & Sendable
    ) -> Field { optional(name, form, description, get: { $0[keyPath: path] }, set: { $0[keyPath: path] = $1 }) }

    /// A member that may be left out, which means `standard`.
    @_semantics("optimize.sil.specialize.generic.never") package static func optional<Value>(
        _ name: String, _ form: Form<Value>, _ description: String = "", default standard: JSONValue? = nil,
        get: (@Sendable (Product) -> Value?)? = nil, set: @escaping @Sendable (inout Product, Value) -> Void
    ) -> Field {
        var write: (@Sendable (Product) -> JSONValue?)?
        if let get { write = { get($0).map(form.json) } }
        return Field(
            name: name, description: description, standard: standard, valueSchema: form.schema,
            read: { given, product, reader in if let value = form.read(given, &reader) { set(&product, value) } },
            write: write)
    }

    @_semantics("optimize.sil.specialize.generic.never") package func json(of product: Product) -> JSONValue? {
        guard let write else { preconditionFailure("'\(name)' is not written") }
        return write(product)
    }

    @_semantics("optimize.sil.specialize.generic.never") package func schema(_ use: SchemaUse) -> Schema {
        var schema = valueSchema(use)
        // Any value may be `null` in any case.
        if required == nil, use == .draft, schema != .anything { schema = schema.orNull }
        if let standard { schema = schema.defaulting(to: standard) }
        return description.isEmpty ? schema : schema.described(description)
    }
}

extension Form where Value: Sendable {
    /// Checks an object as a whole, after its members were read.
    package typealias Check = @Sendable (_ value: inout Value, _ given: [String: JSONValue], inout FormReader) -> Void

    @_semantics("optimize.sil.specialize.generic.never") package static func object(
        _ start: Value, _ fields: Field<Value>..., check: Check? = nil
    ) -> Form { object(start, fields, check: check) }

    /// An object with these members, which are read in this order, and no others.
    @_semantics("optimize.sil.specialize.generic.never") package static func object(
        _ start: Value, _ fields: [Field<Value>], check: Check? = nil
    ) -> Form {
        let names = fields.map(\.name)
        return Form(expected: "an object", list: "a list of objects") { use in
            .closed(
                Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.schema(use)) }),
                required: fields.filter { $0.required != nil }.map(\.name))
        } write: { value in
            .object(fields.reduce(into: [:]) { members, field in members[field.name] = field.json(of: value) })
        } parts: { given, reader in
            guard let members = reader.members(of: given) else { return nil }
            reader.complainOfUnknown(members, known: names)
            var value = start
            // By position: a copy of each field would count the references of its schema, for each object of a list.
            for position in fields.indices {
                guard let given = members[fields[position].name] else {
                    if let expected = fields[position].required {
                        reader.complain("is missing; expected \(expected)", at: fields[position].name)
                    }
                    continue
                }
                // In a draft, `null` means absent.
                if case .null = given, reader.use == .draft, fields[position].required == nil { continue }
                reader.enter(.member(fields[position].name))
                fields[position].read(given, &value, &reader)
                reader.leave()
            }
            check?(&value, members, &reader)
            return value
        }
    }
}

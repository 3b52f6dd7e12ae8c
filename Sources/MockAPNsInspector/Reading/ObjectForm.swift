internal import MockAPNsAPI
internal import MockAPNsFormats

/// A member of an object in a body: how it is read, what is made of it, and what the document says of it.
struct Field<Product>: Sendable {
    let name: String
    /// What is expected of a member that is missing; `nil` if the member may be left out.
    let required: String?
    /// The schema of the member.
    let schema: FormSchema
    /// Reads the member into what is made of the object.
    fileprivate let read: @Sendable (JSONValue, inout Product, inout BodyReader) -> Void

    /// A member that has to be there.
    static func required<Value>(
        _ name: String,
        _ form: Form<Value>,
        _ description: String = "",
        set: @escaping @Sendable (inout Product, Value) -> Void
    ) -> Field {
        Field(name, required: form.expected, form, description, nil, set)
    }

    /// A member that may be left out.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - form: the form of the value.
    ///   - description: what the member means; left out where its name says it.
    ///   - standard: the value that is meant without the member.
    ///   - set: notes a value that was read.
    /// - Returns: the member.
    static func optional<Value>(
        _ name: String,
        _ form: Form<Value>,
        _ description: String = "",
        default standard: JSONValue? = nil,
        set: @escaping @Sendable (inout Product, Value) -> Void
    ) -> Field {
        Field(name, required: nil, form, description, standard, set)
    }

    private init<Value>(
        _ name: String,
        required: String?,
        _ form: Form<Value>,
        _ description: String,
        _ standard: JSONValue?,
        _ set: @escaping @Sendable (inout Product, Value) -> Void
    ) {
        (self.name, self.required) = (name, required)
        schema = FormSchema(named: form.schema.collect) { use in
            var schema = form.schema.reference(use)
            // Where `null` means absent; any value may be `null` in any case.
            if required == nil, use == .draft, schema != .anything { schema = schema.orNull }
            if let standard { schema = schema.defaulting(to: standard) }
            return description.isEmpty ? schema : schema.described(description)
        }
        read = { given, product, body in
            if let value = form.read(given, &body) { set(&product, value) }
        }
    }
}

extension Form where Value: Sendable {
    /// Looks at an object as a whole, after its members were read.
    typealias Check = @Sendable (_ value: inout Value, _ given: [String: JSONValue], inout BodyReader) -> Void

    /// An object with these members and no others.
    ///
    /// - Parameters:
    ///   - start: what is made of an object without members.
    ///   - fields: the members, in the order in which they are read.
    ///   - check: looks at the object as a whole.
    /// - Returns: the form.
    static func object(_ start: Value, _ fields: Field<Value>..., check: Check? = nil) -> Form {
        object(start, fields, check: check)
    }

    /// An object with these members and no others.
    static func object(_ start: Value, _ fields: [Field<Value>], check: Check? = nil) -> Form {
        let names = fields.map(\.name)
        return Form(
            expected: "an object",
            list: "a list of objects",
            schema: FormSchema { use, schemas in
                for field in fields { field.schema.collect(use, into: &schemas) }
            } _: { use in
                .closed(
                    Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.schema.reference(use)) }),
                    required: fields.filter { $0.required != nil }.map(\.name)
                )
            }
        ) { given, body in
            guard case .object(let members) = given else {
                body.refuse(given, expected: "an object")
                return nil
            }
            body.complainOfUnknown(members, known: names)
            var value = start
            // By position: a copy of each field would count the references of its schema, for each object of a list.
            for position in fields.indices {
                guard let given = members[fields[position].name] else {
                    if let expected = fields[position].required {
                        body.complain("is missing; expected \(expected)", at: fields[position].name)
                    }
                    continue
                }
                // In a draft, `null` means absent.
                if case .null = given, body.use == .draft, fields[position].required == nil { continue }
                body.enter(.member(fields[position].name))
                fields[position].read(given, &value, &body)
                body.leave()
            }
            check?(&value, members, &body)
            return value
        }
    }
}

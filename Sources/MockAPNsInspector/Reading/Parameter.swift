internal import MockAPNsAPI
internal import MockAPNsFormats

/// What the document says of a parameter of the query or the path.
struct ParameterRow: Sendable {
    let name: String
    let schema: Schema
    let description: String
    /// Whether it may be given more than once, which means any of the values.
    var isRepeatable = false
}

/// A parameter of a query: how it is read, what is made of it, and what the document says of it.
struct Parameter<Product>: Sendable {
    let row: ParameterRow
    /// Reads the parameter into what is made of the query.
    let read: @Sendable (inout QueryReader, inout Product) -> Void

    /// A parameter that may be given once.
    static func once<Value>(
        _ name: String,
        _ form: Form<Value>,
        _ description: String,
        default standard: JSONValue? = nil,
        set: @escaping @Sendable (inout Product, Value) -> Void
    ) -> Parameter {
        var schema = form.schema.reference(.request)
        if let standard { schema = schema.defaulting(to: standard) }
        return Parameter(row: ParameterRow(name: name, schema: schema, description: description)) {
            query,
            product in
            if query.texts(name).count > 1 { query.complain(name, "is given more than once") }
            let values = query.values(name, form)
            if let value = values.first { set(&product, value) }
        }
    }

    /// A parameter that may be repeated, which means any of the values; `set` is not called without one.
    static func any<Value>(
        _ name: String,
        _ form: Form<Value>,
        _ description: String,
        set: @escaping @Sendable (inout Product, [Value]) -> Void
    ) -> Parameter {
        let schema = form.schema.reference(.request)
        let row = ParameterRow(name: name, schema: schema, description: description, isRepeatable: true)
        return Parameter(row: row) { query, product in
            let values = query.values(name, form)
            if !values.isEmpty { set(&product, values) }
        }
    }

    /// The parameter, with a check of the query as a whole.
    func checked(_ check: @escaping @Sendable (inout QueryReader) -> Void) -> Parameter {
        Parameter(row: row) { query, product in
            read(&query, &product)
            check(&query)
        }
    }

    /// The parameter as one of a larger query.
    func part<Whole>(of path: any WritableKeyPath<Whole, Product> & Sendable) -> Parameter<Whole> {
        Parameter<Whole>(row: row) { query, whole in read(&query, &whole[keyPath: path]) }
    }
}

/// The parameters of a route.
struct QueryForm<Product: Sendable>: Sendable {
    /// What is made of an empty query.
    let start: Product
    let parameters: [Parameter<Product>]

    init(_ start: Product, _ parameters: Parameter<Product>...) {
        (self.start, self.parameters) = (start, parameters)
    }

    init(_ start: Product, _ parameters: [Parameter<Product>]) {
        (self.start, self.parameters) = (start, parameters)
    }

    /// What the document says of the parameters.
    var rows: [ParameterRow] { parameters.map(\.row) }

    /// Reads the parameters; complaints stay with the reader.
    func read(_ reader: inout QueryReader) -> Product {
        var product = start
        for parameter in parameters { parameter.read(&reader, &product) }
        return product
    }
}

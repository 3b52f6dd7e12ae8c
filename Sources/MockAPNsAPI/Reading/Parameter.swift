package import MockAPNsFormats
package import MockAPNsRules

/// The description of a parameter of the query or the path.
package struct ParameterRow: Sendable {
    package let name: String
    package let schema: Schema
    package let description: String
    /// Whether it may be given more than once, which means any of the values.
    package var isRepeatable = false

    package init(name: String, schema: Schema, description: String, isRepeatable: Bool = false) {
        (self.name, self.schema, self.description) = (name, schema, description)
        self.isRepeatable = isRepeatable
    }
}

/// A parameter of a query: its description, and the function that reads it into a product.
package struct Parameter<Product>: Sendable {
    package let row: ParameterRow
    package let read: @Sendable (inout QueryReader, inout Product) -> Void

    package init(row: ParameterRow, read: @escaping @Sendable (inout QueryReader, inout Product) -> Void) {
        (self.row, self.read) = (row, read)
    }

    @_semantics("optimize.sil.specialize.generic.never") package static func once<Value>(
        _ name: String, _ form: Form<Value>, _ description: String, default standard: JSONValue? = nil,
        set: @escaping @Sendable (inout Product, Value) -> Void
    ) -> Parameter {
        var schema = form.schema(.request)
        if let standard { schema = schema.defaulting(to: standard) }
        let row = ParameterRow(name: name, schema: schema, description: description)
        return Parameter(row: row) { query, product in
            if query.texts(name).count > 1 { query.complain(name, "is given more than once") }
            if let value = query.values(name, form).first { set(&product, value) }
        }
    }

    /// A parameter that may be repeated, which means any of the values; `set` is not called without one.
    @_semantics("optimize.sil.specialize.generic.never") package static func any<Value>(
        _ name: String, _ form: Form<Value>, _ description: String,
        set: @escaping @Sendable (inout Product, [Value]) -> Void
    ) -> Parameter {
        let schema = form.schema(.request)
        let row = ParameterRow(name: name, schema: schema, description: description, isRepeatable: true)
        return Parameter(row: row) { query, product in
            let values = query.values(name, form)
            if !values.isEmpty { set(&product, values) }
        }
    }

    /// The parameter, with a check of the query as a whole.
    @_semantics("optimize.sil.specialize.generic.never") package func checked(
        _ check: @escaping @Sendable (inout QueryReader) -> Void
    ) -> Parameter {
        Parameter(row: row) { query, product in
            read(&query, &product)
            check(&query)
        }
    }

    /// The parameter as one of a larger query.
    @_semantics("optimize.sil.specialize.generic.never") package func part<Whole>(
        of path: any WritableKeyPath<Whole, Product> & Sendable
    ) -> Parameter<Whole> { Parameter<Whole>(row: row) { query, whole in read(&query, &whole[keyPath: path]) } }
}

package struct QueryForm<Product: Sendable>: Sendable {
    /// The result for an empty query.
    package let start: Product
    package let parameters: [Parameter<Product>]

    @_semantics("optimize.sil.specialize.generic.never") package init(
        _ start: Product, _ parameters: Parameter<Product>...
    ) { self.init(start, parameters) }

    @_semantics("optimize.sil.specialize.generic.never") package init(
        _ start: Product, _ parameters: [Parameter<Product>]
    ) { (self.start, self.parameters) = (start, parameters) }

    @_semantics("optimize.sil.specialize.generic.never") package func read(
        _ query: String, now: Timestamp
    ) throws(Problem) -> Product {
        var reader = QueryReader(query, known: parameters.map(\.row.name), now: now)
        var product = start
        for parameter in parameters { parameter.read(&reader, &product) }
        try reader.finish()
        return product
    }
}

/// Reads the query of a request, and collects all complaints.
package struct QueryReader {
    /// The end of the name of a family of parameters, which differ by a name in brackets: `payload[/aps/badge]`.
    package static let familyMark = "[]"

    private var given: [(name: String, value: String)] = []
    private var reader: FormReader

    /// Splits a query, and complains of every parameter that is not among `known`.
    package init(_ query: String, known: [String], now: Timestamp) {
        reader = FormReader(use: .request, now: now)
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(parts[0], plusIsSpace: true),
                let value = PercentEncoding.decode(parts.count > 1 ? parts[1] : "", plusIsSpace: true)
            else {
                complain(String(pair), "is not percent-encoded UTF-8")
                continue
            }
            guard known.contains(name) || Self.member(of: name).map({ known.contains($0.family) }) == true else {
                let list = known.isEmpty ? "it takes none" : "it takes: " + known.joined(separator: ", ")
                complain(name, "is not a parameter of this path; \(list)", Suggestion.nearest(to: name, among: known))
                continue
            }
            given.append((name, value))
        }
    }

    package var now: Timestamp { reader.now }

    /// The values of a parameter, as given.
    package func texts(_ name: String) -> [String] { given.filter { $0.name == name }.map(\.value) }

    /// The values of a parameter; digits are a number where the form is one.
    @_semantics("optimize.sil.specialize.generic.never") package mutating func values<Value>(
        _ name: String, _ form: Form<Value>
    ) -> [Value] {
        let isNumber = form.schema(.request).json["type"] == "integer"
        reader.enter(.parameter(name))
        defer { reader.leave() }
        return texts(name).compactMap { text in
            let number = isNumber ? UInt64(digits: text).map { JSONValue($0) } : nil
            return form.read(number ?? .string(text), &reader)
        }
    }

    /// The parameters of a family, by their names in brackets; `name` ends with the mark.
    @_semantics("optimize.sil.specialize.generic.never") package mutating func family<Key>(
        _ name: String, _ form: Form<Key>
    ) -> [(key: Key, value: String)] {
        given.compactMap { parameter in
            guard let member = Self.member(of: parameter.name), member.family == name else { return nil }
            var scratch = FormReader(use: .request, now: now)
            if let key = form.read(.string(member.key), &scratch) { return (key, parameter.value) }
            complain(parameter.name, "has '\(member.key)' in brackets; expected \(form.expected)")
            return nil
        }
    }

    /// Splits `payload[/aps/badge]` into `payload[]` and the text in brackets.
    private static func member(of name: String) -> (family: String, key: String)? {
        guard name.hasSuffix("]"), let bracket = name.firstIndex(of: "[") else { return nil }
        let key = name[name.index(after: bracket)...].dropLast()
        return (name[..<bracket] + familyMark, String(key))
    }

    package mutating func complain(_ name: String, _ message: String, _ suggestion: String? = nil) {
        reader.adopt(Complaint(path: name, message: message, suggestion: suggestion))
    }

    package func finish() throws(Problem) { try reader.finish(.badParameter) }
}

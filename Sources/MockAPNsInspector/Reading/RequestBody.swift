internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules

/// The JSON body of a request: its form, and an example of it.
struct RequestBody<Value>: Sendable {
    let form: Form<Value>
    /// What `null` means; in a draft, the same as an absent member.
    let use: SchemaUse
    let example: JSONValue
    /// Whether a request without a body is refused; otherwise that means an empty object.
    let isRequired: Bool

    init(_ form: Form<Value>, use: SchemaUse = .request, isRequired: Bool = true, example: JSONValue) {
        (self.form, self.use, self.isRequired, self.example) = (form, use, isRequired, example)
    }

    /// Reads the body of a request.
    ///
    /// - Throws: `Problem` for a body that is not JSON, or has another form.
    func read(_ bytes: [UInt8], now: Timestamp) throws(Problem) -> Value {
        let bytes = bytes.isEmpty && !isRequired ? Array("{}".utf8) : bytes
        return try BodyReader.read(bytes, as: form, use: use, now: now)
    }
}

internal import MockAPNsAPI
internal import MockAPNsFormats

/// An answer of the debug API.
struct APIResponse {
    let status: Int
    /// The media type, without parameters.
    let contentType: String
    let body: [UInt8]

    var isJSON: Bool { contentType == "application/json" || contentType.hasSuffix("+json") }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// Reads the JSON document.
    ///
    /// - Throws: `CommandFailure` for what this version cannot read.
    func decoded<Value: ShapeValue>(as type: Value.Type) throws -> Value {
        guard let json = JSONParser.value(of: body) else { throw unreadable("it is not JSON") }
        do throws(ShapeMismatch) {
            return try Value(json: json)
        } catch {
            throw unreadable("\(error)")
        }
    }

    private func unreadable(_ reason: String) -> CommandFailure {
        CommandFailure(
            .internalError,
            "the answer of the server cannot be read, perhaps because it is of another version"
                + " (this is \(Version.text)): \(reason); --json prints it as it is"
        )
    }
}

internal import MockAPNsFormats
internal import MockAPNsWorld

/// An argument that names a file with a schema, as `payload=order.schema.json`.
struct AppSchemaArgument {
    /// The expected format, for error messages.
    static let form = "payload=FILE, content-state:TYPE=FILE or attributes:TYPE=FILE"

    let name: AppSchemaName
    let schema: JSONSchema

    /// Parses the argument, and reads its file; a file without a name is that of payloads, if `allowsPlainFile`.
    init(parsing text: String, option: String, allowsPlainFile: Bool) throws {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let file: String
        if parts.count == 2, !parts[1].isEmpty, let name = AppSchemaName(parts[0]) {
            (self.name, file) = (name, parts[1])
        } else {
            try OptionReader.check(allowsPlainFile && !text.isEmpty, Self.form)
            (name, file) = (.payload, text)
        }
        let document = try AtomicFile.input(file, option: option)
        do throws(JSONSchema.Refusal) { schema = try JSONSchema(document) } catch {
            throw CommandFailure(
                .badConfiguration,
                "invalid \(option) '\(TerminalText.plain(file))': \(TerminalText.plain(error.message))")
        }
    }
}

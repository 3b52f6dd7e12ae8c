internal import MockAPNsFormats

/// A file with an expectation, to which options add members.
struct ExpectationFile {
    private let name: String
    private let bytes: [UInt8]

    /// Reads the file; `-` is standard input.
    ///
    /// - Throws: `CommandFailure` when there is none.
    init(_ name: String) throws {
        self.name = name
        bytes = try AtomicFile.input(name, option: "--file", limit: 1 << 20)
    }

    /// The file with these members in place of its own.
    ///
    /// Without members the file stays as it is, so that the server reports mistakes with their position.
    ///
    /// A file that is a list becomes the member `list`.
    ///
    /// - Throws: `CommandFailure` for a file that is not a JSON object.
    func body(adding members: [String: JSONValue], list: String? = nil) throws -> [UInt8] {
        guard !members.isEmpty || list != nil else { return bytes }
        switch (JSONParser.value(of: bytes), list) {
        case (.object(let own), _): return JSONValue.object(own.merging(members) { $1 }).text
        case (.array(let entries), let list?):
            return JSONValue.object([list: .array(entries)].merging(members) { $1 }).text
        default: throw notAnObject
        }
    }

    /// The matcher: the member `match` of an expectation, or the whole file.
    ///
    /// - Throws: `CommandFailure` for a file that is not a JSON object.
    func matcher() throws -> JSONValue {
        guard case .object(let members) = JSONParser.value(of: bytes) else { throw notAnObject }
        return members["match"] ?? .object(members)
    }

    private var notAnObject: CommandFailure {
        CommandFailure(
            .badConfiguration,
            #"invalid --file '\#(name)': expected a JSON object such as {"match":{"topic":"com.example.app"}}"#
        )
    }
}

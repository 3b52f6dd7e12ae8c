internal import MockAPNsFormats

/// A file that says what is expected, with what options add to it at the top.
struct ExpectationFile {
    private let name: String
    private let bytes: [UInt8]

    /// Reads the file; `-` is standard input.
    ///
    /// - Throws: `CommandFailure` when there is none.
    init(_ name: String) throws {
        self.name = name
        guard let text = try AtomicFile.read(name == "-" ? "/dev/stdin" : name, limit: 1 << 20) else {
            throw CommandFailure(.badConfiguration, "--file: there is no file \(name)")
        }
        bytes = Array(text.utf8)
    }

    /// The file with these members at its top, in place of those it has.
    ///
    /// Without any it stays as it is, and what is wrong with it is said by the server, with the place.
    ///
    /// - Parameters:
    ///   - members: what the options say.
    ///   - list: the member that a list alone stands for; `nil` where none does.
    /// - Returns: the body of a request.
    /// - Throws: `CommandFailure` for a file that is no JSON object.
    func body(adding members: [String: JSONValue], list: String? = nil) throws -> RequestBody {
        guard !members.isEmpty || list != nil else { return .text(bytes) }
        switch JSONParser.value(of: bytes) {
        case .object(let own): return .document(.object(own.merging(members) { $1 }))
        case .array(let entries):
            guard let list else { break }
            return .document(.object([list: .array(entries)].merging(members) { $1 }))
        default: break
        }
        throw notAnObject
    }

    /// What the pushes are to be: the member `match` of an expectation, or the whole file.
    ///
    /// - Throws: `CommandFailure` for a file that is no JSON object.
    func matcher() throws -> JSONValue {
        guard case .object(let members) = JSONParser.value(of: bytes) else { throw notAnObject }
        return members["match"] ?? .object(members)
    }

    private var notAnObject: CommandFailure {
        CommandFailure(
            .badConfiguration,
            #"--file: \#(name) is no JSON object; expected {"match":{"topic":"com.example.app"}}"#
        )
    }
}

/// The body of a request: a text that is sent as it is, or a document.
enum RequestBody {
    case text([UInt8])
    case document(JSONValue)

    /// A request with this body.
    func sent(with request: APIRequest) throws -> APIRequest {
        switch self {
        case .text(let bytes):
            var request = request
            request.body = bytes
            return request
        case .document(let document): return request.sending(document)
        }
    }
}

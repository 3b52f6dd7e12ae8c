internal import MockAPNsAPI
internal import MockAPNsFormats

struct APIRequest {
    let method: String
    /// The path with its query, percent-encoded.
    let target: String
    var body: [UInt8]?
    var accept = "application/json"
    /// The last event received from a stream; `nil` for a new stream.
    var lastEventID: String?

    init(_ method: String, path: String) {
        self.method = method
        target = path
    }

    /// Creates a request for an unencoded path under `/api/v1`; parameters without a value are omitted.
    init(_ method: String, _ parts: [String], query: [(name: String, value: String?)] = []) {
        let given = query.compactMap { parameter in
            parameter.value.map { "\(parameter.name)=\(Self.encoded($0))" }
        }
        let path = (["/api/v1"] + parts.map(Self.encoded)).joined(separator: "/")
        self.init(method, path: path + (given.isEmpty ? "" : "?" + given.joined(separator: "&")))
    }

    /// The path with its query in a namespace; requests about namespaces are the same in all.
    func target(in namespace: String?) -> String {
        let root = "/api/v1/"
        guard let namespace, target.hasPrefix(root), !target.hasPrefix(root + "namespaces") else {
            return target
        }
        return root + "namespaces/" + Self.encoded(namespace) + "/" + target.dropFirst(root.count)
    }

    func sending(_ body: [UInt8]) -> Self {
        var request = self
        request.body = body
        return request
    }

    /// The same request with a JSON object of the members that have a value.
    func sending(_ members: [String: (any ShapeValue)?]) -> Self { sending(JSONValue.members(members).text) }

    /// Percent-encodes everything that could have a meaning in a URL.
    static func encoded(_ text: String) -> String {
        let plain = "-._~@".utf8
        return text.utf8.reduce(into: "") { encoded, byte in
            let isLetter = byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7a
            if isLetter || byte &- 0x30 < 10 || plain.contains(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}

extension JSONValue {
    static func members(_ members: [String: (any ShapeValue)?]) -> JSONValue {
        .object(members.compactMapValues { $0?.json })
    }
}

struct APIResponse {
    let status: Int
    /// The media type, without parameters.
    let contentType: String
    let body: [UInt8]

    var isJSON: Bool { contentType == "application/json" || contentType.hasSuffix("+json") }

    var text: String { String(decoding: body, as: UTF8.self) }

    func decoded<Content: Shape>(as type: Content.Type) throws -> APIObject<Content> {
        guard let json = JSONParser.value(of: body) else { throw unreadable("it is not JSON") }
        do throws(ShapeMismatch) {
            return try APIObject(json: json)
        } catch {
            throw unreadable("\(error)")
        }
    }

    private func unreadable(_ reason: String) -> CommandFailure {
        CommandFailure(
            .internalError,
            "cannot read the response of the server, which may have another version"
                + " (this is \(Version.text)): \(reason); --json prints it unchanged"
        )
    }
}

extension APIResponse {
    /// Prints the body as received, with a line feed at its end.
    func print() { Console.write(body + (body.last == 0x0a ? [] : [0x0a])) }
}

/// A problem document (RFC 9457): why the API rejected a request.
///
/// Read member by member, so that a problem of any version can be shown.
struct APIProblem {
    private let document: JSONValue

    /// The problem in a response; `nil` when it is not a problem document.
    init?(_ response: APIResponse) {
        guard response.contentType == "application/problem+json",
            let document = JSONParser.value(of: response.body), document["title"]?.plainText != nil
        else { return nil }
        self.document = document
    }

    /// The detail, then a line for each complaint that it does not contain.
    var message: String {
        let detail = (document["detail"] ?? document["title"])?.plainText ?? ""
        let said = detail.lowercased()
        let lines = document["errors"].entries.compactMap { complaint -> String? in
            guard let message = complaint["message"]?.plainText, !said.contains(message.lowercased()) else {
                return nil
            }
            let suggestion = complaint["suggestion"]?.plainText.map { "; did you mean '\($0)'?" } ?? ""
            let path = complaint["path"]?.plainText.map { $0.isEmpty ? "" : "\($0): " } ?? ""
            return "  " + TerminalText.plain("\(path)\(message)\(suggestion)")
        }
        // A mistake in a search is shown with a caret on the next line.
        let told = detail.split(separator: "\n").map { TerminalText.plain(String($0)) }
        return (told + lines).joined(separator: "\n")
    }
}

internal import MockAPNsAPI
internal import MockAPNsFormats

/// A response of the debug API.
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
    func print() { Console.standard.write(body + (body.last == 0x0a ? [] : [0x0a])) }
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
        // A mistake in a search is shown with a caret on a line of its own.
        let told = detail.split(separator: "\n").map { TerminalText.plain(String($0)) }
        return (told + lines).joined(separator: "\n")
    }
}

internal import MockAPNsFormats

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

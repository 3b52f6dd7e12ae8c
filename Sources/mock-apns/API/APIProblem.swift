internal import FoundationEssentials

/// The API's reason for refusing a request: a problem document (RFC 9457).
struct APIProblem: Decodable {
    /// An invalid part of a request.
    struct Complaint: Decodable {
        let path: String
        let message: String
        let suggestion: String?
    }

    let title: String
    let detail: String?
    let errors: [Complaint]?

    /// The problem in a response; `nil` when it is not such a document.
    init?(_ response: APIResponse) {
        guard response.contentType == "application/problem+json",
            let problem = try? JSONDecoder().decode(Self.self, from: Data(response.body))
        else { return nil }
        self = problem
    }

    /// The detail, then a line for each complaint that it does not contain.
    var message: String {
        let detail = detail ?? title
        let said = detail.lowercased()
        let complaints = (errors ?? []).filter { !said.contains($0.message.lowercased()) }
        let lines = complaints.map { complaint in
            let suggestion = complaint.suggestion.map { "; did you mean '\($0)'?" } ?? ""
            let path = complaint.path.isEmpty ? "" : "\(complaint.path): "
            return "  " + TerminalText.plain("\(path)\(complaint.message)\(suggestion)")
        }
        // A mistake in a search has a caret on a line of its own.
        return ([TerminalText.plainLines(detail)] + lines).joined(separator: "\n")
    }
}

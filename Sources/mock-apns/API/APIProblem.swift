internal import FoundationEssentials

/// Why the API refuses a request: a problem document (RFC 9457).
struct APIProblem: Decodable {
    /// What is wrong with one part of a request.
    struct Complaint: Decodable {
        let path: String
        let message: String
        let suggestion: String?
    }

    let title: String
    let detail: String?
    let errors: [Complaint]?

    /// The problem in an answer; `nil` when it is no such document.
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
        return ([TerminalText.plain(detail)] + lines).joined(separator: "\n")
    }
}

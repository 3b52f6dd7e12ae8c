/// A request to the API, without anything of the library that received it.
struct APIRequest: Sendable {
    /// The method, in capitals.
    var method = "GET"
    /// The path, still percent-encoded.
    var path: String
    /// What follows the question mark, still percent-encoded.
    var query = ""
    /// Every `Host` header, without which a request is not HTTP/1.1.
    var hosts: [String] = []
    /// Every `Origin` header.
    var origins: [String] = []
    /// The `Sec-Fetch-Site` header: where the page that sends the request is from, as its browser says.
    var fetchSite: String?
    /// The `Sec-Fetch-Mode` header: what the browser does with the response.
    var fetchMode: String?
    /// Every `Authorization` header.
    var authorizations: [String] = []
    /// Every `Cookie` header.
    var cookies: [String] = []
    /// The method that a browser asks about before a page uses it.
    var askedMethod: String?
    /// The `Accept` header.
    var accept: String?
    /// The `Content-Type` header.
    var contentType: String?
    /// The `Last-Event-ID` header: how far a client of a stream has got that comes back.
    var lastEventID: String?
    /// The body; empty for a method that has none.
    var body: [UInt8] = []
    /// The address and port that the client connected to.
    var localAddress: String?
    var localPort: Int?

    /// Splits the target of a request into path and query.
    init(method: String = "GET", target: String) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.method = method
        path = String(parts.first ?? "")
        query = parts.count > 1 ? String(parts[1]) : ""
    }

    /// Whether a list is wanted as one JSON value per line.
    var wantsLines: Bool { wanted(among: [APIResponse.lines]) == APIResponse.lines }

    /// Whether a report is wanted as text alone.
    var wantsText: Bool { wanted(among: ["text/plain"]) == "text/plain" }

    /// Whether a person in front of a browser is to read the answer.
    var wantsPage: Bool {
        (method == "GET" || method == "HEAD") && wanted(among: ["text/html"]) == "text/html"
    }

    /// Whether the body says that it is plain text; one that says nothing is JSON.
    var isText: Bool {
        let type = (contentType ?? "").prefix { $0 != ";" }.filter { $0 != " " }
        return type.lowercased() == "text/plain"
    }

    /// The first media type asked for that the API speaks; a client that names none gets JSON.
    private func wanted(among types: [String]) -> String? {
        for part in (accept ?? "").split(separator: ",") {
            let type = part.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
            if types.contains(type) { return type }
            if [APIResponse.json, "application/*", "*/*"].contains(type) { return nil }
        }
        return nil
    }
}

/// A request to the API.
struct APIRequest: Sendable {
    /// The method, in capitals.
    var method = "GET"
    /// The path, still percent-encoded.
    var path: String
    /// What follows the question mark, still percent-encoded.
    var query = ""
    /// Every `Host` header.
    var hosts: [String] = []
    var origins: [String] = []
    /// The `Sec-Fetch-Site` header: where the page is from that sends the request.
    var fetchSite: String?
    /// The `Sec-Fetch-Mode` header: what the browser does with the response.
    var fetchMode: String?
    var authorizations: [String] = []
    var cookies: [String] = []
    /// The `Access-Control-Request-Method` header.
    var askedMethod: String?
    var accept: String?
    var contentType: String?
    /// The `Last-Event-ID` header of a client that reconnects.
    var lastEventID: String?
    var body: [UInt8] = []
    /// The address and port that the client connected to.
    var localAddress: String?
    var localPort: Int?

    init(method: String = "GET", target: String) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.method = method
        path = String(parts.first ?? "")
        query = parts.count > 1 ? String(parts[1]) : ""
    }

    /// The path, as a path on this server: browsers take two slashes at the start for another host.
    var localPath: String { "/" + path.drop { $0 == "/" || $0 == "\\" } }

    /// Whether a list is wanted as one JSON value per line.
    var wantsLines: Bool { wanted(among: [APIResponse.lines]) == APIResponse.lines }

    var wantsText: Bool { wanted(among: ["text/plain"]) == "text/plain" }

    /// Whether the answer is for a person with a browser.
    var wantsPage: Bool {
        (method == "GET" || method == "HEAD") && wanted(among: ["text/html"]) == "text/html"
    }

    /// Whether the body is plain text; without a type it is JSON.
    var isText: Bool {
        let type = (contentType ?? "").prefix { $0 != ";" }.filter { $0 != " " }
        return type.lowercased() == "text/plain"
    }

    /// The first acceptable media type that is among `types`; `nil` for JSON.
    private func wanted(among types: [String]) -> String? {
        for part in (accept ?? "").split(separator: ",") {
            let type = part.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
            if types.contains(type) { return type }
            if [APIResponse.json, "application/*", "*/*"].contains(type) { return nil }
        }
        return nil
    }
}

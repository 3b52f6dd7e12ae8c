internal import MockAPNsAPI
internal import NIOHTTP1

/// A request to the API.
struct APIRequest: Sendable {
    /// The method, in capitals.
    var method = "GET"
    /// The path, still percent-encoded.
    var path: String
    /// What follows the question mark, still percent-encoded.
    var query = ""
    var headers = HTTPHeaders()
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

    /// The values of a header.
    subscript(header: String) -> [String] { headers[header] }

    var hosts: [String] { self["Host"] }
    var origins: [String] { self["Origin"] }

    /// The headers that decide something and can have only one value; another one could mean something else to a proxy.
    private static let singleHeaders = [
        "Host", "Authorization", "Origin", "Content-Type", "Sec-Fetch-Site", "Sec-Fetch-Mode",
        "Access-Control-Request-Method", "Last-Event-ID", "Expect",
    ]

    /// Throws a `Problem` if a header is repeated that can have only one value, or if the body is encoded.
    func checkHeaders() throws(Problem) {
        if let name = Self.singleHeaders.first(where: { self[$0].count > 1 }) {
            let detail = "The request has \(self[name].count) \(name) headers; expected at most one."
            throw Problem(.repeatedHeader, detail)
        }
        let encodings = self["Content-Encoding"].filter { $0.lowercased() != "identity" && !$0.isEmpty }
        guard let encoding = encodings.first, method != "GET", method != "HEAD" else { return }
        throw .badBody("has Content-Encoding '\(encoding)'; expected none: decompress it first")
    }

    /// The path, as a path on this server: browsers take two slashes at the start for another host.
    var localPath: String { "/" + path.drop { $0 == "/" || $0 == "\\" } }

    /// Whether a list is wanted as one JSON value per line.
    var wantsLines: Bool { wants(APIResponse.lines) }

    var wantsText: Bool { wants("text/plain") }

    /// Whether the answer is for a person with a browser.
    var wantsPage: Bool { (method == "GET" || method == "HEAD") && wants("text/html") }

    /// Whether the client asks for bodies that are compressed with gzip.
    var acceptsGzip: Bool {
        self["Accept-Encoding"].flatMap { $0.split(separator: ",") }.contains { coding in
            let parts = coding.lowercased().split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            let isRefused = parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
            return parts.first == "gzip" && !isRefused
        }
    }

    /// Whether the body is plain text or a property list; without a type it is JSON.
    var isText: Bool {
        self["Content-Type"].last.map { ["text/plain", "application/x-plist"].contains(Self.mediaType($0[...])) }
            ?? false
    }

    /// Whether a media type is acceptable, and listed before JSON.
    private func wants(_ type: String) -> Bool {
        let known = [type, APIResponse.json, "application/*", "*/*"]
        let accepted = self["Accept"].flatMap { $0.split(separator: ",") }.map(Self.mediaType)
        return accepted.first(where: known.contains) == type
    }

    /// The type without its parameters.
    private static func mediaType(_ text: Substring) -> String {
        text.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    }
}

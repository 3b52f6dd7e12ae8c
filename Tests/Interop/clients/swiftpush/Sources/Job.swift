/// What the client is asked to send, as JSON on stdin.
struct Job: Decodable {
    struct Request: Decodable {
        let method: String
        let path: String
        let headers: [[String]]
        let body: String
    }

    /// The server's `https://host:port`.
    let base: String
    let requests: [Request]
    /// Whether all requests are sent at once, each on a stream of the same connection.
    let parallel: Bool
}

/// A response, or why there was none.
struct Answer: Encodable, Sendable {
    var status = 0
    var headers: [[String]] = []
    var body = ""
    var error: String?
}

/// What the client prints: one JSON line.
struct Answers: Encodable { let answers: [Answer] }

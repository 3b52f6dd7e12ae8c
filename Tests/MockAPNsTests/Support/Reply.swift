/// What came back on one stream.
struct Reply: Sendable {
    var status = 0
    /// The header fields in the order received, `:status` left out.
    var headers: [(name: String, value: String)] = []
    var body = ""

    /// The names of the header fields, in the order received.
    var names: [String] { headers.map(\.name) }

    /// The reason that the body gives.
    var reason: String? {
        let (start, end) = ("{\"reason\":\"", "\"")
        guard body.hasPrefix(start) else { return nil }
        return body.dropFirst(start.count).split(separator: end, omittingEmptySubsequences: false).first.map(
            String.init)
    }

    subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

    /// The `apns-id`.
    var id: String? { self["apns-id"] }
}

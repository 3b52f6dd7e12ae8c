/// Where the debug API of a server is.
struct APIAddress: Equatable {
    static let standard = "http://127.0.0.1:8197"
    static let expected = "a URL such as \(standard)"

    let host: String
    let port: Int

    /// Reads a URL such as `http://127.0.0.1:8197`; without the scheme it is the address of a listener.
    init(parsing text: String) throws {
        if text.lowercased().hasPrefix("https://") {
            throw Settings.Expected("a URL with http://: the debug API does not speak TLS")
        }
        let rest = text.lowercased().hasPrefix("http://") ? text.dropFirst(7) : text[...]
        let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        // The part that all paths share is what people copy along.
        let path = parts.count > 1 ? parts[1].split(separator: "/").joined(separator: "/") : ""
        guard path.isEmpty || path == "api/v1" else {
            throw Settings.Expected("\(Self.expected), without a path")
        }
        let authority = parts.first ?? ""
        guard let colon = authority.lastIndex(of: ":"),
            let port = Int(authority[authority.index(after: colon)...]), (1...65_535).contains(port)
        else { throw Settings.Expected(Self.expected) }
        var name = String(authority[..<colon])
        if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
        guard !name.contains(where: { "@?#[] ".contains($0) }) else { throw Settings.Expected(Self.expected) }
        // An address that means "everywhere" is no address to call.
        host = name == "0.0.0.0" || name.isEmpty ? "127.0.0.1" : name == "::" ? "::1" : name
        self.port = port
    }

    /// What stands in the header `Host`.
    var authority: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    var url: String { "http://\(authority)" }
}

struct APIAddress: Equatable {
    static let standard = "http://127.0.0.1:8197"
    static let expected = "a URL such as \(standard)"

    let host: String
    let port: Int

    /// Reads a URL such as `http://127.0.0.1:8197`; the scheme may be omitted.
    init(parsing text: String) throws {
        let isSecure = text.lowercased().hasPrefix("https://")
        try OptionReader.check(!isSecure, "a URL with http://; the debug API does not use TLS")
        let rest = text.lowercased().hasPrefix("http://") ? text.dropFirst(7) : text[...]
        let authority = rest.prefix { $0 != "/" }
        // The common prefix of all paths is often copied along.
        let path = rest.dropFirst(authority.count).split(separator: "/")
        try OptionReader.check(path.isEmpty || path == ["api", "v1"], "\(Self.expected), without a path")
        guard let colon = authority.lastIndex(of: ":"), let port = Int(authority[authority.index(after: colon)...]),
            (1...65_535).contains(port)
        else { throw OptionReader.Invalid(expected: Self.expected) }
        var name = String(authority[..<colon])
        if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
        try OptionReader.check(!name.contains { "@?#[] ".contains($0) }, Self.expected)
        host = Self.reachable(name)
        self.port = port
    }

    /// An address to connect to in place of one that means all interfaces.
    static func reachable(_ host: String) -> String {
        switch host {
        case "0.0.0.0", "": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }

    var authority: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    var url: String { "http://\(authority)" }

    /// The failure when the server ends a stream.
    func connectionEnded(_ reason: String) -> CommandFailure {
        CommandFailure(.unreachable, "\(url) has ended the connection (\(TerminalText.plain(reason)))")
    }
}

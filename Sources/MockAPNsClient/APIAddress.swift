/// The address of a debug API.
package struct APIAddress: Equatable, Sendable {
    /// A text that is not an address.
    package struct Invalid: Error, CustomStringConvertible {
        /// What is expected.
        package let description: String
    }

    package static let standard = "http://127.0.0.1:8197"
    private static let expected = "a URL such as \(standard)"

    package let host: String
    package let port: Int

    /// Reads a URL such as `http://127.0.0.1:8197`; the scheme may be omitted.
    package init(parsing text: String) throws(Invalid) {
        let isSecure = text.lowercased().hasPrefix("https://")
        try Self.check(!isSecure, "a URL with http://; the debug API does not use TLS")
        let rest = text.lowercased().hasPrefix("http://") ? text.dropFirst(7) : text[...]
        let authority = rest.prefix { $0 != "/" }
        // The common prefix of all paths is often copied along.
        let path = rest.dropFirst(authority.count).split(separator: "/")
        try Self.check(path.isEmpty || path == ["api", "v1"], "\(Self.expected), without a path")
        guard let colon = authority.lastIndex(of: ":"), let port = Int(authority[authority.index(after: colon)...]),
            (1...65_535).contains(port)
        else { throw Invalid(description: "expected \(Self.expected)") }
        var name = String(authority[..<colon])
        if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
        try Self.check(!name.contains { "@?#[] ".contains($0) }, Self.expected)
        host = Self.reachable(name)
        self.port = port
    }

    private static func check(_ isValid: Bool, _ expected: String) throws(Invalid) {
        if !isValid { throw Invalid(description: "expected \(expected)") }
    }

    /// An address to connect to in place of one that means all interfaces.
    package static func reachable(_ host: String) -> String {
        switch host {
        case "0.0.0.0", "": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }

    package var authority: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    package var url: String { "http://\(authority)" }
}

/// The address of a push service.
package struct UpstreamAddress: Hashable, Sendable, CustomStringConvertible {
    /// The names of Apple's services: `sandbox` and `production` (documented: *sending*).
    private static let services = ["sandbox": "api.sandbox.push.apple.com", "production": "api.push.apple.com"]
    private static let expected = "sandbox, production, or a URL such as https://127.0.0.1:2197"

    /// The host name, or an address without brackets.
    package let host: String
    /// The port, 1 to 65535.
    package let port: Int
    /// Whether the connection uses TLS; otherwise it is HTTP/2 in clear text, with prior knowledge.
    package let isSecure: Bool

    package init(host: String, port: Int, isSecure: Bool = true) {
        self.host = host
        self.port = port
        self.isSecure = isSecure
    }

    /// Reads `sandbox`, `production`, or a URL with the scheme `https` or `http`; the port is 443 or 80 by default.
    package init(parsing text: String) throws(UpstreamError) {
        if let host = Self.services[text] {
            self.init(host: host, port: 443)
            return
        }
        func invalid() -> UpstreamError {
            UpstreamError(.invalid, "invalid upstream '\(text)'", expected: Self.expected)
        }
        let lowered = text.lowercased()
        guard let scheme = ["https://", "http://"].first(where: lowered.hasPrefix) else { throw invalid() }
        var authority = lowered.dropFirst(scheme.count)
        if authority.last == "/" { authority.removeLast() }
        guard let place = HostAndPort(authority, standard: scheme == "https://" ? 443 : 80) else { throw invalid() }
        self.init(host: place.host, port: place.port, isSecure: scheme == "https://")
    }

    /// The host and the port, unless it is the scheme's own, as in `:authority`.
    package var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }

    /// The address as a URL.
    package var description: String { "\(isSecure ? "https" : "http")://\(authority)" }
}

/// A host and a port, as they are written in URLs.
struct HostAndPort: Equatable {
    let host: String
    let port: Int

    /// Reads `host`, `host:port`, `[address]` or `[address]:port`; `nil` for anything else.
    init?(_ text: some StringProtocol, standard: Int) {
        var host = Substring(text)
        var port = standard
        let end = host.lastIndex(of: "]")
        if let colon = host.lastIndex(of: ":"), end.map({ $0 < colon }) ?? true {
            let digits = host[host.index(after: colon)...]
            guard digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = UInt16(digits), number > 0 else {
                return nil
            }
            port = Int(number)
            host = host[..<colon]
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard host.contains(":"), host.utf8.allSatisfy({ $0 == 0x3a || $0 == 0x2e || Self.isHex($0) }) else {
                return nil
            }
        } else {
            guard host.utf8.allSatisfy(Self.isOfName) else { return nil }
        }
        // DNS limits names to 253 bytes (RFC 1035, section 2.3.4).
        guard !host.isEmpty, host.utf8.count <= 253 else { return nil }
        self.host = String(host)
        self.port = port
    }

    private static func isHex(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte || 0x61...0x66 ~= byte | 0x20 }

    private static func isOfName(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x61...0x7a ~= byte | 0x20 || byte == 0x2d || byte == 0x2e || byte == 0x5f
    }
}

public import MockAPNsRules

/// An address at which the server listens for pushes.
public struct ListenAddress: Equatable, Sendable, CustomStringConvertible {
    /// The host name or address.
    public var host: String
    /// The port; 0 for any free one.
    public var port: Int
    /// Whether the listener uses TLS; otherwise clear-text HTTP/2 with prior knowledge.
    public var isSecure: Bool
    /// The environment that the listener simulates.
    public var environment: Environment
    /// What the listener offers.
    public var interface: ProviderInterface

    /// Creates an address.
    public init(
        host: String, port: Int, isSecure: Bool = true, environment: Environment = .sandbox,
        interface: ProviderInterface = .http2
    ) {
        self.host = host
        self.port = port
        self.isSecure = isSecure
        self.environment = environment
        self.interface = interface
    }

    /// Parses `host:port`, with the prefix `h2c://` for clear text and the suffix `?environment=production`.
    ///
    /// An IPv6 address is in brackets: `[::1]:2197`. The binary interface always uses TLS and has no prefix.
    public init(parsing text: String, for interface: ProviderInterface = .http2) throws(InvalidSetting) {
        let forms = interface == .http2 ? ", [::1]:port or h2c://host:port" : " or [::1]:port"
        func problem(_ what: String) -> InvalidSetting {
            InvalidSetting(
                description: "\(what) in '\(text)'; expected host:port\(forms),"
                    + " optionally with ?environment=sandbox or ?environment=production")
        }
        self.interface = interface
        var rest = Substring(text)
        isSecure = true
        if let scheme = rest.firstRange(of: "://") {
            switch rest[..<scheme.lowerBound] {
            case "h2c" where interface == .http2, "http" where interface == .http2: isSecure = false
            case "https" where interface == .http2: break
            case let other: throw problem("unknown scheme '\(other)'")
            }
            rest = rest[scheme.upperBound...]
        }
        environment = .sandbox
        if let mark = rest.firstIndex(of: "?") {
            let query = rest[rest.index(after: mark)...].split(separator: "=", maxSplits: 1)
            guard query.count == 2, query[0] == "environment", let named = Environment(rawValue: String(query[1]))
            else { throw problem("unknown option '\(rest[mark...])'") }
            environment = named
            rest = rest[..<mark]
        }
        guard let colon = rest.lastIndex(of: ":") else { throw problem("no port") }
        let portText = rest[rest.index(after: colon)...]
        // Integers may have a sign, but ports may not.
        guard portText.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let port = UInt16(portText) else {
            throw problem("bad port '\(portText)'")
        }
        self.port = Int(port)
        var name = rest[..<colon]
        if name.hasPrefix("["), name.hasSuffix("]") {
            name = name.dropFirst().dropLast()
        } else if name.contains(":") {
            throw problem("an IPv6 address without brackets")
        }
        guard !name.isEmpty, !name.contains("/") else { throw problem("no host") }
        host = String(name)
    }

    /// The address in the format of the command line.
    public var description: String {
        let query = environment == .sandbox ? "" : "?environment=\(environment.rawValue)"
        return (isSecure ? "" : "h2c://") + hostAndPort + query
    }

    /// The host and the port as in a URL.
    public var hostAndPort: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}

/// An address at which a server listens.
public struct BoundListener: Sendable {
    /// The requested address, with the port that was bound.
    public let address: ListenAddress
    /// The URL for clients; for the binary interface, its protocol is `tls`.
    public var url: String {
        let scheme = address.interface != .http2 ? "tls" : address.isSecure ? "https" : "http"
        return "\(scheme)://\(address.hostAndPort)"
    }
}

internal import MockAPNsFormats

/// A proxy that tunnels connections (HTTP CONNECT).
package struct UpstreamProxy: Equatable, Sendable {
    /// The host name, or an address without brackets.
    package let host: String
    package let port: Int
    /// The value of `proxy-authorization`; `nil` without a user.
    let authorization: String?

    /// Reads `http://[user:password@]host[:port]`; user and password may be percent-encoded, the port is 80 by default.
    package init(parsing text: String) throws(UpstreamError) {
        // The text may have a password, so errors do not repeat it.
        let expected = "http://host:port or http://user:password@host:port"
        guard !text.lowercased().hasPrefix("https://") else {
            let fix = "use a proxy that is reached without TLS; the connection inside the tunnel has its own"
            throw UpstreamError(.invalid, "a proxy with https://", expected: expected, fix: fix)
        }
        var rest = text.lowercased().hasPrefix("http://") ? text.dropFirst(7) : text[...]
        var authorization: String?
        if let at = rest.lastIndex(of: "@") {
            let parts = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = parts.compactMap { PercentEncoding.decode($0) }
            guard decoded.count == parts.count, !decoded.joined().utf8.contains(where: { $0 < 0x20 }) else {
                throw UpstreamError(.invalid, "an invalid user or password of a proxy", expected: expected)
            }
            let text = "\(decoded[0]):\(decoded.count > 1 ? decoded[1] : "")"
            authorization = "Basic \(Base64.encode(Array(text.utf8)))"
            rest = rest[rest.index(after: at)...]
        }
        if rest.last == "/" { rest.removeLast() }
        guard let place = HostAndPort(rest, standard: 80) else {
            throw UpstreamError(.invalid, "an invalid address of a proxy", expected: expected)
        }
        (host, port, self.authorization) = (place.host, place.port, authorization)
    }

    /// Returns the proxy for an address: that of `HTTPS_PROXY` or `https_proxy`, unless `NO_PROXY` or `no_proxy` names
    /// the host.
    package static func from(
        _ environment: [String: String], for address: UpstreamAddress
    ) throws(UpstreamError) -> UpstreamProxy? {
        func value(_ name: String) -> String {
            [name, name.lowercased()].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        }
        let text = value("HTTPS_PROXY")
        guard address.isSecure, !text.isEmpty, !isExcluded(address, by: value("NO_PROXY")) else { return nil }
        return try UpstreamProxy(parsing: text)
    }

    /// Whether a list like `localhost,.example.com,10.0.0.1:2197` names a host; `*` names all.
    ///
    /// A name stands for its subdomains too.
    static func isExcluded(_ address: UpstreamAddress, by list: String) -> Bool {
        list.lowercased().split { $0 == "," || $0 == " " }.contains { entry in
            if entry == "*" || entry == address.host.lowercased() { return true }
            guard let place = HostAndPort(entry.drop { $0 == "." }, standard: address.port) else { return false }
            guard place.port == address.port else { return false }
            let host = address.host.lowercased()
            return host == place.host || host.hasSuffix(".\(place.host)")
        }
    }
}

internal import MockAPNsAPI
internal import NIOCore

/// The hosts that the API answers for.
///
/// A page on the web can make a browser send requests to any address, loopback included, by giving its own host
/// name that address (DNS rebinding). Such a request is recognized by the page's host name in it.
struct HostPolicy: Sendable {
    private let bound: HostName?
    private let allowed: Set<HostName>

    init(boundHost: String, allowed: Set<HostName>) {
        bound = HostName(host: boundHost)
        self.allowed = allowed
    }

    /// Checks the host and the origins of a request; `origins` are allowed whatever their host is.
    func check(_ request: APIRequest, origins: [String] = []) throws(Problem) {
        guard !request.hosts.isEmpty else { throw Problem(.hostNotAllowed, "The request has no Host header.") }
        for host in request.hosts {
            try check(HostName(authority: host), of: request, "Host is '\(host)'", .hostNotAllowed)
        }
        for origin in request.origins where !origins.contains(origin) {
            try check(HostName(origin: origin), of: request, "Origin is '\(origin)'", .originNotAllowed)
        }
    }

    private func check(_ name: HostName?, of request: APIRequest, _ seen: String, _ kind: Problem.Kind) throws(Problem)
    {
        if let name, admits(name, localAddress: request.localAddress) { return }
        let flag =
            switch name {
            case .name(let text), .address(let text): "; to allow it, start with --allowed-host \(text)"
            case nil: ""
            }
        throw Problem(
            kind,
            seen + "; expected localhost, a loopback address, the address that the API listens on,"
                + " or an --allowed-host\(flag).")
    }

    /// Checks which page sends a request whose host has been checked.
    ///
    /// Pages of other sites may not send requests, except by a link that the user follows. A request that changes
    /// something must come from this origin: another port of the same host is another program.
    func checkSender(of request: APIRequest, isWrite: Bool, origins: [String] = []) throws(Problem) {
        let strangers = request.origins.filter { !origins.contains($0) && !isOwn($0, of: request) }
        if isWrite, let origin = strangers.first {
            throw Problem(
                .originNotAllowed,
                "Origin is '\(origin)', and the request changes something; expected"
                    + " http://\(request.hosts.first ?? "") or an origin of --api-cors.")
        }
        guard let site = request["Sec-Fetch-Site"].last, request.origins.isEmpty || !strangers.isEmpty else { return }
        let isAllowed =
            isWrite
            ? site == "same-origin" || site == "none"
            : site != "cross-site" || request["Sec-Fetch-Mode"].last == "navigate"
        guard !isAllowed else { return }
        throw Problem(
            .originNotAllowed,
            "Sec-Fetch-Site is '\(site)': a page of another origin sends the request; to allow it, start"
                + " with --api-cors <origin>.")
    }

    private func isOwn(_ origin: String, of request: APIRequest) -> Bool {
        guard let host = request.hosts.first?.lowercased(), let name = HostName(authority: host) else { return false }
        // A proxy in front of the server may speak TLS for a host that was allowed by name.
        return origin == "http://" + host || (origin == "https://" + host && allowed.contains(name))
    }

    private func admits(_ host: HostName, localAddress: String?) -> Bool {
        if host.isLoopback || host == bound || allowed.contains(host) { return true }
        // Bound to every address, the server answers for the one that the client connected to. A name is not enough:
        // a page that uses DNS rebinding has one, too.
        guard let bound, bound.isWildcard, let localAddress else { return false }
        return host == HostName(host: localAddress)
    }
}

/// A host in a `Host` header or an `Origin`, without its port, in the form in which it is compared.
///
/// An address is parsed as an address, never compared by its beginning: `127.0.0.1.example.com` is a name.
enum HostName: Hashable, Sendable {
    case name(String)
    case address(String)

    /// Reads `host`, `host:port`, `[::1]` or `[::1]:port`.
    init?(authority: some StringProtocol) {
        var host = Substring(authority)
        var port = Substring()
        if host.hasPrefix("[") {
            guard let end = host.firstIndex(of: "]") else { return nil }
            port = host[host.index(after: end)...]
            host = host[host.index(after: host.startIndex)..<end]
            guard host.contains(":") else { return nil }
        } else if let colon = host.firstIndex(of: ":") {
            port = host[colon...]
            host = host[..<colon]
        }
        if !port.isEmpty {
            guard port.first == ":", UInt16(port.dropFirst()) != nil,
                port.dropFirst().utf8.allSatisfy({ $0 &- 0x30 < 10 })
            else { return nil }
        }
        self.init(host: host)
    }

    /// Reads a host without a port; an IPv6 address has no brackets.
    init?(host: some StringProtocol) {
        if let address = try? SocketAddress(ipAddress: String(host), port: 0), let text = address.ipAddress {
            // A socket that listens for both families shows an IPv4 address as an IPv6 address.
            let mapped = "::ffff:"
            let isMapped = text.hasPrefix(mapped) && text.contains(".")
            self = .address(isMapped ? String(text.dropFirst(mapped.count)) : text)
            return
        }
        let isName = host.utf8.allSatisfy { byte in
            byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || "-._".utf8.contains(byte)
        }
        guard isName, !host.isEmpty else { return nil }
        self = .name(host.lowercased())
    }

    /// Reads the host of an origin, such as `http://localhost:3000`.
    init?(origin: String) {
        guard let scheme = ["http://", "https://"].first(where: { origin.hasPrefix($0) }) else { return nil }
        self.init(authority: origin.dropFirst(scheme.count))
    }

    var isLoopback: Bool {
        switch self {
        case .name(let name): name == "localhost"
        case .address(let text): text == "::1" || text.split(separator: ".").first == "127"
        }
    }

    /// Whether the address means every address of the machine.
    var isWildcard: Bool { self == .address("0.0.0.0") || self == .address("::") }
}

/// Which hosts the API answers for.
///
/// A page on the web can make a browser send requests to any address, loopback included, by giving its own host
/// name that address (DNS rebinding). Such a request names the page's host; that is how it is told apart.
struct HostPolicy: Sendable {
    private let bound: HostName?
    private let allowed: Set<HostName>

    /// - Parameters:
    ///   - boundHost: the host that the API listens on.
    ///   - allowed: further hosts, compared as a whole.
    init(boundHost: String, allowed: Set<HostName>) {
        bound = HostName(host: boundHost)
        self.allowed = allowed
    }

    /// Looks at a request.
    ///
    /// - Parameters:
    ///   - request: what was asked.
    ///   - isAdmitted: whether an origin is allowed whatever its host is.
    /// - Throws: `Problem` when it is for, or from, another host.
    func check(
        _ request: APIRequest,
        origins isAdmitted: (String) -> Bool = { _ in false }
    ) throws(Problem) {
        guard !request.hosts.isEmpty else {
            throw Problem(kind: .hostNotAllowed, detail: "The request has no Host header.")
        }
        for host in request.hosts {
            let name = HostName(authority: host)
            guard let name, admits(name, localAddress: request.localAddress) else {
                throw Problem(kind: .hostNotAllowed, detail: refusal("Host", host, name))
            }
        }
        for origin in request.origins where !isAdmitted(origin) {
            let name = Self.host(ofOrigin: origin)
            guard let name, admits(name, localAddress: request.localAddress) else {
                throw Problem(kind: .originNotAllowed, detail: refusal("Origin", origin, name))
            }
        }
    }

    /// Looks at which page sends a request; for one whose hosts have been checked.
    ///
    /// A page of another site must not make a browser ask at all, except by a link that the user follows. A request that
    /// changes something must come from this very origin: another port of the same host is another program.
    ///
    /// - Parameters:
    ///   - request: what was asked.
    ///   - isWrite: whether the request changes something.
    ///   - isAdmitted: whether an origin is allowed whatever its host is.
    /// - Throws: `Problem` when the page may not send it.
    func checkSender(
        of request: APIRequest,
        isWrite: Bool,
        origins isAdmitted: (String) -> Bool = { _ in false }
    ) throws(Problem) {
        let strangers = request.origins.filter { !isAdmitted($0) && !isOwn($0, of: request) }
        if isWrite, let origin = strangers.first {
            throw Problem(
                kind: .originNotAllowed,
                detail: "Origin is '\(origin)', and the request changes something; expected"
                    + " http://\(request.hosts.first ?? "") or an origin of --api-cors."
            )
        }
        guard let site = request.fetchSite, request.origins.isEmpty || !strangers.isEmpty else { return }
        let isAllowed =
            isWrite
            ? site == "same-origin" || site == "none"
            : site != "cross-site" || request.fetchMode == "navigate"
        guard !isAllowed else { return }
        throw Problem(
            kind: .originNotAllowed,
            detail:
                "Sec-Fetch-Site is '\(site)': a page of another origin sends the request; to allow it, start"
                + " with --api-cors <origin>."
        )
    }

    /// Whether an origin is the one that the request was sent to.
    private func isOwn(_ origin: String, of request: APIRequest) -> Bool {
        guard let host = request.hosts.first?.lowercased(), let name = HostName(authority: host) else {
            return false
        }
        // A proxy in front of the server may speak TLS for a host that was allowed by name.
        return origin == "http://" + host || (origin == "https://" + host && allowed.contains(name))
    }

    private func admits(_ host: HostName, localAddress: String?) -> Bool {
        if host.isLoopback || host == bound || allowed.contains(host) { return true }
        // Bound to every address, the server answers for the one that the client found it at. A name is still
        // not enough: that is what a rebinding page would come with.
        guard let bound, bound.isWildcard, let localAddress else { return false }
        return host == HostName(host: localAddress)
    }

    private static func host(ofOrigin origin: String) -> HostName? {
        for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
            return HostName(authority: origin.dropFirst(scheme.count))
        }
        return nil
    }

    private func refusal(_ header: String, _ value: String, _ name: HostName?) -> String {
        let flag =
            switch name {
            case .name(let text), .address(let text): "; to allow it, start with --allowed-host \(text)"
            case nil: ""
            }
        return "\(header) is '\(value)'; answered are localhost, loopback addresses, the address bound"
            + " and every --allowed-host\(flag)."
    }
}

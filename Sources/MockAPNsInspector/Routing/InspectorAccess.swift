internal import MockAPNsAPI
internal import MockAPNsFormats

/// Who may use the API, besides the hosts it answers for.
package struct InspectorAccess: Sendable {
    /// The token that requests need, as `Authorization: Bearer` or in the cookie of a `?token=` link; `nil` for none.
    package var token: String?
    /// The origins whose pages may read answers, each as browsers write it: `http://localhost:3000`.
    package var origins: [String]
    /// Called for `POST /api/v1/shutdown`, on any thread; `nil` refuses it.
    package var onShutdown: (@Sendable () -> Void)?

    /// By default, requests need no token, pages of other origins read nothing, and there is no shutdown.
    package init(token: String? = nil, origins: [String] = [], onShutdown: (@Sendable () -> Void)? = nil) {
        (self.token, self.origins, self.onShutdown) = (token, origins, onShutdown)
    }

    /// The syntax of a token.
    package static let expectedToken = "1 to 1024 letters, digits or -._~+/, with = only at the end"
    /// The syntax of an origin.
    package static let expectedOrigin =
        "a scheme and a host, as http://localhost:3000: in lower case, without a path or a wildcard"

    /// Whether a text can be sent as a token, in a header and in a cookie (RFC 6750, section 2.1).
    package static func isToken(_ text: String) -> Bool {
        let body = text.utf8.prefix { $0 != UInt8(ascii: "=") }
        return (1...1_024).contains(text.utf8.count) && !body.isEmpty
            && text.utf8.dropFirst(body.count).allSatisfy { $0 == UInt8(ascii: "=") }
            && body.allSatisfy { byte in byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || "-._~+/".utf8.contains(byte)
            }
    }

    /// Whether a text is an origin as browsers write it.
    package static func isOrigin(_ text: String) -> Bool { HostName(origin: text) != nil && text == text.lowercased() }
}

// MARK: The token

extension InspectorAccess {
    /// The parameter of a link that brings the token once.
    static let parameter = "token"

    private static let scheme = "bearer "

    /// Checks that a request has the token.
    func check(_ request: APIRequest) throws(Problem) {
        guard let token else { return }
        let name = Self.cookieName(request)
        let bearers = request["Authorization"].compactMap(Self.bearer)
        // A header decides alone; a browser has only the cookie.
        let shown = bearers.isEmpty ? Self.cookies(of: request, named: name) : bearers
        // All are compared, so that the time taken does not tell which of them is wrong.
        if !shown.isEmpty, shown.count(where: { Self.isEqual($0, token) }) == shown.count { return }
        throw Problem(
            .notAuthorized,
            (shown.isEmpty ? "The request has no token" : "The token is wrong")
                + "; expected Authorization: Bearer <token>, with the value of --api-token"
                + " (MOCK_APNS_API_TOKEN), or a browser that has once opened a link with ?token=<token>.")
    }

    /// The answer to a link with the token: a cookie, and a redirect to the same address without the token.
    ///
    /// `nil` for any other request, also if the page itself has a parameter of this name among its `parameters`.
    func signIn(_ request: APIRequest, parameters: [String]) throws(Problem) -> APIResponse? {
        guard let token, request.method == "GET", !parameters.contains(Self.parameter) else { return nil }
        let pairs = request.query.split(separator: "&")
        func isToken(_ pair: Substring) -> Bool { pair.prefix { $0 != "=" } == Self.parameter }
        let given = pairs.filter(isToken).map { $0.dropFirst(Self.parameter.count + 1) }
        guard !given.isEmpty else { return nil }
        // In a link, + is a plus: no token has a space.
        guard given.count(where: { Self.isEqual(PercentEncoding.decode($0) ?? "", token) }) == given.count else {
            throw Problem(.notAuthorized, "The token of the link is not the one of --api-token.")
        }
        let rest = pairs.filter { !isToken($0) }.joined(separator: "&")
        let headers = [
            ("Location", request.localPath + (rest.isEmpty ? "" : "?" + rest)),
            ("Set-Cookie", "\(Self.cookieName(request))=\(token); Path=/; HttpOnly; SameSite=Strict"),
            ("Referrer-Policy", "no-referrer"),
        ]
        return APIResponse(status: 303, contentType: "text/plain", headers: headers, body: .bytes([]))
    }

    /// Browsers send cookies to every port of a host, and several servers may run on one.
    private static func cookieName(_ request: APIRequest) -> String {
        "mock-apns-token" + (request.localPort.map { "-\($0)" } ?? "")
    }

    private static func cookies(of request: APIRequest, named name: String) -> [String] {
        request["Cookie"].flatMap { $0.split(separator: ";") }.compactMap { pair in
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            return parts.count == 2 && parts[0] == name ? String(parts[1]) : nil
        }
    }

    private static func bearer(_ value: String) -> String? {
        guard value.lowercased().hasPrefix(scheme) else { return nil }
        return String(value.dropFirst(scheme.count).drop { $0 == " " })
    }

    /// Compares in a time that does not depend on where two texts differ.
    static func isEqual(_ given: String, _ secret: String) -> Bool {
        let (given, secret) = (Array(given.utf8), Array(secret.utf8))
        var difference = given.count ^ secret.count
        for position in secret.indices {
            let byte = given.isEmpty ? 0 : given[position % given.count]
            difference |= Int(byte ^ secret[position])
        }
        return difference == 0
    }
}

// MARK: Pages of other origins

extension InspectorAccess {
    /// Whether a browser asks what a page may do, before it does it.
    func isPreflight(_ request: APIRequest) -> Bool {
        request.method == "OPTIONS" && !request.origins.isEmpty && !request["Access-Control-Request-Method"].isEmpty
    }

    func preflight(_ request: APIRequest, methods: [String]) throws(Problem) -> APIResponse {
        guard allowedOrigin(of: request) != nil else {
            throw Problem(
                .originNotAllowed,
                "Pages of \(request.origins.joined(separator: ", ")) may not use the API; to allow it,"
                    + " start with --api-cors \(request.origins.first ?? "").")
        }
        let headers = [
            ("Access-Control-Allow-Methods", methods.joined(separator: ", ")),
            ("Access-Control-Allow-Headers", "accept, authorization, content-type, last-event-id"),
            ("Access-Control-Max-Age", "600"),
        ]
        return APIResponse(status: 204, headers: headers, body: .bytes([]))
    }

    /// The headers that tell browsers which pages may read an answer.
    func headers(for request: APIRequest) -> [(name: String, value: String)] {
        guard !origins.isEmpty else { return [] }
        let vary = [(name: "Vary", value: "Origin")]
        guard let origin = allowedOrigin(of: request) else { return vary }
        return vary + [
            ("Access-Control-Allow-Origin", origin),
            (
                "Access-Control-Expose-Headers",
                "Allow, Location, X-Mock-APNs-Seq, X-Mock-APNs-Matched, X-Mock-APNs-Next-After,"
                    + " X-Mock-APNs-Evicted-In-Window, X-Mock-APNs-Forgotten"
            ),
        ]
    }

    private func allowedOrigin(of request: APIRequest) -> String? {
        request.origins.count == 1 ? origins.first(where: request.origins.contains) : nil
    }
}

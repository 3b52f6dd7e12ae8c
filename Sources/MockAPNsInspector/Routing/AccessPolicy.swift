internal import MockAPNsFormats

/// Who may ask for what: a token that requests have to show, and pages of other origins that may read answers.
struct AccessPolicy: Sendable {
    /// The parameter of a link that brings the token, once.
    static let parameter = "token"

    private static let scheme = "bearer "
    /// How long a browser may remember what it was told before a request, in seconds.
    private static let memory = "600"
    /// The headers that pages may send.
    private static let requestHeaders = "accept, authorization, content-type, last-event-id"
    /// The headers of answers that pages may read, besides those that all may.
    private static let answerHeaders =
        "Allow, Location, X-Mock-APNs-Seq, X-Mock-APNs-Matched, X-Mock-APNs-Next-After,"
        + " X-Mock-APNs-Evicted-In-Window, X-Mock-APNs-Forgotten"

    private let token: [UInt8]?
    private let origins: Set<String>

    /// Lets everybody ask, and no page of another origin read.
    init() { (token, origins) = (nil, []) }

    init(_ access: InspectorAccess) {
        token = access.token.map { Array($0.utf8) }
        origins = Set(access.origins)
    }

    // MARK: The token

    /// Looks for the token.
    ///
    /// - Throws: `Problem` for a request that does not show it.
    func check(_ request: APIRequest) throws(Problem) {
        guard let token else { return }
        let name = Self.cookieName(request)
        let shown = request.authorizations.compactMap(Self.bearer) + request.cookies(named: name)
        // Every one is compared, so that the time taken does not tell which of them is right.
        let matches = shown.count { Self.isEqual(Array($0.utf8), token) }
        if matches > 0 { return }
        throw Problem(
            kind: .notAuthorized,
            detail: (shown.isEmpty ? "The request shows no token" : "The token is another one")
                + "; expected is Authorization: Bearer <token>, with the value of --api-token"
                + " (MOCK_APNS_API_TOKEN), or a browser that has once opened a link with ?token=<token>."
        )
    }

    /// The answer to a link that brings the token: a cookie, and the way to the same page without it in the address.
    ///
    /// - Parameters:
    ///   - request: what was asked for.
    ///   - parameters: those that the page knows; one of the same name is not ours.
    /// - Returns: `nil` for a request that is no such link.
    /// - Throws: `Problem` for a wrong token.
    func signIn(_ request: APIRequest, parameters: [String]) throws(Problem) -> APIResponse? {
        guard let token, request.method == "GET", !parameters.contains(Self.parameter) else { return nil }
        let pairs = request.query.split(separator: "&")
        func isToken(_ pair: Substring) -> Bool { pair.prefix { $0 != "=" } == Self.parameter }
        let given = pairs.filter(isToken).map { $0.dropFirst(Self.parameter.count + 1) }
        guard !given.isEmpty else { return nil }
        let isRight = given.count { text in
            // In a link, + stands for itself: no token has a space.
            Self.isEqual(Array((PercentEncoding.decode(text) ?? "").utf8), token)
        }
        guard isRight == given.count else {
            throw Problem(
                kind: .notAuthorized,
                detail: "The token of the link is not the one of --api-token."
            )
        }
        let rest = pairs.filter { !isToken($0) }.joined(separator: "&")
        // One slash at the start: two, or what browsers take for them, would name another host.
        let path = "/" + request.path.drop { $0 == "/" || $0 == "\\" }
        var response = APIResponse(status: 303, contentType: "text/plain", body: .bytes([]))
        response.headers = [
            ("Location", path + (rest.isEmpty ? "" : "?" + rest)),
            (
                "Set-Cookie",
                "\(Self.cookieName(request))=\(String(decoding: token, as: UTF8.self));"
                    + " Path=/; HttpOnly; SameSite=Strict"
            ),
            ("Referrer-Policy", "no-referrer"),
        ]
        return response
    }

    /// Browsers send cookies to every port of a host, and several servers may run on one.
    private static func cookieName(_ request: APIRequest) -> String {
        "mock-apns-token" + (request.localPort.map { "-\($0)" } ?? "")
    }

    private static func bearer(_ value: String) -> String? {
        guard value.lowercased().hasPrefix(scheme) else { return nil }
        return String(value.dropFirst(scheme.count).drop { $0 == " " })
    }

    /// Compares in a time that does not depend on where two texts differ.
    static func isEqual(_ given: [UInt8], _ secret: [UInt8]) -> Bool {
        var difference = given.count ^ secret.count
        for position in secret.indices {
            let byte = given.isEmpty ? 0 : given[position % given.count]
            difference |= Int(byte ^ secret[position])
        }
        return difference == 0
    }

    // MARK: Pages of other origins

    /// Whether pages of this origin may read answers.
    func admits(origin: String) -> Bool { origins.contains(origin) }

    /// Whether a browser asks what a page may do, before it does it.
    func isPreflight(_ request: APIRequest) -> Bool {
        request.method == "OPTIONS" && !request.origins.isEmpty && request.askedMethod != nil
    }

    /// The answer to such a question.
    ///
    /// - Throws: `Problem` for an origin that nobody named.
    func preflight(_ request: APIRequest, methods: [String]) throws(Problem) -> APIResponse {
        guard let origin = request.origins.first, request.origins.count == 1, admits(origin: origin) else {
            throw Problem(
                kind: .originNotAllowed,
                detail:
                    "Pages of \(request.origins.joined(separator: ", ")) may not use the API; to allow it,"
                    + " start with --api-cors \(request.origins.first ?? "")."
            )
        }
        var response = APIResponse.done
        response.headers = [
            ("Access-Control-Allow-Methods", methods.joined(separator: ", ")),
            ("Access-Control-Allow-Headers", Self.requestHeaders),
            ("Access-Control-Max-Age", Self.memory),
        ]
        return response
    }

    /// What every answer tells browsers of who may read it.
    func headers(for request: APIRequest) -> [(name: String, value: String)] {
        guard !origins.isEmpty else { return [] }
        let vary = [(name: "Vary", value: "Origin")]
        guard let origin = request.origins.first, request.origins.count == 1, admits(origin: origin) else {
            return vary
        }
        return vary + [
            ("Access-Control-Allow-Origin", origin), ("Access-Control-Expose-Headers", Self.answerHeaders),
        ]
    }
}

extension APIRequest {
    /// The values of a cookie.
    fileprivate func cookies(named name: String) -> [String] {
        cookies.flatMap { $0.split(separator: ";") }.compactMap { pair in
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            return parts.count == 2 && parts[0] == name ? String(parts[1]) : nil
        }
    }
}

import MockAPNs
import Synchronization
import TestSupport
import Testing

@testable import MockAPNsInspector

/// Who may ask the API.
struct InspectorAccessTests {
    private static let token = "s3cret-Token.~+/=="

    private func withAccess(_ access: Inspector.Access, _ use: (DebugAPI) async throws -> Void) async throws {
        try await withFixture { fixture in
            let api = DebugAPI(
                subject: InspectedServer(
                    server: fixture.server, facts: Inspector.Facts(version: "1.2.3"), readiness: fixture.readiness,
                    apiHost: "127.0.0.1", onShutdown: access.onShutdown),
                hosts: HostPolicy(boundHost: "127.0.0.1", allowed: []), access: access)
            try await use(api)
        }
    }

    private func request(_ target: String) -> APIRequest { request("GET", target) }

    private func request(_ method: String, _ target: String) -> APIRequest {
        var request = APIRequest(method: method, target: target)
        request.set("Host", "localhost:8197")
        request.localPort = 8_197
        return request
    }

    static let headers: [(authorizations: [String], cookies: [String], isLet: Bool)] = [
        ([], [], false), (["Bearer \(token)"], [], true), (["bearer  \(token)"], [], true),
        (["Bearer \(token)x"], [], false), (["Bearer \(token.dropLast())"], [], false), (["Bearer "], [], false),
        ([token], [], false), (["Basic \(token)"], [], false), (["Bearer \(token.lowercased())"], [], false),
        (["Basic \(token)"], ["mock-apns-token-8197=\(token)"], true),
        // The header decides alone, and all cookies have to be right.
        (["Bearer wrong"], ["mock-apns-token-8197=\(token)"], false),
        (["Bearer \(token)"], ["mock-apns-token-8197=wrong"], true),
        ([], ["mock-apns-token-8197=wrong; mock-apns-token-8197=\(token)"], false),
        ([], ["mock-apns-token-8197=\(token)", "mock-apns-token-8197=wrong"], false),
        ([], ["mock-apns-token-8197=\(token)"], true), ([], ["a=b; mock-apns-token-8197=\(token); c=d"], true),
        ([], ["a=b", "mock-apns-token-8197=\(token)"], true), ([], ["mock-apns-token-8198=\(token)"], false),
        ([], ["mock-apns-token=\(token)"], false), ([], ["xmock-apns-token-8197=\(token)"], false),
        ([], ["mock-apns-token-8197=wrong"], false), ([], ["mock-apns-token-8197"], false),
    ]

    @Test(arguments: headers) func `only requests with the token are accepted`(
        authorizations: [String], cookies: [String], isLet: Bool
    ) async throws {
        try await withAccess(Inspector.Access(token: Self.token)) { api in
            for target in ["/api/v1/info", "/api/v1/pushes?token=\(Self.token)", "/nowhere"] {
                var asked = request(target)
                asked.set("Authorization", authorizations)
                asked.set("Cookie", cookies)
                let answer = await api.answer(asked)
                #expect((answer.status != 401) == isLet, "\(target)")
                #expect((answer[header: "WWW-Authenticate"] == "Bearer realm=\"mock-apns\"") == !isLet)
                let text = String(decoding: answer.bytes, as: UTF8.self)
                if !isLet { #expect(!text.contains(Self.token)) }
            }
        }
    }

    /// Headers that decide something, and values that are good by themselves.
    static let decisive = [
        ("Host", "127.0.0.1:8197"), ("Authorization", "Bearer \(token)"), ("Origin", "http://127.0.0.1:8197"),
        ("Content-Type", "application/json"), ("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Mode", "cors"),
        ("Access-Control-Request-Method", "POST"), ("Last-Event-ID", "1"), ("Expect", "100-continue"),
    ]

    @Test(arguments: decisive) func `a repeated Host, Origin or Authorization header is refused`(
        name: String, good: String
    ) async throws {
        try await withAccess(Inspector.Access(token: Self.token)) { api in
            for (values, status) in [([good], 200), ([good, good], 400), (["x", good], 400), ([good, "x"], 400)] {
                var asked = request("/api/v1/info")
                asked.set("Authorization", "Bearer \(Self.token)")
                asked.set(name, values)
                let answer = await api.answer(asked)
                #expect(answer.status == status, "\(values)")
                guard status == 400 else { continue }
                #expect(answer.text("type") == "urn:mock-apns:problem:repeated-header")
                #expect(answer.text("detail") == "The request has 2 \(name) headers; expected at most one.")
            }
        }
    }

    @Test func `probes need no token`() async throws {
        try await withAccess(Inspector.Access(token: Self.token)) { api in
            #expect(await api.answer(request("/livez")).status == 200)
            #expect(await api.answer(request("/readyz")).status == 503)
            var post = request("POST", "/api/v1/reset")
            #expect(await api.answer(post).status == 401)
            post.set("Authorization", "Bearer \(Self.token)")
            #expect(await api.answer(post).status == 200)
        }
    }

    static let links: [(target: String, location: String?)] = [
        ("/?token=s3cret-Token.~%2B%2F%3D%3D", "/"), ("/?token=s3cret-Token.~+/==", "/"),
        ("/api/v1/info?token=s3cret-Token.~+/==", "/api/v1/info"),
        ("/p/x?q=a%20b&token=s3cret-Token.~+/==&ns=t", "/p/x?q=a%20b&ns=t"),
        ("//evil.example/?token=s3cret-Token.~+/==", "/evil.example/"),
        ("/\\evil.example/?token=s3cret-Token.~+/==", "/evil.example/"), ("/?token=wrong", nil), ("/?token=", nil),
        ("/?token", nil), ("/?token=s3cret-Token.~+/==&token=wrong", nil),
        // There the parameter is a device token.
        ("/api/v1/pushes?token=s3cret-Token.~+/==", nil),
    ]

    @Test(arguments: links) func `a link brings the token once, and the address does not keep it`(
        target: String, location: String?
    ) async throws {
        try await withAccess(Inspector.Access(token: Self.token)) { api in
            let answer = await api.answer(request(target))
            #expect(answer.status == (location == nil ? 401 : 303))
            #expect(answer[header: "Location"] == location)
            let cookie = "mock-apns-token-8197=\(Self.token); Path=/; HttpOnly; SameSite=Strict"
            #expect(answer[header: "Set-Cookie"] == (location == nil ? nil : cookie))
            #expect(await api.answer(request("POST", target)).status == 401)
        }
    }

    @Test func `without a token every request is accepted, and no cookie is set`() async throws {
        try await withAccess(Inspector.Access()) { api in
            #expect(await api.answer(request("/api/v1/seq")).status == 200)
            #expect(await api.answer(request("/api/v1/seq?token=x")).status == 400)
        }
    }

    static let comparisons: [(String, String, Bool)] = [
        ("abc", "abc", true), ("abd", "abc", false), ("ab", "abc", false), ("abcd", "abc", false), ("", "abc", false),
        ("abcabc", "abc", false), ("a", "aaa", false), ("aaa", "a", false),
    ]

    @Test(arguments: comparisons) func `tokens are compared as a whole`(given: String, secret: String, isEqual: Bool) {
        #expect(InspectorAccess.isEqual(given, secret) == isEqual)
    }

    // MARK: Pages of other origins

    @Test func `only pages of named origins may read responses`() async throws {
        let access = Inspector.Access(token: Self.token, origins: ["https://ui.example:8443"])
        try await withAccess(access) { api in
            func asked(_ origin: String?, _ method: String = "GET") -> APIRequest {
                var asked = request(method, "/api/v1/devices")
                asked.set("Authorization", method == "OPTIONS" ? [] : ["Bearer \(Self.token)"])
                asked.set("Origin", origin)
                return asked
            }
            let answer = await api.answer(asked("https://ui.example:8443"))
            #expect(answer.status == 200 && answer[header: "Vary"] == "Origin")
            #expect(answer[header: "Access-Control-Allow-Origin"] == "https://ui.example:8443")
            #expect(answer[header: "Access-Control-Expose-Headers"]?.contains("X-Mock-APNs-Seq") == true)
            for other in ["https://ui.example", "http://ui.example:8443", "https://ui.example:8443.evil.example"] {
                let refused = await api.answer(asked(other))
                #expect(refused.status == 403 && refused[header: "Access-Control-Allow-Origin"] == nil)
            }
            // A page of this machine may ask, as ever, but not read.
            let local = await api.answer(asked("http://localhost:3000"))
            #expect(local.status == 200 && local[header: "Access-Control-Allow-Origin"] == nil)
            #expect(local[header: "Vary"] == "Origin")
            #expect(await api.answer(asked(nil))[header: "Access-Control-Allow-Origin"] == nil)
            // No browser sends two; nobody reads on the word of the first.
            for second in ["http://localhost:3000", "https://ui.example:8443"] {
                var two = asked("https://ui.example:8443")
                two.set("Origin", two.origins + [second])
                #expect(await api.answer(two)[header: "Access-Control-Allow-Origin"] == nil)
            }
            var stranger = asked("https://ui.example:8443")
            stranger.set("Origin", stranger.origins + ["https://evil.example"])
            #expect(await api.answer(stranger).status == 400)

            // Problems can be read, too.
            var wrong = asked("https://ui.example:8443")
            wrong.set("Authorization", [])
            let problem = await api.answer(wrong)
            #expect(problem.status == 401)
            #expect(problem[header: "Access-Control-Allow-Origin"] == "https://ui.example:8443")

            var preflight = asked("https://ui.example:8443", "OPTIONS")
            #expect(await api.answer(preflight).status == 401)
            preflight.set("Access-Control-Request-Method", "POST")
            let allowed = await api.answer(preflight)
            #expect(allowed.status == 204)
            #expect(allowed[header: "Access-Control-Allow-Methods"] == "GET, HEAD, POST, PUT")
            #expect(allowed[header: "Access-Control-Allow-Headers"]?.contains("authorization") == true)
            #expect(allowed[header: "Access-Control-Allow-Origin"] == "https://ui.example:8443")
            preflight.set("Origin", "http://localhost:3000")
            let refused = await api.answer(preflight)
            #expect(
                refused.status == 403 && refused.text("detail")?.contains("--api-cors http://localhost:3000") == true)
        }
    }

    @Test func `without origins no response has CORS headers`() async throws {
        try await withAccess(Inspector.Access()) { api in
            var asked = request("/api/v1/seq")
            asked.set("Origin", "http://localhost:3000")
            let answer = await api.answer(asked)
            #expect(answer.status == 200 && answer[header: "Vary"] == nil)
            #expect(answer[header: "Access-Control-Allow-Origin"] == nil)
        }
    }

    static let origins: [(String, Bool)] = [
        ("http://localhost:3000", true), ("https://ui.example", true), ("http://[::1]:80", true), ("*", false),
        ("null", false), ("ui.example", false), ("http://ui.example/", false), ("http://UI.example", false),
        ("http://*.example", false), ("ftp://ui.example", false), ("", false),
    ]

    @Test(arguments: origins) func `an origin is one as browsers write it`(text: String, isOrigin: Bool) {
        #expect(Inspector.Access.isOrigin(text) == isOrigin)
    }

    static let tokens: [(String, Bool)] = [
        ("a", true), ("abc-._~+/09AZ", true), ("abc==", true), ("", false), ("=", false), ("a=b", false),
        ("a b", false), ("a;b", false), ("ä", false), ("a\r\nb", false), (String(repeating: "a", count: 1_024), true),
        (String(repeating: "a", count: 1_025), false),
    ]

    @Test(arguments: tokens) func `a token has only characters that a header and a cookie can have`(
        text: String, isToken: Bool
    ) { #expect(Inspector.Access.isToken(text) == isToken) }

    // MARK: The end

    @Test func `the server is shut down only where that was allowed`() async throws {
        try await withAccess(Inspector.Access()) { api in
            let answer = await api.answer(request("POST", "/api/v1/shutdown"))
            #expect(answer.status == 403 && answer.text("detail")?.contains("--allow-shutdown") == true)
        }
        let asked = Atomic<Int>(0)
        let access = Inspector.Access(onShutdown: { asked.wrappingAdd(1, ordering: .relaxed) })
        try await withAccess(access) { api in
            var wrong = request("POST", "/api/v1/shutdown")
            wrong.body = Array(#"{"now":true}"#.utf8)
            #expect(await api.answer(wrong).status == 400)
            #expect(await api.answer(request("/api/v1/shutdown")).status == 405)
            #expect(asked.load(ordering: .relaxed) == 0)
            let answer = await api.answer(request("POST", "/api/v1/shutdown"))
            #expect(answer.status == 202 && answer.text("stopping") == "true")
            #expect(asked.load(ordering: .relaxed) == 1)
        }
    }

    @Test func `an invalid token or origin is refused at the start`() async throws {
        try await withFixture { fixture in
            func make(_ access: Inspector.Access) throws -> Inspector {
                try Inspector(
                    server: fixture.server, host: "127.0.0.1", port: 0, access: access,
                    facts: Inspector.Facts(version: "1"))
            }
            let problems: [(Inspector.Access, InspectorError.Code)] = [
                (Inspector.Access(token: "a b"), .badToken), (Inspector.Access(origins: ["*"]), .badOrigin),
            ]
            for (access, code) in problems {
                do {
                    try await make(access).stop()
                    Issue.record("made")
                } catch let error as InspectorError {
                    #expect(error.code == code)
                    #expect(!error.description.contains("a b"))
                }
            }
        }
    }

    /// Over a socket, where headers are read and not given.
    @Test func `headers are read in any case and order`() async throws {
        try await withMockAPNs { server in
            let inspector = try Inspector(
                server: server, host: "127.0.0.1", port: 0,
                access: Inspector.Access(token: Self.token, origins: ["http://ui.example"]),
                facts: Inspector.Facts(version: "1"))
            try await inspector.start()
            let url = try #require(inspector.url)
            func curl(_ arguments: String...) async throws -> String {
                try await Curl.run(
                    ["-s", "-o", "/dev/null", "-w", "%{http_code} %header{access-control-allow-origin}"] + arguments
                ).output
            }
            #expect(try await curl("\(url)/api/v1/seq") == "401 ")
            #expect(try await curl("\(url)/api/v1/seq", "-H", "Authorization: Bearer \(Self.token)") == "200 ")
            let cookie = "Cookie: mock-apns-token-\(url.split(separator: ":").last ?? "")=\(Self.token)"
            #expect(try await curl("\(url)/api/v1/seq", "-H", cookie) == "200 ")
            #expect(
                try await curl(
                    "\(url)/api/v1/seq", "-X", "OPTIONS", "-H", "Origin: http://ui.example", "-H",
                    "Access-Control-Request-Method: GET") == "204 http://ui.example")
            try await inspector.stop()
        }
    }
}

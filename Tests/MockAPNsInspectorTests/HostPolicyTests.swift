import MockAPNsAPI
import Testing

@testable import MockAPNsInspector

/// A host, what the API is bound to, and whether it answers.
struct HostCase: Sendable, CustomTestStringConvertible {
    let host: String
    let isAllowed: Bool
    var bound = "127.0.0.1"
    var local = "127.0.0.1"

    var testDescription: String { "\(host) at \(bound): \(isAllowed)" }

    init(_ host: String, _ isAllowed: Bool, bound: String = "127.0.0.1", local: String = "127.0.0.1") {
        self.host = host
        self.isAllowed = isAllowed
        self.bound = bound
        self.local = local
    }
}

@Suite struct HostPolicyTests {
    static let hosts = [
        HostCase("localhost", true), HostCase("localhost:8197", true), HostCase("LOCALHOST:1", true),
        HostCase("127.0.0.1", true), HostCase("127.0.0.1:8197", true), HostCase("127.255.3.4", true),
        HostCase("[::1]", true), HostCase("[::1]:8197", true), HostCase("[0:0:0:0:0:0:0:1]:1", true),
        HostCase("apns.test:8197", true), HostCase("APNS.test", true), HostCase("[fd00::7]", true),
        HostCase("127.0.0.1.example.com", false), HostCase("127.example.com", false),
        HostCase("localhost.example.com", false), HostCase("notlocalhost", false), HostCase("localhost.", false),
        HostCase("example.com", false), HostCase("127.0.0.256", false), HostCase("128.0.0.1", false),
        HostCase("::1", false), HostCase("[::1", false), HostCase("[::2]", false), HostCase("[1270::1]", false),
        HostCase("[127::1]", false), HostCase("[127.0.0.1]", false), HostCase("[localhost]", false),
        HostCase("localhost:", false), HostCase("localhost:x", false), HostCase("localhost:+1", false),
        HostCase("localhost:99999", false), HostCase("", false), HostCase(" localhost", false),
        HostCase("localhost/", false), HostCase("user@localhost", false), HostCase("sub.apns.test", false),
        HostCase("apns.test.example.com", false), HostCase("0.0.0.0", false),
        HostCase("192.168.1.5", true, bound: "192.168.1.5"), HostCase("192.168.1.6", false, bound: "192.168.1.5"),
        HostCase("inner.lan:80", true, bound: "inner.lan"), HostCase("inner", false, bound: "inner.lan"),
        HostCase("192.168.1.5:8197", true, bound: "0.0.0.0", local: "192.168.1.5"),
        HostCase("192.168.1.6:8197", false, bound: "0.0.0.0", local: "192.168.1.5"),
        HostCase("192.168.1.5", true, bound: "::", local: "::ffff:192.168.1.5"),
        HostCase("[fe80::1]", true, bound: "::", local: "fe80::1"),
        HostCase("10.0.0.9", false, bound: "inner.lan", local: "10.0.0.9"),
        HostCase("evil.example", false, bound: "0.0.0.0", local: "192.168.1.5"),
        HostCase("0.0.0.0:8197", true, bound: "0.0.0.0", local: "127.0.0.1"),
    ]

    private func refusal(_ host: HostCase, origin: String? = nil) -> Problem.Kind? {
        let allowed = ["apns.test", "[fd00::7]"].compactMap { HostName(authority: $0) }
        let policy = HostPolicy(boundHost: host.bound, allowed: Set(allowed))
        var request = APIRequest(target: "/")
        request.set("Host", host.host)
        request.set("Origin", origin)
        request.localAddress = host.local
        do {
            try policy.check(request)
            return nil
        } catch { return error.kind }
    }

    @Test(arguments: hosts) func `only the hosts of the policy are accepted`(host: HostCase) {
        #expect(refusal(host) == (host.isAllowed ? nil : .hostNotAllowed))
    }

    static let origins: [(String, Bool)] = [
        ("http://localhost:8197", true), ("https://127.0.0.1", true), ("http://[::1]:3000", true),
        ("http://apns.test", true), ("http://evil.example", false), ("null", false), ("", false), ("localhost", false),
        ("file://localhost", false), ("http://localhost/", false), ("http://127.0.0.1.evil.example", false),
        ("http://evil.example@localhost", false),
    ]

    @Test(arguments: origins) func `an origin must be an accepted host`(origin: String, isAllowed: Bool) {
        #expect(refusal(HostCase("localhost", true), origin: origin) == (isAllowed ? nil : .originNotAllowed))
    }

    @Test func `every one of several Host headers must be accepted`() throws {
        let policy = HostPolicy(boundHost: "127.0.0.1", allowed: [])
        var request = APIRequest(target: "/")
        #expect(throws: Problem.self) { try policy.check(request) }
        request.set("Host", ["localhost", "evil.example"])
        let problem = #expect(throws: Problem.self) { try policy.check(request) }
        #expect(problem?.detail.contains("--allowed-host evil.example") == true)
    }

    /// Who sends a request: its method, Origin, Sec-Fetch-Site and Sec-Fetch-Mode, and whether it is answered.
    struct SenderCase: Sendable, CustomTestStringConvertible {
        let isWrite: Bool
        let origin: String?
        let site: String?
        let mode: String?
        let isAllowed: Bool

        init(_ isWrite: Bool, _ origin: String?, _ site: String?, _ mode: String?, _ isAllowed: Bool) {
            (self.isWrite, self.origin, self.site, self.mode) = (isWrite, origin, site, mode)
            self.isAllowed = isAllowed
        }

        var testDescription: String { "\(isWrite ? "write" : "read") \(origin ?? "-") \(site ?? "-") \(mode ?? "-")" }
    }

    static let senders: [SenderCase] = [
        // Programs send none of this.
        SenderCase(true, nil, nil, nil, true), SenderCase(false, nil, nil, nil, true),
        // The inspector's own page, and an address that the user typed.
        SenderCase(true, "http://localhost:8197", "same-origin", "cors", true),
        SenderCase(false, nil, "same-origin", "cors", true), SenderCase(true, nil, "same-origin", nil, true),
        SenderCase(false, nil, "none", "navigate", true), SenderCase(true, nil, "none", "navigate", true),
        // Another port of the same host, another spelling of the host, another scheme.
        SenderCase(true, "http://localhost:3000", nil, nil, false),
        SenderCase(true, "http://localhost:3000", "same-site", "cors", false),
        SenderCase(true, nil, "same-site", "no-cors", false), SenderCase(true, "http://localhost", nil, nil, false),
        SenderCase(true, "http://127.0.0.1:8197", nil, nil, false),
        SenderCase(true, "https://localhost:8197", nil, nil, false),
        SenderCase(false, "http://localhost:3000", "same-site", "cors", true),
        // Other sites: a link may be followed, nothing else.
        SenderCase(false, nil, "cross-site", "navigate", true), SenderCase(true, nil, "cross-site", "navigate", false),
        SenderCase(false, nil, "cross-site", "no-cors", false), SenderCase(true, nil, "cross-site", "no-cors", false),
        SenderCase(false, nil, "cross-site", nil, false),
        // An origin of --api-cors.
        SenderCase(true, "http://page.example", "cross-site", "cors", true),
        SenderCase(false, "http://page.example", "cross-site", "cors", true),
    ]

    @Test(arguments: senders) func `a request is accepted only from pages that may send it`(sender: SenderCase) {
        var request = APIRequest(target: "/")
        request.set("Host", "localhost:8197")
        request.set("Origin", sender.origin)
        request.set("Sec-Fetch-Site", sender.site)
        request.set("Sec-Fetch-Mode", sender.mode)
        let policy = HostPolicy(boundHost: "127.0.0.1", allowed: [])
        var isAllowed = true
        do throws(Problem) {
            try policy.checkSender(of: request, isWrite: sender.isWrite, origins: ["http://page.example"])
        } catch {
            isAllowed = false
            #expect(error.kind == .originNotAllowed)
        }
        #expect(isAllowed == sender.isAllowed)
    }

    @Test func `a proxy may speak TLS for an allowed host`() throws {
        var request = APIRequest(target: "/")
        request.set("Host", "apns.example.com")
        request.set("Origin", "https://apns.example.com")
        try HostPolicy(boundHost: "127.0.0.1", allowed: [.name("apns.example.com")]).checkSender(
            of: request, isWrite: true)
    }

    @Test func `no request that changes something is taken from another port of the host`() async throws {
        try await withFixture { fixture in
            for route in DebugAPI.allRoutes where route.method != "GET" {
                var request = APIRequest(method: route.method, target: route.path)
                request.set("Host", "127.0.0.1:8197")
                request.set("Origin", "http://127.0.0.1:3000")
                let refused = await fixture.api.answer(request)
                #expect(
                    refused.text("type") == "urn:mock-apns:problem:origin-not-allowed", "\(route.method) \(route.path)")
            }
        }
    }

    @Test func `a page of another site cannot connect as a device`() async throws {
        try await withFixture { fixture in
            _ = await fixture.send("POST", "/api/v1/devices", #"{"label":"anna","state":"offline"}"#)
            for site in ["cross-site", "same-site"] {
                var request = APIRequest(target: "/api/v1/devices/@anna/connect")
                request.set("Host", "127.0.0.1:8197")
                request.set("Sec-Fetch-Site", site)
                #expect(await fixture.api.answer(request).status == 403)
            }
            #expect(await fixture.get("/api/v1/devices/@anna").text("state") == "offline")
        }
    }
}

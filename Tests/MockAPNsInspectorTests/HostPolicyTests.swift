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
        HostCase("localhost.example.com", false), HostCase("notlocalhost", false),
        HostCase("localhost.", false),
        HostCase("example.com", false), HostCase("127.0.0.256", false), HostCase("128.0.0.1", false),
        HostCase("::1", false), HostCase("[::1", false), HostCase("[::2]", false),
        HostCase("[1270::1]", false), HostCase("[127::1]", false),
        HostCase("[127.0.0.1]", false),
        HostCase("[localhost]", false), HostCase("localhost:", false), HostCase("localhost:x", false),
        HostCase("localhost:+1", false), HostCase("localhost:99999", false), HostCase("", false),
        HostCase(" localhost", false), HostCase("localhost/", false), HostCase("user@localhost", false),
        HostCase("sub.apns.test", false), HostCase("apns.test.example.com", false),
        HostCase("0.0.0.0", false),
        HostCase("192.168.1.5", true, bound: "192.168.1.5"),
        HostCase("192.168.1.6", false, bound: "192.168.1.5"),
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
        request.hosts = [host.host]
        request.origins = [origin].compactMap { $0 }
        request.localAddress = host.local
        do {
            try policy.check(request)
            return nil
        } catch {
            return error.kind
        }
    }

    @Test(arguments: hosts) func `a host is answered for, or not`(host: HostCase) {
        #expect(refusal(host) == (host.isAllowed ? nil : .hostNotAllowed))
    }

    static let origins: [(String, Bool)] = [
        ("http://localhost:8197", true), ("https://127.0.0.1", true), ("http://[::1]:3000", true),
        ("http://apns.test", true), ("http://evil.example", false), ("null", false), ("", false),
        ("localhost", false), ("file://localhost", false), ("http://localhost/", false),
        ("http://127.0.0.1.evil.example", false), ("http://evil.example@localhost", false),
    ]

    @Test(arguments: origins) func `an origin must be a host that is answered for`(
        origin: String,
        isAllowed: Bool
    ) {
        #expect(refusal(HostCase("localhost", true), origin: origin) == (isAllowed ? nil : .originNotAllowed))
    }

    @Test func `every one of several hosts must be answered for`() throws {
        let policy = HostPolicy(boundHost: "127.0.0.1", allowed: [])
        var request = APIRequest(target: "/")
        #expect(throws: Problem.self) { try policy.check(request) }
        request.hosts = ["localhost", "evil.example"]
        let problem = #expect(throws: Problem.self) { try policy.check(request) }
        #expect(problem?.detail.contains("--allowed-host evil.example") == true)
    }
}

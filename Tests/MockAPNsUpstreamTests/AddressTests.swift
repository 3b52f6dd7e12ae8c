import Testing

@testable import MockAPNsUpstream

/// How addresses of services and proxies are read.
struct AddressTests {
    @Test(arguments: [
        ("sandbox", "https://api.sandbox.push.apple.com"), ("production", "https://api.push.apple.com"),
        ("https://Example.com", "https://example.com"), ("https://example.com:2197/", "https://example.com:2197"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"), ("https://[::1]:2197", "https://[::1]:2197"),
        ("http://localhost", "http://localhost"),
    ]) func `addresses are read`(text: String, expected: String) throws {
        #expect(try UpstreamAddress(parsing: text).description == expected)
    }

    @Test(arguments: [
        "", "Sandbox", "example.com", "https://", "https://a b", "https://a:0", "https://a:65536", "https://a:+1",
        "https://a/3", "https://user@a", "ftp://a", "https://[::1", "https://[x]", "https://:443",
        "https://\(String(repeating: "a", count: 254))",
    ]) func `invalid addresses are refused`(text: String) {
        let error = #expect(throws: UpstreamError.self) { try UpstreamAddress(parsing: text) }
        #expect(error?.code == .invalid && error?.description.contains("'\(text)'") == true)
    }

    @Test(
        arguments: [
            ("http://proxy:3128", "proxy", 3_128, nil), ("proxy", "proxy", 80, nil),
            ("http://user:pa%3Ass@[::1]:1/", "::1", 1, "Basic dXNlcjpwYTpzcw=="),
            ("http://a@b@c", "c", 80, "Basic YUBiOg=="),
        ] as [(String, String, Int, String?)]) func `proxies are read`(
            text: String, host: String, port: Int, authorization: String?
        ) throws
    {
        let proxy = try UpstreamProxy(parsing: text)
        #expect(proxy.host == host && proxy.port == port && proxy.authorization == authorization)
    }

    @Test(arguments: ["https://proxy", "http://", "http://secret:%zz@proxy", "http://secret:%0a@proxy", "http://a b"])
    func `errors about proxies have no password`(text: String) {
        let error = #expect(throws: UpstreamError.self) { try UpstreamProxy(parsing: text) }
        #expect(error?.code == .invalid && error?.description.contains("secret") == false)
    }

    @Test(arguments: [
        ("", false), ("*", true), ("example.com", true), (".example.com", true), ("ample.com", false),
        ("api.example.com:443", true), ("api.example.com:444", false), ("other, API.example.com", true),
    ]) func `NO_PROXY excludes hosts`(list: String, isExcluded: Bool) throws {
        let address = try UpstreamAddress(parsing: "https://api.example.com")
        let environment = ["HTTPS_PROXY": "http://proxy:1", "no_proxy": list]
        #expect(
            try UpstreamProxy.from(environment, for: address) == (isExcluded ? nil : UpstreamProxy(parsing: "proxy:1")))
    }

    @Test func `clear text uses no proxy`() throws {
        let address = try UpstreamAddress(parsing: "http://example.com")
        #expect(try UpstreamProxy.from(["https_proxy": "proxy"], for: address) == nil)
    }

    @Test func `requests that cannot be written are refused`() {
        let changes: [(String, (inout UpstreamRequest) -> Void)] = [
            ("method", { $0.method = "" }), ("method", { $0.method = "A B" }), ("path", { $0.path = "3" }),
            ("path", { $0.path = "/a b" }), ("path", { $0.path = "/ä" }),
            ("name", { $0.headers = [UpstreamHeader("Apns-Topic", "a")] }),
            ("name", { $0.headers = [UpstreamHeader(":path", "a")] }),
            ("value", { $0.headers = [UpstreamHeader("a", "b\r\nc: d")] }),
            ("header list", { $0.headers = [UpstreamHeader("a", String(repeating: "b", count: 40_000))] }),
            ("body", { $0.body = [UInt8](repeating: 0, count: 1_048_577) }),
        ]
        for (word, change) in changes {
            var request = UpstreamRequest("/")
            change(&request)
            let problem = request.problem(UpstreamOptions.Limits())
            #expect(problem?.code == .invalid && problem?.seen.contains(word) == true, "\(word)")
        }
        #expect(
            UpstreamRequest("/3/device/a", headers: [UpstreamHeader("a", "")]).problem(UpstreamOptions.Limits()) == nil)
    }
}

import MockAPNsClient
import Testing

@testable import mock_apns

/// The address of the server for client commands.
@Suite struct APIAddressTests {
    @Test(arguments: [
        ("http://127.0.0.1:8197", "http://127.0.0.1:8197"), ("http://127.0.0.1:8197/", "http://127.0.0.1:8197"),
        ("http://127.0.0.1:8197//", "http://127.0.0.1:8197"),
        ("HTTP://Example.test:80/api/v1/", "http://Example.test:80"), ("127.0.0.1:8197", "http://127.0.0.1:8197"),
        ("localhost:1/", "http://localhost:1"), ("0.0.0.0:8197", "http://127.0.0.1:8197"),
        (":8197", "http://127.0.0.1:8197"), ("http://[::]:8197", "http://[::1]:8197"),
        ("http://[::1]:65535", "http://[::1]:65535"),
    ]) func `reads addresses`(_ text: String, _ url: String) throws {
        #expect(try APIAddress(parsing: text).url == url)
    }

    @Test(arguments: [
        ("", "a URL such as"), ("http://", "a URL such as"), ("http://host", "a URL such as"),
        ("http://host:0", "a URL such as"), ("http://host:65536", "a URL such as"),
        ("http://user@host:1", "a URL such as"), ("http://host:1?x", "a URL such as"),
        ("http://host:1/pushes", "without a path"), ("https://127.0.0.1:8197", "does not use TLS"),
    ]) func `refuses invalid addresses`(_ text: String, _ words: String) {
        let expected = #expect(throws: APIAddress.Invalid.self) { try APIAddress(parsing: text) }
        #expect(expected?.description.contains(words) == true, "\(expected?.description ?? "")")
    }

    @Test(
        arguments: [
            ([], [:], "http://127.0.0.1:8197"), ([], ["MOCK_APNS_API_LISTEN": "0.0.0.0:1"], "http://127.0.0.1:1"),
            ([], ["MOCK_APNS_API_LISTEN": "0.0.0.0:1", "MOCK_APNS_API": "http://a:2/"], "http://a:2"),
            ([], ["MOCK_APNS_API": ""], "http://127.0.0.1:8197"),
            (["--api", "b:3"], ["MOCK_APNS_API": "http://a:2/"], "http://b:3"),
        ] as [([String], [String: String], String)]) func `a flag precedes a variable, the listener and the default`(
            _ arguments: [String], _ environment: [String: String], _ url: String
        ) throws
    { #expect(try APIOptions.parse(arguments).address(environment: environment).url == url) }

    @Test func `a failure names the source of the address`() {
        let failure = #expect(throws: CommandFailure.self) {
            try APIOptions.parse([]).address(environment: ["MOCK_APNS_API": "x"])
        }
        #expect(failure?.message.hasPrefix("invalid MOCK_APNS_API 'x': expected a URL such as") == true)
    }

    @Test(
        arguments: [
            (["devices"], [], "/api/v1/devices"), (["devices", "@alice"], [], "/api/v1/devices/@alice"),
            (["devices", "@a/b c?é", "inbox"], [], "/api/v1/devices/@a%2Fb%20c%3F%C3%A9/inbox"),
            (
                ["devices"], [("q", "a&b=+%\n"), ("topic", nil), ("limit", "5")],
                "/api/v1/devices?q=a%26b%3D%2B%25%0A&limit=5"
            ), (["devices"], [("q", nil)], "/api/v1/devices"),
        ] as [([String], [(name: String, value: String?)], String)]) func `encodes targets`(
            _ parts: [String], _ query: [(name: String, value: String?)], _ target: String
        )
    { #expect(APIRequest("GET", parts, query: query).target == target) }
}

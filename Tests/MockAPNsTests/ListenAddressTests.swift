import MockAPNs
import MockAPNsRules
import Testing

@Suite struct ListenAddressTests {
    /// A text, what it means, and how the address writes itself.
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let address: ListenAddress
        let written: String

        var testDescription: String { text }

        init(_ text: String, _ address: ListenAddress, writes written: String? = nil) {
            self.text = text
            self.address = address
            self.written = written ?? text
        }
    }

    static let rows = [
        Row("127.0.0.1:2197", ListenAddress(host: "127.0.0.1", port: 2_197)),
        Row("localhost:0", ListenAddress(host: "localhost", port: 0)),
        Row("0.0.0.0:65535", ListenAddress(host: "0.0.0.0", port: 65_535)),
        Row("[::1]:2197", ListenAddress(host: "::1", port: 2_197)),
        Row("[::]:443", ListenAddress(host: "::", port: 443)),
        Row("[fe80::1%eth0]:443", ListenAddress(host: "fe80::1%eth0", port: 443)),
        Row("[127.0.0.1]:80", ListenAddress(host: "127.0.0.1", port: 80), writes: "127.0.0.1:80"),
        Row("https://localhost:443", ListenAddress(host: "localhost", port: 443), writes: "localhost:443"),
        Row("h2c://localhost:80", ListenAddress(host: "localhost", port: 80, isSecure: false)),
        Row(
            "http://localhost:80", ListenAddress(host: "localhost", port: 80, isSecure: false),
            writes: "h2c://localhost:80"), Row("h2c://[::1]:80", ListenAddress(host: "::1", port: 80, isSecure: false)),
        Row("localhost:1?environment=production", ListenAddress(host: "localhost", port: 1, environment: .production)),
        Row("localhost:1?environment=sandbox", ListenAddress(host: "localhost", port: 1), writes: "localhost:1"),
        Row(
            "h2c://[::1]:80?environment=production",
            ListenAddress(host: "::1", port: 80, isSecure: false, environment: .production)),
        Row("mock-apns:00443", ListenAddress(host: "mock-apns", port: 443), writes: "mock-apns:443"),
    ]

    @Test(arguments: rows) func `an address is read and written back the same`(_ row: Row) throws {
        let address = try ListenAddress(parsing: row.text)
        #expect(address == row.address)
        #expect(address.description == row.written)
        #expect(try ListenAddress(parsing: address.description) == address)
    }

    @Test(arguments: [
        ("", "no port"), ("localhost", "no port"), ("h2c://localhost", "no port"), (":80", "no host"),
        ("[]:80", "no host"), ("h2c://:80", "no host"), ("localhost:", "bad port ''"),
        ("localhost:http", "bad port 'http'"), ("localhost:65536", "bad port '65536'"),
        ("localhost:-1", "bad port '-1'"), ("localhost:+80", "bad port '+80'"), ("localhost:-0", "bad port '-0'"),
        ("localhost: 80", "bad port ' 80'"), ("localhost:80/", "bad port '80/'"), ("localhost:8０", "bad port '8０'"),
        ("::1:80", "an IPv6 address without brackets"), ("[::1:80", "an IPv6 address without brackets"),
        ("[::1]", "bad port '1]'"), ("ftp://localhost:80", "unknown scheme 'ftp'"),
        ("H2C://localhost:80", "unknown scheme 'H2C'"), ("://localhost:80", "unknown scheme ''"),
        ("localhost/path:80", "no host"), ("localhost:80?environment=staging", "unknown option '?environment=staging'"),
        ("localhost:80?environment=", "unknown option '?environment='"),
        ("localhost:80?environment", "unknown option '?environment'"), ("localhost:80?", "unknown option '?'"),
        ("localhost:80?env=sandbox", "unknown option '?env=sandbox'"),
        ("localhost:80?environment=Production", "unknown option '?environment=Production'"),
    ]) func `an invalid address is explained`(text: String, what: String) {
        let problem = #expect(throws: InvalidSetting.self) { try ListenAddress(parsing: text) }
        let expected =
            "\(what) in '\(text)'; expected host:port, [::1]:port or h2c://host:port,"
            + " optionally with ?environment=sandbox or ?environment=production"
        #expect(problem?.description == expected)
    }

    @Test(arguments: [ProviderInterface.gateway, .feedback]) func `the binary interface always uses TLS`(
        interface: ProviderInterface
    ) throws {
        let address = try ListenAddress(parsing: "[::1]:2195?environment=production", for: interface)
        #expect(address.interface == interface && address.isSecure && address.environment == .production)
        for scheme in ["h2c", "http", "https"] {
            let problem = #expect(throws: InvalidSetting.self) {
                try ListenAddress(parsing: "\(scheme)://localhost:1", for: interface)
            }
            let expected = "unknown scheme '\(scheme)' in '\(scheme)://localhost:1'; expected host:port or [::1]:port,"
            #expect(problem?.description.hasPrefix(expected) == true)
        }
    }
}

import Testing

@testable import MockAPNsCrypto

@Suite struct CertificateNamesTests {
    @Test func `host names and addresses are sorted apart, normalized and deduplicated`() throws {
        let names = try CertificateNames(parsing: [
            "localhost", "127.0.0.1", "::1", "Push.TEST.", "push.test", "0:0:0:0:0:0:0:1", "FE80::A", "some_host",
            "host.docker.internal", "1.2.3.4", "a-b.c1", "LOCALHOST", "7up.test",
        ])
        #expect(
            names.dnsNames == ["localhost", "push.test", "some_host", "host.docker.internal", "a-b.c1", "7up.test"])
        #expect(names.ipAddresses == ["127.0.0.1", "::1", "fe80::a", "1.2.3.4"])
        #expect(try CertificateNames(parsing: names.all) == names)
        #expect(try CertificateNames(parsing: []).isEmpty)
    }

    static let refused = [
        "", ".", "..", "a..b", ".a", "-a.test", "a-.test", "*.test", "*", "a b", "a,DNS:evil.test", "a:b", "a\nb",
        "a\0", "127.0.0.1\0", "256.1.1.1", "1.2.3", "12", "[::1]", "::1%lo", "fe80::1/64", "127.0.0.1:443", "https://a",
        "é.test", "\u{212A}.test", "a@b", "@section", String(repeating: "a", count: 64),
        Array(repeating: "abcdefg", count: 33).joined(separator: "."), String(repeating: "1", count: 100_000),
    ]

    @Test(arguments: refused) func `refuses invalid names`(_ name: String) {
        let error = #expect(throws: CertificateError.self) { try CertificateNames(parsing: ["localhost", name]) }
        #expect(error.flatMap(caseName) == "badName")
        #expect((error?.description.count ?? 0) < 700)
    }

    @Test func `accepts the longest name`() throws {
        let label = String(repeating: "a", count: 63)
        let name = [label, label, label, String(repeating: "b", count: 61)].joined(separator: ".")
        #expect(name.count == 253)
        #expect(try CertificateNames(parsing: [name]).dnsNames == [name])
    }
}

import Foundation
import MockAPNs
import MockAPNsFormats
import Testing

@testable import MockAPNsInspector

/// `POST /api/v1/certificates/issue`.
@Suite struct CertificateRoutesTests {
    private static let path = "/api/v1/certificates/issue"

    @Test func `a certificate is issued with its key and its authority`() async throws {
        try await withFixture { fixture in
            let answer = await fixture.send("POST", Self.path, #"{"topic":"com.example.app"}"#)
            #expect(answer.status == 200)
            let changing = ["certificate", "key", "ca", "fingerprint", "notAfter", "notBefore", "serial"]
            try Golden.expect(answer, is: "certificate-issued", volatile: changing)
            #expect(answer.text("certificate")?.hasPrefix("-----BEGIN CERTIFICATE-----\n") == true)
            #expect(answer.text("key")?.hasPrefix("-----BEGIN PRIVATE KEY-----\n") == true)
            let second = await fixture.send("POST", Self.path, #"{"topic":"com.example.app"}"#)
            #expect(second.text("ca") == answer.text("ca"))
            #expect(second.text("certificate") != answer.text("certificate"))
            #expect(second.text("key") != answer.text("key"))
            // It is not the authority of the server's own certificate.
            #expect(answer.text("ca") != fixture.server.certificateAuthorityPEM)
        }
    }

    @Test func `PKCS 12 has the password given, or a new one`() async throws {
        try await withFixture { fixture in
            let body = #"{"topic":"com.example.app","format":"p12","environment":"sandbox","password":"pass"}"#
            let given = await fixture.send("POST", Self.path, body)
            let changing = ["certificate", "key", "ca", "fingerprint", "notAfter", "notBefore", "serial", "p12"]
            try Golden.expect(given, is: "certificate-issued-p12", volatile: changing)
            let file = try #require(given.text("p12").flatMap { Data(base64Encoded: $0) })
            #expect(file.first == 0x30)
            var words: Set<String> = []
            for _ in 0..<3 {
                let made = await fixture.send("POST", Self.path, #"{"topic":"com.x","format":"p12"}"#)
                words.insert(try #require(made.text("password")))
            }
            #expect(words.count == 3 && words.allSatisfy { $0.utf8.count == 20 })
        }
    }

    static let refusals: [(body: String, path: String, suggestion: String?)] = [
        ("{}", "/topic", nil), (#"{"topic":""}"#, "/topic", nil), (#"{"topic":"com.x app"}"#, "/topic", nil),
        (#"{"topic":"com.x.voip"}"#, "/topic", "com.x"),
        (#"{"topic":"com.x.pushkit.fileprovider"}"#, "/topic", "com.x"),
        (#"{"topic":"com.x.complication"}"#, "/topic", "com.x"), (#"{"topic":"com.x","format":"pfx"}"#, "/format", nil),
        (#"{"topic":"com.x","format":"p21"}"#, "/format", "p12"),
        (#"{"topic":"com.x","environment":"prod"}"#, "/environment", "production"),
        (#"{"topic":"com.x","password":"x"}"#, "/password", nil),
        (#"{"topic":"com.x","format":"p12","password":""}"#, "/password", nil),
        (#"{"topic":"com.x","format":"p12","password":"a\u0000b"}"#, "/password", nil),
        (#"{"topics":["com.x"]}"#, "/topic", nil), (#"{"topik":"com.x"}"#, "/topik", "topic"),
        (#"{"topic":"com.x","topics":[]}"#, "/topics", nil),
        (#"{"topic":"com.x","topics":["com x"]}"#, "/topics/0", nil),
        (#"{"topic":"com.x","expires":"soon"}"#, "/expires", nil), (#"{"topic":"com.x","starts":1}"#, "/starts", nil),
        (#"{"topic":"com.x","selfSigned":"yes"}"#, "/selfSigned", nil),
        (#"{"topic":"com.x","mdm":true}"#, "/topic", nil), (#"{"mdm":true,"environment":"both"}"#, "/environment", nil),
    ]

    @Test(arguments: refusals) func `an invalid request is refused with the path of the mistake`(
        body: String, path: String, suggestion: String?
    ) async throws {
        try await withFixture { fixture in
            let answer = await fixture.send("POST", Self.path, body)
            #expect(answer.status == 400)
            let errors = answer.json["errors"].entries
            let own = errors.first { $0["path"] == .string(path) }
            #expect(own != nil, "\(errors)")
            #expect(own?["suggestion"] == JSONValue(suggestion))
        }
    }

    /// A private key leaves once, with the certificate.
    @Test func `a private key is shown only when it is issued`() async throws {
        try await withFixture { fixture in
            let answer = await fixture.send("POST", Self.path, #"{"topic":"com.x"}"#)
            let key = try #require(answer.text("key")?.split(separator: "\n").dropFirst().first)
            for target in ["/api/v1/info", "/api/v1/keys", "/api/v1/ca.pem"] {
                let text = String(decoding: await fixture.get(target).bytes, as: UTF8.self)
                #expect(!text.contains(key), "\(target)")
            }
        }
    }

    private func certificates(_ fixture: Fixture) async -> [JSONValue] {
        await fixture.get("/api/v1/certificates").json["certificates"].entries
    }

    @Test func `issued certificates are listed with their apps and environments`() async throws {
        try await withFixture { fixture in
            let none = await fixture.get("/api/v1/certificates")
            #expect(none.text("mode") == "issued")
            #expect(none.json["authorities"].entries.isEmpty && none.json["certificates"].entries.isEmpty)
            let drafts = [
                #"{"topic":"com.x"}"#, #"{"topic":"com.x","environment":"sandbox"}"#,
                #"{"topic":"com.x","expires":"-1d"}"#, #"{"topic":"com.x","starts":"1d"}"#,
                #"{"topic":"com.x","selfSigned":true}"#, #"{"topic":"com.x","topics":["com.y"]}"#,
                #"{"mdm":true,"format":"p12-legacy"}"#,
            ]
            for draft in drafts { #expect(await fixture.send("POST", Self.path, draft).status == 200) }
            let list = await certificates(fixture)
            #expect(
                list.map { $0.text(["standing"]) } == [
                    "verified", "verified", "expired", "not-yet-valid", "self-signed", "verified", "verified",
                ])
            #expect(list[0]["topics"] == ["com.x", "com.x.complication", "com.x.voip"])
            #expect(list[0]["onlyTopic"] == .null && list[1]["onlyTopic"] == "com.x")
            #expect(list[1]["environments"] == ["sandbox"] && list[6]["environments"] == ["production"])
            #expect(list[5]["onlyTopic"] == "com.y")
            #expect(list[6].text(["onlyTopic"])?.hasPrefix("com.apple.mgmt.External.") == true)
            let authorities = await fixture.get("/api/v1/certificates").json["authorities"].entries
            #expect(authorities.count == 1 && authorities[0]["own"] == true)
        }
    }

    @Test func `a certificate for device management is for production`() async throws {
        try await withFixture { fixture in
            for (draft, environment) in [
                (#"{"mdm":true}"#, "production"), (#"{"mdm":true,"environment":"sandbox"}"#, "sandbox"),
                (#"{"topic":"com.x"}"#, "both"),
            ] {
                let issued = await fixture.send("POST", Self.path, draft)
                #expect(issued.text("environment") == environment)
                let shown = await certificates(fixture).last?["environments"].entries ?? []
                #expect(shown == (environment == "both" ? ["sandbox", "production"] : [.string(environment)]))
            }
        }
    }

    @Test func `a revoked certificate stays in the list`() async throws {
        try await withFixture { fixture in
            let issued = await fixture.send("POST", Self.path, #"{"topic":"com.x"}"#)
            let serial = try #require(issued.text("serial"))
            let other = await fixture.send("DELETE", "/api/v1/certificates/\(serial.dropLast())0a")
            #expect(other.status == 404 && other.text("type")?.hasSuffix("unknown-certificate") == true)
            #expect(await fixture.send("DELETE", "/api/v1/certificates/\(serial.lowercased())").status == 204)
            #expect(await certificates(fixture).map { $0.text(["standing"]) } == ["revoked"])
            #expect(await fixture.send("DELETE", "/api/v1/certificates/\(serial)").status == 204)
        }
    }
}

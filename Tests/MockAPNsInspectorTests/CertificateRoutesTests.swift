import Foundation
import MockAPNs
import MockAPNsFormats
import Testing

@testable import MockAPNsInspector

/// `POST /api/v1/certificates/issue`.
@Suite struct CertificateRoutesTests {
    private static let path = "/api/v1/certificates/issue"

    @Test func `one is issued with its key and its authority`() async throws {
        try await withFixture { fixture in
            let answer = await fixture.send("POST", Self.path, #"{"topic":"com.example.app"}"#)
            #expect(answer.status == 200)
            let changing = ["certificate", "key", "ca", "fingerprint", "notAfter"]
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

    @Test func `as PKCS 12 it has a password, given or made up`() async throws {
        try await withFixture { fixture in
            let body =
                #"{"topic":"com.example.app","format":"p12","environment":"sandbox","password":"pass"}"#
            let given = await fixture.send("POST", Self.path, body)
            let changing = ["certificate", "key", "ca", "fingerprint", "notAfter", "p12"]
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
        (#"{"topic":"com.x.complication"}"#, "/topic", "com.x"),
        (#"{"topic":"com.x","format":"pfx"}"#, "/format", nil),
        (#"{"topic":"com.x","format":"p21"}"#, "/format", "p12"),
        (#"{"topic":"com.x","environment":"prod"}"#, "/environment", "production"),
        (#"{"topic":"com.x","password":"x"}"#, "/password", nil),
        (#"{"topic":"com.x","format":"p12","password":""}"#, "/password", nil),
        (#"{"topic":"com.x","format":"p12","password":"a\u0000b"}"#, "/password", nil),
        (#"{"topics":["com.x"]}"#, "/topics", "topic"),
    ]

    @Test(arguments: refusals) func `what cannot be issued is refused with the place`(
        body: String,
        path: String,
        suggestion: String?
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
    @Test func `keys are shown nowhere else`() async throws {
        try await withFixture { fixture in
            let answer = await fixture.send("POST", Self.path, #"{"topic":"com.x"}"#)
            let key = try #require(answer.text("key")?.split(separator: "\n").dropFirst().first)
            for target in ["/api/v1/info", "/api/v1/keys", "/api/v1/ca.pem"] {
                let text = String(decoding: await fixture.get(target).bytes, as: UTF8.self)
                #expect(!text.contains(key), "\(target)")
            }
        }
    }
}

import MockAPNs
import TestSupport
import Testing

@testable import MockAPNsInspector

@Suite struct InfoRouteTests {
    @Test func `info has its shape`() async throws {
        var facts = Inspector.Facts(version: "1.2.3")
        facts.label = "checkout <b>"
        facts.certificateAuthority = .init(pem: "PEM", file: "certs/ca.pem", fingerprint: "AB:CD")
        facts.developmentKey = .init(keyID: "ABC123DEFG", teamID: "DEF123GHIJ", path: "certs/AuthKey_ABC123DEFG.p8")
        facts.settings = [
            ("auth", "verify", "default"), ("apns-listen", "127.0.0.1:2197", "flag"),
            ("apns-listen", "h2c://127.0.0.1:2198", "flag"),
        ]
        let configure = { (configuration: inout Configuration) in
            configuration.listeners = [
                ListenAddress(host: "127.0.0.1", port: 0),
                ListenAddress(host: "127.0.0.1", port: 0, isSecure: false, environment: .production),
            ]
        }
        try await withFixture(facts: facts, configure: configure) { fixture in
            let connection = fixture.open(1)
            fixture.journal.connectionClosed(connection, at: Fixture.now, code: "closed-by-peer", detail: "")
            fixture.open(2)
            fixture.publish(PushDraft(), PushDraft(), PushDraft().setting("apns-topic", to: nil))
            let answer = await fixture.get("/api/v1/info")
            try Golden.expect(answer, is: "info", volatile: ["pid", "startedAt", "uptimeSeconds"])
        }
    }

    @Test func `info shows the generated authority and key`() async throws {
        try await withFixture { fixture in
            let info = await fixture.get("/api/v1/info")
            #expect(info.text("developmentKey", "keyId") == fixture.server.developmentKey?.keyID)
            #expect(info.text("developmentKey", "path") == "null")
            #expect(info.text("caFile") == "null")
            #expect(info.text("label") == "null")
            let certificate = await fixture.get("/api/v1/ca.pem")
            #expect(certificate.status == 200)
            #expect(certificate.contentType == "application/x-pem-file")
            #expect(String(decoding: certificate.bytes, as: UTF8.self) == fixture.server.certificateAuthorityPEM)
        }
    }

    @Test func `info has no authority for the user's own certificate`() async throws {
        let identity = try ServerCertificate.make(additionalNames: []).identity
        try await withFixture(configure: { $0.identity = identity }) { fixture in
            let certificate = await fixture.get("/api/v1/ca.pem")
            #expect(certificate.status == 404)
            #expect(certificate.text("detail")?.contains("--tls-cert") == true)
        }
    }
}

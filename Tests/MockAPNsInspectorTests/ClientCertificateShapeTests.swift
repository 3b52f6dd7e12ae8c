import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsAPI
@testable import MockAPNsInspector

/// A client that showed a certificate hears that it did not authenticate, and why.
@Suite struct ClientCertificateShapeTests {
    private static let now = Int64(Fixture.now.seconds)

    private static func certificate(from start: Int64, to end: Int64) -> ClientCertificate {
        ClientCertificate(
            subject: "CN=Apple Push Services: com.example.app,UID=com.example.app",
            issuer: "CN=Somebody",
            notBefore: start,
            notAfter: end
        )
    }

    static let validities: [(Int64, Int64, String)] = [
        (now - 10, now + 10, "This server does not authenticate by certificate yet; send a provider token."),
        (now - 20, now - 10, "The certificate has expired, too."),
        (now + 10, now + 20, "The certificate is not valid yet, too."),
    ]

    @Test(arguments: validities) func `a record tells why a certificate did not authenticate`(
        start: Int64,
        end: Int64,
        words: String
    ) async throws {
        try await withFixture { fixture in
            fixture.open(7, showing: Self.certificate(from: start, to: end))
            fixture.publish(PushDraft().setting("authorization", to: nil))
            let push = await fixture.get("/api/v1/pushes/seq:1")
            let connections = await fixture.get("/api/v1/connections")
            for (answer, place) in [(push, ["connection"]), (connections, ["connections", "0"])] {
                func shown(_ member: String) -> String? {
                    answer.json.text(place + ["tls", "clientCertificate", member])
                }
                #expect(shown("subject") == "CN=Apple Push Services: com.example.app,UID=com.example.app")
                #expect(shown("issuer") == "CN=Somebody")
                #expect(shown("notBefore") == Timestamp(seconds: start).rfc3339)
                #expect(shown("notAfter") == Timestamp(seconds: end).rfc3339)
                #expect(shown("authenticated") == "false")
                #expect(shown("problem")?.contains(words) == true)
            }
            #expect(push.text("verdict", "reason") == "MissingProviderToken")
            let hint = try #require(push.text("verdict", "hint"))
            #expect(hint.contains("showed a certificate (CN=Apple Push Services: com.example.app"))
            #expect(hint.contains(words))
        }
    }

    @Test func `without a certificate, or with a token, the hint says nothing of it`() async throws {
        try await withFixture { fixture in
            fixture.open(6)
            var draft = PushDraft().setting("authorization", to: nil)
            draft.connection = 6
            fixture.open(7, showing: Self.certificate(from: Self.now, to: Self.now))
            fixture.publish(draft, PushDraft().setting("apns-topic", to: nil))
            let none = await fixture.get("/api/v1/pushes/seq:1")
            #expect(none.text("verdict", "reason") == "MissingProviderToken")
            #expect(none.text("verdict", "hint")?.contains("showed a certificate") == false)
            let other = await fixture.get("/api/v1/pushes/seq:3")
            #expect(other.text("verdict", "reason") == "MissingTopic")
            #expect(other.text("verdict", "hint")?.contains("showed a certificate") == false)
        }
    }

    @Test func `times that no calendar has are null`() {
        let odd = ClientCertificate(subject: "", issuer: "", notBefore: -1, notAfter: nil)
        let shape = APIObject<ClientCertificateShape>(odd, at: Fixture.now)
        #expect(shape.notBefore == nil && shape.notAfter == nil)
    }
}

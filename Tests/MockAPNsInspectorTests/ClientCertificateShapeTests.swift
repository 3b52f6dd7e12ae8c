import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsAPI
@testable import MockAPNsInspector

/// A record shows the certificate of its client, and why it did not authenticate.
@Suite struct ClientCertificateShapeTests {
    private static func certificate(
        _ standing: ClientCertificate.Standing, in environments: Set<Environment> = [.sandbox]
    ) -> ClientCertificate {
        var certificate = ClientCertificate(
            subject: "CN=Apple Push Services: com.example.app,UID=com.example.app", issuer: "CN=Somebody", notBefore: 0,
            notAfter: 4_000_000_000)
        certificate.standing = standing
        certificate.environments = environments
        certificate.topics = ["com.example.app", "com.example.app.voip"]
        return certificate
    }

    static let problems: [(ClientCertificate, String, String?)] =
        ClientCertificate.Standing.allCases.map {
            (certificate($0), $0.rawValue, $0 == .verified ? nil : $0.meaning.description)
        } + [
            (
                certificate(.verified, in: [.production]), "verified",
                "It is not for the environment of this address, sandbox."
            )
        ]

    @Test(arguments: problems) func `a record tells whether a certificate authenticated, and why not`(
        certificate: ClientCertificate, standing: String, problem: String?
    ) async throws {
        try await withFixture { fixture in
            fixture.open(7, showing: certificate)
            fixture.publish(PushDraft().setting("authorization", to: nil))
            let push = await fixture.get("/api/v1/pushes/seq:1")
            let connections = await fixture.get("/api/v1/connections")
            for (answer, place) in [(push, ["connection"]), (connections, ["connections", "0"])] {
                func shown(_ member: String) -> String? {
                    answer.json.text(place + ["tls", "clientCertificate", member])
                }
                #expect(shown("subject") == "CN=Apple Push Services: com.example.app,UID=com.example.app")
                #expect(shown("issuer") == "CN=Somebody")
                #expect(shown("notBefore") == "1970-01-01T00:00:00.000000Z")
                #expect(shown("notAfter") == "2096-10-02T07:06:40.000000Z")
                #expect(shown("authenticated") == (problem == nil ? "true" : "false"))
                #expect(shown("problem") == problem ?? "null")
                #expect(shown("standing") == standing)
            }
        }
    }

    @Test func `pushes are found by the app of the certificate`() async throws {
        try await withFixture { fixture in
            var draft = PushDraft()
            draft.certificate = Self.certificate(.verified)
            fixture.publish(draft, PushDraft())
            for query in ["cert:com.example.app", "certificate:com.example.app", "auth:certificate"] {
                let found = await fixture.get("/api/v1/pushes?q=\(query)")
                #expect(found.text("matched") == "1" && found.text("pushes", "0", "auth", "kind") == "certificate")
            }
            let by = await fixture.get("/api/v1/pushes?certificate=com.example.app")
            #expect(by.text("matched") == "1")
            #expect(by.text("pushes", "0", "auth", "certificate") == "com.example.app")
        }
    }

    @Test func `times outside of the calendar are null`() {
        let odd = ClientCertificate(subject: "", issuer: "", notBefore: -1, notAfter: nil)
        let shape = APIObject<ClientCertificateShape>(JudgedCertificate(odd, in: .sandbox))
        #expect(shape.notBefore == nil && shape.notAfter == nil)
    }
}

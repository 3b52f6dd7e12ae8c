import MockAPNsCrypto
import Testing

@testable import MockAPNs

/// The certificate that a server makes for itself.
@Suite struct ServerCertificateTests {
    /// Spelled out, so that a host that is left out is missed here.
    static let names: Set = [
        "localhost", "127.0.0.1", "::1", "mock-apns", "host.docker.internal", "api.push.apple.com",
        "api.sandbox.push.apple.com", "api.development.push.apple.com", "api-broadcast.push.apple.com",
        "api-broadcast.sandbox.push.apple.com", "api-manage-broadcast.push.apple.com",
        "api-manage-broadcast.sandbox.push.apple.com", "gateway.push.apple.com", "gateway.sandbox.push.apple.com",
        "feedback.push.apple.com", "feedback.sandbox.push.apple.com",
    ]

    @Test func `a certificate has loopback, the names in containers and all of Apple's push hosts`() throws {
        let made = try ServerCertificate.make(additionalNames: ["push.example.com"])
        let facts = try CertificateFacts(pem: made.identity.certificateChainPEM)
        #expect(Set(facts.names.all) == Self.names.union(["push.example.com"]))
    }
}

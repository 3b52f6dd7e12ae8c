import MockAPNsCrypto
import MockAPNsRules
import Testing

@testable import MockAPNs
@testable import MockAPNsTransport

/// The certificates that faults show, and where they come from.
@Suite struct FaultyCertificateTests {
    @Test func `faulty certificates are issued by the server's authority`() throws {
        let made = try ServerCertificate.make(additionalNames: ["push.example.com"])
        let own = try CertificateFacts(pem: made.identity.certificateChainPEM)
        let expired = try CertificateFacts(pem: made.faultyCertificates.expired.certificateChainPEM)
        let elsewhere = try CertificateFacts(pem: made.faultyCertificates.wrongHost.certificateChainPEM)
        for facts in [expired, elsewhere] { #expect(try facts.isIssued(by: made.authorityPEM)) }
        #expect(expired.names == own.names)
        #expect(expired.notAfter <= own.notBefore)
        #expect(elsewhere.names.all == ["wrong-host.localhost"])
        #expect(elsewhere.notAfter == own.notAfter)
    }

    /// With certificates of its own, of the user's, and where the user gave none for faults.
    @Test func `faulty certificates are there whatever certificate the server has`() throws {
        let made = try ServerCertificate.make(additionalNames: [])
        let configurations: [(inout Configuration) -> Void] = [
            { _ in }, { $0.identity = made.identity },
            {
                $0.identity = made.identity
                $0.faultyCertificates = made.faultyCertificates
            },
        ]
        for change in configurations {
            var configuration = Configuration()
            change(&configuration)
            let credentials = try Credentials(configuration)
            for fault in [FaultAction.Handshake.expiredCertificate, .wrongHost] {
                let context = try #require(credentials.faultyTLS.context(for: fault))
                #expect(credentials.faultyTLS.context(for: fault) === context)
                #expect(context !== credentials.tls)
            }
        }
    }

    @Test func `faulty certificates that cannot be read are not shown`() throws {
        let broken = Configuration.Identity(certificateChainPEM: "", privateKeyPEM: "")
        var configuration = Configuration()
        configuration.faultyCertificates = FaultyCertificates(expired: broken, wrongHost: broken)
        let credentials = try Credentials(configuration)
        for fault in [FaultAction.Handshake.expiredCertificate, .wrongHost] {
            let context = credentials.faultyTLS.context(for: fault)
            #expect(context == nil)
        }
    }
}

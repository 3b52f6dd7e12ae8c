import Foundation
import MockAPNsCrypto
import MockAPNsRules
import NIOCore
import Testing

@testable import MockAPNsTransport

/// An authority and certificates, made once for all tests.
enum TLSFixture {
    static let names = CertificateNames(dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"])
    static let now = Int64(Date().timeIntervalSince1970)

    // Nothing here depends on input: what fails to be made is a broken test.
    static let authority: CertificateAuthority = make { try CertificateAuthority(names: names, now: now) }
    static let stranger: CertificateAuthority = make { try CertificateAuthority(names: names, now: now) }
    static let server: IssuedCertificate = make { try authority.issueServerCertificate(names: names, now: now) }
    static let client: IssuedCertificate = make { try stranger.issueServerCertificate(names: names, now: now) }

    static let expired: IssuedCertificate = make { try authority.issueExpiredServerCertificate(names: names, now: now) }
    static let elsewhere: IssuedCertificate = make {
        let names = CertificateNames(dnsNames: ["elsewhere.localhost"])
        return try authority.issueServerCertificate(names: names, now: now)
    }

    static let context = context()

    static func context(
        showing certificate: IssuedCertificate = server, minimumVersion: TLSContext.Version = .tls12,
        requiresALPN: Bool = false
    ) -> TLSContext {
        make {
            try TLSContext(
                certificateChainPEM: certificate.certificatePEM, privateKeyPEM: certificate.keyPEM,
                minimumVersion: minimumVersion, requiresALPN: requiresALPN)
        }
    }

    /// The server's side of a connection.
    static func connection(
        _ context: TLSContext = context, fault: FaultAction.Handshake? = nil,
        judge: @escaping ([[UInt8]]) -> JudgedCertificate? = { _ in nil }
    ) throws -> TLSConnection {
        try #require(TLSConnection(context: context, outbound: ByteBuffer(), fault: fault, judge: judge))
    }

    private static func make<Value>(_ value: () throws -> Value) -> Value {
        do { return try value() } catch { fatalError("\(error)") }
    }
}

internal import MockAPNsCrypto
internal import MockAPNsTransport
internal import MockAPNsWorld

/// Certificates that no client should take: what a server shows when a fault of the handshake wants it.
///
/// Made by the authority of the server's own certificate, so that what is wrong with them is all that is wrong.
public struct FaultyCertificates: Sendable {
    /// The one that ran out the day before it was made.
    public let expired: Configuration.Identity
    /// The one for another host.
    public let wrongHost: Configuration.Identity

    /// The host of `wrongHost`: below one of the server's names, because its authority vouches for no others.
    public static let otherHost = "wrong-host.localhost"

    /// Certificates that were made before.
    public init(expired: Configuration.Identity, wrongHost: Configuration.Identity) {
        self.expired = expired
        self.wrongHost = wrongHost
    }

    init(by authority: CertificateAuthority, names: CertificateNames, now: Int64) throws {
        let other = try CertificateNames(parsing: [Self.otherHost])
        expired = Configuration.Identity(try authority.issueExpiredServerCertificate(names: names, now: now))
        wrongHost = Configuration.Identity(try authority.issueServerCertificate(names: other, now: now))
    }
}

extension Configuration.Identity {
    init(_ issued: IssuedCertificate) {
        self.init(certificateChainPEM: issued.certificatePEM, privateKeyPEM: issued.keyPEM)
    }
}

extension FaultyTLS {
    /// Contexts that show these certificates or, without any, some of an untrusted authority.
    convenience init(_ certificates: FaultyCertificates?, requiresALPN: Bool) {
        self.init { wanted in
            do {
                let certificates =
                    try certificates ?? ServerCertificate.make(additionalNames: []).faultyCertificates
                let identity =
                    switch wanted {
                    case .expired: certificates.expired
                    case .wrongHost: certificates.wrongHost
                    }
                return try TLSContext(
                    certificateChainPEM: identity.certificateChainPEM,
                    privateKeyPEM: identity.privateKeyPEM,
                    requiresALPN: requiresALPN
                )
            } catch {
                // The connection is refused then, which its record says.
                return nil
            }
        }
    }
}

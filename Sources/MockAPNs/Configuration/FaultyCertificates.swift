internal import MockAPNsCrypto
internal import MockAPNsRules
internal import MockAPNsTransport
internal import MockAPNsWorld

/// The certificates of faults, which clients should reject.
///
/// They are issued by the authority of the server's certificate, so they are valid in all other respects.
public struct FaultyCertificates: Sendable {
    /// A certificate that expired the day before it was created.
    public let expired: Configuration.Identity
    /// A certificate for another host.
    public let wrongHost: Configuration.Identity

    /// The host of `wrongHost`: below one of the server's names, because its authority cannot certify others.
    public static let otherHost = "wrong-host.localhost"

    /// Creates a value from existing certificates.
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

    func tlsContext(requiresALPN: Bool = false, requiresClientCertificate: Bool = false) throws -> TLSContext {
        try TLSContext(
            certificateChainPEM: certificateChainPEM, privateKeyPEM: privateKeyPEM, requiresALPN: requiresALPN,
            requiresClientCertificate: requiresClientCertificate)
    }
}

extension FaultyTLS {
    /// Creates contexts with these certificates, or without any, with those of an untrusted authority.
    convenience init(_ certificates: FaultyCertificates?, requiresALPN: Bool) {
        self.init { fault in
            do {
                let certificates = try certificates ?? ServerCertificate.make(additionalNames: []).faultyCertificates
                let identity = fault == .expiredCertificate ? certificates.expired : certificates.wrongHost
                return try identity.tlsContext(requiresALPN: requiresALPN)
            } catch {
                // The connection is then refused, and its record says so.
                return nil
            }
        }
    }
}

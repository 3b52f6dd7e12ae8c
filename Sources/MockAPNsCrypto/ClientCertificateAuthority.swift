internal import CMockAPNsOpenSSL

/// An authority for client certificates.
///
/// Its extended key usage limits it to client certificates, so trusting it does not affect servers.
///
/// Safe to use from many threads at once.
package final class ClientCertificateAuthority: Sendable {
    private let issuer: CertificateIssuer

    /// Creates an authority, valid from a day before `now` to ten years after.
    ///
    /// - Throws: ``CertificateError`` for an invalid time.
    package init(now: Int64) throws {
        issuer = try CertificateIssuer("mock-apns client CA", now: now, years: 10) { draft in
            try draft.add(NID_ext_key_usage, "clientAuth")
        }
    }

    /// Uses an authority again.
    ///
    /// - Throws: ``CertificateError`` or ``KeyError`` if the texts cannot be read, or do not belong together.
    package init(certificatePEM: String, keyPEM: String) throws {
        issuer = try CertificateIssuer(certificatePEM: certificatePEM, keyPEM: keyPEM)
    }

    package var certificatePEM: String { issuer.certificatePEM }

    /// The private key as PKCS#8, not encrypted, to use the authority again.
    package func keyPEM() throws -> String { try withErrorQueue { try issuer.key.privatePEM() } }

    /// Issues a certificate for a TLS client, with a new key.
    ///
    /// Valid from a day before `now` to a year after, within the authority's own validity, unless `validity` is given.
    ///
    /// - Parameters:
    ///   - userID: The user identifier of the subject (0.9.2342.19200300.100.1.1).
    ///   - commonName: May be longer than the 64 characters of RFC 5280, as names of such clients are.
    ///   - extensions: Extensions by their object identifiers, each value in DER.
    ///   - now: The time, in UNIX seconds.
    ///   - validity: The first and the last second of the validity, which may lie outside the authority's.
    ///   - isSelfSigned: Whether it is signed with its own key, and not by the authority.
    /// - Returns: The certificate and its key.
    /// - Throws: ``CertificateError`` for a time that does not fit the authority.
    package func issue(
        userID: String, commonName: String, extensions: [(identifier: String, content: [UInt8])], now: Int64,
        validity: ClosedRange<Int64>? = nil, isSelfSigned: Bool = false
    ) throws -> IssuedCertificate {
        let validity = try validity ?? issuer.validity(of: now)
        guard validity.lowerBound >= 0, validity.upperBound <= CertificateIssuer.lastTime else {
            throw CertificateError.badTime(validity.lowerBound < 0 ? validity.lowerBound : validity.upperBound)
        }
        return try issuer.issue(
            [("UID", userID), ("CN", commonName)], for: "clientAuth", validity: validity, isSelfSigned: isSelfSigned
        ) { draft in for (identifier, content) in extensions { try draft.add(identifier: identifier, content: content) }
        }
    }
}

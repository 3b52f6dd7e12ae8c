internal import CMockAPNsOpenSSL

/// An authority for client certificates; its private key exists only in memory.
///
/// Its extended key usage limits it to client certificates, so trusting it does not affect servers.
///
/// Safe to use from many threads at once.
package final class ClientCertificateAuthority: Sendable {
    private let issuer: CertificateIssuer

    /// Creates an authority, valid from a day before `now` to a year after.
    ///
    /// - Throws: ``CertificateError`` for an invalid time.
    package init(now: Int64) throws {
        issuer = try CertificateIssuer("mock-apns client CA", now: now) { draft in
            try draft.add(NID_ext_key_usage, "clientAuth")
        }
    }

    package var certificatePEM: String { issuer.certificatePEM }

    /// Issues a certificate for a TLS client, with a new key.
    ///
    /// Valid from a day before `now` to a year after, but never outside the authority's own validity.
    ///
    /// - Parameters:
    ///   - userID: The user identifier of the subject (0.9.2342.19200300.100.1.1).
    ///   - commonName: May be longer than the 64 characters of RFC 5280, as names of such clients are.
    ///   - extensions: Extensions by their object identifiers, each value in DER.
    ///   - now: The time, in UNIX seconds.
    /// - Returns: The certificate and its key.
    /// - Throws: ``CertificateError`` for a time that does not fit the authority.
    package func issue(
        userID: String,
        commonName: String,
        extensions: [(identifier: String, content: [UInt8])],
        now: Int64
    ) throws -> IssuedCertificate {
        let subject = [("UID", userID), ("CN", commonName)]
        return try issuer.issue(subject, for: "clientAuth", validity: issuer.validity(of: now)) { draft in
            for (identifier, content) in extensions {
                try draft.add(identifier: identifier, content: content)
            }
        }
    }
}

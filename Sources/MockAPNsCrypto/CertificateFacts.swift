internal import CMockAPNsOpenSSL
internal import CMockAPNsShims

/// The contents of a certificate: enough to decide whether it can be used again.
///
/// Reading checks neither the time, nor a signature, nor trust.
package struct CertificateFacts: Sendable, Equatable {
    /// The subject as in RFC 2253, such as `CN=localhost`.
    package let subject: String
    /// The first second of the validity, in UNIX seconds.
    package let notBefore: Int64
    /// The last second of the validity, in UNIX seconds.
    package let notAfter: Int64
    /// The subject alternative names that are host names or addresses, in the certificate's order.
    ///
    /// Host names are spelled as in the certificate, addresses in their shortest form.
    package let names: CertificateNames
    /// The SHA-256 digest of the certificate: upper-case hexadecimal with colons.
    package let fingerprint: String
    /// Whether its name constraints have IP addresses, for which BoringSSL refuses what it issued.
    package let constrainsAddresses: Bool
    /// Whether the certificate names itself as its issuer, as root certificates do.
    package let isSelfIssued: Bool
    package let certificatePEM: String

    /// Reads the first certificate of a PEM text.
    ///
    /// Other blocks are ignored. The text may have 1 MiB at most.
    ///
    /// - Throws: ``CertificateError`` if there is no valid certificate.
    package init(pem: String) throws {
        self = try withErrorQueue { try CertificateFacts(X509Certificate.reading(pem: pem)) }
    }

    /// Reads every certificate of a PEM text, ignoring other blocks.
    ///
    /// - Throws: ``CertificateError`` for an invalid certificate.
    package static func chain(pem: String) throws -> [CertificateFacts] {
        try PEMBlock.all(in: pem).filter { $0.label == "CERTIFICATE" }.map { try CertificateFacts(pem: $0.text) }
    }

    private init(_ certificate: borrowing X509Certificate) throws {
        subject = try certificate.subject()
        (notBefore, notAfter) = try certificate.validity()
        names = try certificate.names()
        fingerprint = try certificate.fingerprint()
        constrainsAddresses = mockapns_X509_constrains_addresses(certificate.pointer) != 0
        let issuer = X509_get_issuer_name(certificate.pointer)
        isSelfIssued = X509_NAME_cmp(X509_get_subject_name(certificate.pointer), issuer) == 0
        certificatePEM = try certificate.pem()
    }

    /// Whether the certificate is for this private key.
    ///
    /// The first private key of the PEM text counts, of any kind, not encrypted.
    ///
    /// - Throws: ``KeyError`` if the text has no private key.
    package func matches(privateKeyPEM: String) throws -> Bool {
        try withErrorQueue {
            let key = try EllipticCurveKey.anyPrivateKey(pem: privateKeyPEM)
            defer { EVP_PKEY_free(key) }
            let certificate = try X509Certificate.reading(pem: certificatePEM)
            // Negative results mean keys of different kinds, which do not match either.
            return EVP_PKEY_eq(try certificate.publicKey(), key) == 1
        }
    }

    /// Whether the authority's key signed the certificate, and names, key identifiers and usage match.
    ///
    /// The first certificate of the authority's PEM text counts. Ignores the time.
    ///
    /// - Throws: ``CertificateError`` if there is no valid certificate.
    package func isIssued(by authorityPEM: String) throws -> Bool {
        try withErrorQueue {
            let authority = try X509Certificate.reading(pem: authorityPEM)
            let certificate = try X509Certificate.reading(pem: certificatePEM)
            guard X509_check_issued(authority.pointer, certificate.pointer) == X509_V_OK else { return false }
            switch X509_verify(certificate.pointer, try authority.publicKey()) {
            case 1: return true
            case 0: return false
            default: throw OpenSSLError.drain("check a certificate's signature")
            }
        }
    }
}

internal import CMockAPNsOpenSSL
internal import CMockAPNsShims

/// What a certificate says, read back from PEM: enough to decide whether it can be used again.
///
/// Reading judges nothing: neither the time, nor a signature, nor whether anybody trusts it.
public struct CertificateFacts: Sendable, Equatable {
    /// The subject as RFC 2253 writes it, such as `CN=localhost`.
    public let subject: String

    /// The first second of the validity, in UNIX seconds.
    public let notBefore: Int64

    /// The last second of the validity, in UNIX seconds.
    public let notAfter: Int64

    /// The subject alternative names that are host names or addresses, in the certificate's order.
    ///
    /// Host names are spelt as the certificate spells them, addresses in their shortest form.
    public let names: CertificateNames

    /// The SHA-256 digest of the certificate: upper-case hexadecimal with colons.
    public let fingerprint: String

    /// Whether the certificate may issue others: its basic constraints say CA, its key usage does not object.
    public let isAuthority: Bool

    /// Whether its name constraints have IP addresses, for which BoringSSL refuses what it issued.
    public let constrainsAddresses: Bool

    /// Whether the certificate names itself as its issuer, as root certificates do.
    public let isSelfIssued: Bool

    /// The certificate, in PEM.
    public let certificatePEM: String

    /// Reads the first certificate of a PEM text.
    ///
    /// Other blocks are passed over. The text may have 1 MiB at most.
    ///
    /// - Parameter pem: PEM with at least one `BEGIN CERTIFICATE` block.
    /// - Throws: ``CertificateError`` when there is no certificate that parses, ``OpenSSLError`` when OpenSSL
    ///   itself fails.
    public init(pem: String) throws {
        self = try withErrorQueue {
            let certificate = try X509Certificate.reading(pem: pem)
            return try CertificateFacts(certificate)
        }
    }

    /// Reads every certificate of a PEM text, in its order.
    ///
    /// - Parameter pem: PEM; blocks of other kinds are passed over.
    /// - Returns: The certificates, possibly none.
    /// - Throws: ``CertificateError`` for a certificate that does not parse, ``OpenSSLError`` when OpenSSL
    ///   itself fails.
    public static func chain(pem: String) throws -> [CertificateFacts] {
        try PEMBlock.all(in: pem).filter { $0.label == "CERTIFICATE" }.map { block in
            guard block.isComplete else {
                throw CertificateError.damaged(because: "the line -----END CERTIFICATE----- is missing")
            }
            return try CertificateFacts(pem: block.text)
        }
    }

    private init(_ certificate: borrowing X509Certificate) throws {
        subject = try certificate.subject()
        (notBefore, notAfter) = try certificate.validity()
        names = try certificate.names()
        fingerprint = try certificate.fingerprint()
        isAuthority = X509_check_ca(certificate.pointer) == 1
        constrainsAddresses = mockapns_X509_constrains_addresses(certificate.pointer) != 0
        isSelfIssued =
            X509_NAME_cmp(
                X509_get_subject_name(certificate.pointer),
                X509_get_issuer_name(certificate.pointer)
            ) == 0
        certificatePEM = try certificate.pem()
    }

    /// Whether the certificate is for this private key.
    ///
    /// - Parameter privateKeyPEM: A private key of any kind, not encrypted; the first in the text counts.
    /// - Returns: `false` as well when the key is of another kind than the certificate's.
    /// - Throws: ``KeyError`` when the text holds no private key, ``OpenSSLError`` when OpenSSL itself fails.
    public func matches(privateKeyPEM: String) throws -> Bool {
        try withErrorQueue {
            let key = try EllipticCurveKey.anyPrivateKey(pem: privateKeyPEM)
            defer { EVP_PKEY_free(key) }
            let certificate = try X509Certificate.reading(pem: certificatePEM)
            guard let certified = X509_get0_pubkey(certificate.pointer) else {
                throw OpenSSLError.drain("read a certificate's key")
            }
            // Negative results mean keys of different kinds, which is as good an answer as 0.
            return EVP_PKEY_eq(certified, key) == 1
        }
    }

    /// Whether the authority's key signed the certificate, and names, key identifiers and usage say so too.
    ///
    /// - Parameter authorityPEM: The authority's certificate; the first in the text counts.
    /// - Returns: `true` only if all of that holds; time plays no part.
    /// - Throws: ``CertificateError`` when there is no certificate that parses, ``OpenSSLError`` when OpenSSL
    ///   itself fails.
    public func isIssued(by authorityPEM: String) throws -> Bool {
        try withErrorQueue {
            let authority = try X509Certificate.reading(pem: authorityPEM)
            let certificate = try X509Certificate.reading(pem: certificatePEM)
            guard X509_check_issued(authority.pointer, certificate.pointer) == X509_V_OK else { return false }
            guard let key = X509_get0_pubkey(authority.pointer) else {
                throw OpenSSLError.drain("read an authority's key")
            }
            switch X509_verify(certificate.pointer, key) {
            case 1: return true
            case 0: return false
            default: throw OpenSSLError.drain("check a certificate's signature")
            }
        }
    }
}

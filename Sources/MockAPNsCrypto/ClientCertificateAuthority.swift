internal import CMockAPNsOpenSSL

/// An authority for certificates that clients show, whose private key lives in memory only and has no way out.
///
/// Its extended key usage limits it to certificates for clients: who trusts it takes no server for another.
///
/// Safe to use from many threads at once.
public final class ClientCertificateAuthority: Sendable {
    /// What a certificate is for, and what it says besides.
    public struct Request: Sendable {
        /// The user identifier of the subject (0.9.2342.19200300.100.1.1).
        public let userID: String
        /// The common name; it may be longer than the 64 characters of RFC 5280, as names of such clients are.
        public let commonName: String
        /// Extensions by their object identifiers, each value in DER.
        public let extensions: [(identifier: String, content: [UInt8])]

        /// Asks for a certificate with this subject and these extensions.
        public init(
            userID: String,
            commonName: String,
            extensions: [(identifier: String, content: [UInt8])]
        ) {
            self.userID = userID
            self.commonName = commonName
            self.extensions = extensions
        }
    }

    /// The authority's own certificate.
    public let certificatePEM: String

    private let key: EllipticCurveKey
    private let validity: ClosedRange<Int64>

    /// Makes an authority, valid from a day before `now` to a year after.
    ///
    /// - Parameter now: The time, in UNIX seconds.
    /// - Throws: ``CertificateError`` for a bad time, ``OpenSSLError`` when OpenSSL itself fails.
    public init(now: Int64) throws {
        let validity = try CertificateAuthority.validity(around: now)
        (key, certificatePEM) = try withErrorQueue {
            let key = try EllipticCurveKey.generate()
            let commonName = "mock-apns client CA \(try CertificateDraft.shortKeyID(of: key))"
            let draft = try CertificateDraft(commonName: commonName, key: key, validity: validity)
            try draft.add(NID_basic_constraints, "critical,CA:TRUE,pathlen:0")
            try draft.add(NID_key_usage, "critical,keyCertSign,cRLSign")
            try draft.add(NID_ext_key_usage, "clientAuth")
            try draft.add(NID_subject_key_identifier, "hash")
            return (key, try draft.signed(by: key, issuer: nil).pem())
        }
        self.validity = validity
    }

    /// Issues a certificate for a TLS client, with a new key of its own.
    ///
    /// Valid from a day before `now` to a year after, but never outside the authority's own validity.
    ///
    /// - Parameters:
    ///   - request: What the certificate says.
    ///   - now: The time, in UNIX seconds.
    /// - Returns: The certificate and its key, which exists nowhere else.
    /// - Throws: ``CertificateError`` for a time that does not fit the authority, ``OpenSSLError`` when OpenSSL
    ///   itself fails.
    public func issue(_ request: Request, now: Int64) throws -> IssuedCertificate {
        guard validity.contains(now) else {
            throw CertificateError.authorityNotValid(now: now, validity: validity)
        }
        let validity = try CertificateAuthority.validity(around: now).clamped(to: validity)
        return try withErrorQueue {
            let issuer = try X509Certificate.reading(pem: certificatePEM)
            let leafKey = try EllipticCurveKey.generate()
            let subject = [
                CertificateDraft.Entry(field: "UID", value: request.userID, isBounded: false),
                CertificateDraft.Entry(field: "CN", value: request.commonName, isBounded: false),
            ]
            let draft = try CertificateDraft(subject: subject, key: leafKey, validity: validity)
            try draft.add(NID_basic_constraints, "critical,CA:FALSE")
            try draft.add(NID_key_usage, "critical,digitalSignature")
            try draft.add(NID_ext_key_usage, "clientAuth")
            try draft.add(NID_subject_key_identifier, "hash")
            try draft.add(NID_authority_key_identifier, "keyid:always", issuer: issuer)
            for (identifier, content) in request.extensions {
                try draft.add(identifier: identifier, content: content)
            }
            let certificate = try draft.signed(by: key, issuer: issuer.pointer)
            return IssuedCertificate(certificatePEM: try certificate.pem(), keyPEM: try leafKey.privatePEM())
        }
    }
}

internal import CMockAPNsOpenSSL

/// The common part of certificate authorities: a certificate and its key.
struct CertificateIssuer: Sendable {
    static let day: Int64 = 86_400
    private static let year: Int64 = 365 * day

    let certificatePEM: String
    let key: EllipticCurveKey
    private let validity: ClosedRange<Int64>

    /// Uses an authority again; its key must be the certificate's.
    init(certificatePEM: String, keyPEM: String) throws {
        (key, validity, self.certificatePEM) = try withErrorQueue {
            let certificate = try X509Certificate.reading(pem: certificatePEM)
            let key = try EllipticCurveKey.privateKey(pem: keyPEM)
            guard EVP_PKEY_eq(try certificate.publicKey(), key.pointer) == 1 else {
                throw CertificateError.damaged(reason: "the key does not match the certificate")
            }
            let (notBefore, notAfter) = try certificate.validity()
            guard notBefore <= notAfter else { throw CertificateError.damaged(reason: "it is never valid") }
            return (key, notBefore...notAfter, try certificate.pem())
        }
    }

    /// Creates an authority, valid from a day before `now` to some years after.
    ///
    /// Its common name begins with `name`; `limit` adds the extensions that limit what it may issue.
    init(_ name: String, now: Int64, years: Int64 = 1, _ limit: (borrowing CertificateDraft) throws -> Void) throws {
        let validity = try Self.validity(around: now, years: years)
        (key, certificatePEM) = try withErrorQueue {
            let key = try EllipticCurveKey.generate()
            let commonName = "\(name) \(try CertificateDraft.shortKeyID(of: key))"
            let draft = try CertificateDraft(subject: [("CN", commonName)], key: key, validity: validity)
            try draft.add(NID_basic_constraints, "critical,CA:TRUE,pathlen:0")
            try draft.add(NID_key_usage, "critical,keyCertSign,cRLSign")
            try draft.add(NID_subject_key_identifier, "hash")
            try limit(draft)
            return (key, try draft.signed(by: key, issuer: nil).pem())
        }
        self.validity = validity
    }

    /// Issues a certificate with a new key, without checking whether clients will accept it.
    ///
    /// Its extended key usage is `usage`, such as `serverAuth`; `extend` adds further extensions. If `isSelfSigned`, it
    /// is its own issuer.
    func issue(
        _ subject: [CertificateDraft.Entry], for usage: String, validity: ClosedRange<Int64>,
        isSelfSigned: Bool = false, _ extend: (borrowing CertificateDraft) throws -> Void
    ) throws -> IssuedCertificate {
        try withErrorQueue {
            let issuer = try X509Certificate.reading(pem: certificatePEM)
            let leafKey = try EllipticCurveKey.generate()
            let draft = try CertificateDraft(subject: subject, key: leafKey, validity: validity)
            try draft.add(NID_basic_constraints, "critical,CA:FALSE")
            try draft.add(NID_key_usage, "critical,digitalSignature")
            try draft.add(NID_ext_key_usage, usage)
            try draft.add(NID_subject_key_identifier, "hash")
            let (signer, name) = isSelfSigned ? (leafKey, nil) : (key, issuer.pointer)
            if let name { try draft.add(NID_authority_key_identifier, "keyid:always", issuer: name) }
            try extend(draft)
            let certificate = try draft.signed(by: signer, issuer: name)
            return IssuedCertificate(certificatePEM: try certificate.pem(), keyPEM: try leafKey.privatePEM())
        }
    }

    /// The validity of a certificate issued now: a day before to a year after, within the authority's own.
    func validity(of now: Int64) throws(CertificateError) -> ClosedRange<Int64> {
        guard validity.contains(now) else { throw .authorityNotValid(now: now, validity: validity) }
        return try Self.validity(around: now).clamped(to: validity)
    }

    static func validity(around now: Int64, years: Int64 = 1) throws(CertificateError) -> ClosedRange<Int64> {
        guard (day...lastTime - years * year).contains(now) else { throw CertificateError.badTime(now) }
        return (now - day)...(now + years * year)
    }

    /// The last second of the year 9999, the last that a certificate can express (RFC 5280, 4.1.2.5).
    static let lastTime: Int64 = 253_402_300_799
}

internal import CMockAPNsOpenSSL
internal import MockAPNsFormats

/// A certificate that is being created: subject, key and validity first, then extensions, then the signature.
struct CertificateDraft: ~Copyable {
    private let certificate: X509Certificate

    /// A part of a subject: the short name of its kind in OpenSSL, and its value.
    typealias Entry = (field: String, value: String)

    /// Begins a certificate of version 3 with a random serial number of 128 bits.
    init(subject: [Entry], key: EllipticCurveKey, validity: ClosedRange<Int64>) throws(OpenSSLError) {
        let certificate = try Self.empty()
        guard X509_set_version(certificate.pointer, 2) == 1, X509_set_pubkey(certificate.pointer, key.pointer) == 1,
            ASN1_TIME_set(X509_getm_notBefore(certificate.pointer), Int(validity.lowerBound)) != nil,
            ASN1_TIME_set(X509_getm_notAfter(certificate.pointer), Int(validity.upperBound)) != nil
        else { throw OpenSSLError.drain("begin a certificate") }
        try Self.setSerialNumber(of: certificate)
        try Self.setSubject(subject, of: certificate)
        self.certificate = certificate
    }

    /// The first eight digits of the key identifier: the key's SHA-1 digest (RFC 5280, 4.2.1.2).
    static func shortKeyID(of key: EllipticCurveKey) throws(OpenSSLError) -> String {
        let certificate = try empty()
        var digest = [UInt8](repeating: 0, count: 20)
        var count: CUnsignedInt = 0
        guard X509_set_pubkey(certificate.pointer, key.pointer) == 1,
            X509_pubkey_digest(certificate.pointer, EVP_sha1(), &digest, &count) == 1, count == 20
        else { throw OpenSSLError.drain("compute a key identifier") }
        return HexDigit.text(of: digest.prefix(4))
    }

    /// Adds an extension, its value written as in an `openssl.cnf` file, so names in it must not have commas.
    ///
    /// Without an issuer, the certificate counts as its own.
    func add(_ identifier: CInt, _ value: String, issuer: OpaquePointer? = nil) throws(OpenSSLError) {
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuer ?? certificate.pointer, certificate.pointer, nil, nil, 0)
        try append(X509V3_EXT_nconf_nid(nil, &context, identifier, value))
    }

    /// Adds an extension that OpenSSL may not know, its value in DER.
    func add(identifier: String, content: [UInt8]) throws(OpenSSLError) {
        let kind = try OpenSSLError.check(OBJ_txt2obj(identifier, 1), "read an object identifier")
        defer { ASN1_OBJECT_free(kind) }
        let value = try OpenSSLError.check(ASN1_OCTET_STRING_new(), "allocate a certificate extension")
        defer { ASN1_OCTET_STRING_free(value) }
        let isSet = ASN1_OCTET_STRING_set(value, content, CInt(content.count)) == 1
        try OpenSSLError.check(isSet, "make a certificate extension")
        try append(X509_EXTENSION_create_by_OBJ(nil, kind, 0, value))
    }

    private func append(_ addition: OpaquePointer?) throws(OpenSSLError) {
        let addition = try OpenSSLError.check(addition, "make a certificate extension")
        defer { X509_EXTENSION_free(addition) }
        let isAdded = X509_add_ext(certificate.pointer, addition, -1) == 1
        try OpenSSLError.check(isAdded, "add a certificate extension")
    }

    /// Sets the issuer and signs; without an issuer, the certificate is self-signed.
    consuming func signed(by key: EllipticCurveKey, issuer: OpaquePointer?) throws(OpenSSLError) -> X509Certificate {
        let name = X509_get_subject_name(issuer ?? certificate.pointer)
        guard X509_set_issuer_name(certificate.pointer, name) == 1,
            X509_sign(certificate.pointer, key.pointer, EVP_sha256()) > 0
        else { throw OpenSSLError.drain("sign a certificate") }
        return certificate
    }

    private static func empty() throws(OpenSSLError) -> X509Certificate {
        X509Certificate(owning: try OpenSSLError.check(X509_new(), "allocate a certificate"))
    }

    private static func setSerialNumber(of certificate: borrowing X509Certificate) throws(OpenSSLError) {
        var bytes = [UInt8](repeating: 0, count: 16)
        guard RAND_bytes(&bytes, CInt(bytes.count)) == 1, let number = BN_bin2bn(bytes, CInt(bytes.count), nil) else {
            throw OpenSSLError.drain("make a serial number")
        }
        defer { BN_free(number) }
        let isSet = BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate.pointer)) != nil
        try OpenSSLError.check(isSet, "set a serial number")
    }

    private static func setSubject(_ entries: [Entry], of certificate: borrowing X509Certificate) throws(OpenSSLError) {
        let name = try OpenSSLError.check(X509_NAME_new(), "allocate a subject")
        defer { X509_NAME_free(name) }
        for (field, value) in entries {
            let size = CInt(value.utf8.count)
            // As this type, the common name may be longer than the 64 characters of RFC 5280, appendix A.1.
            let added = X509_NAME_add_entry_by_txt(name, field, V_ASN1_UTF8STRING, value, size, -1, 0)
            try OpenSSLError.check(added == 1, "set a subject")
        }
        try OpenSSLError.check(X509_set_subject_name(certificate.pointer, name) == 1, "set a subject")
    }
}

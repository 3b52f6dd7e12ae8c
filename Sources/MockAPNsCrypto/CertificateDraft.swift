internal import CMockAPNsOpenSSL
internal import MockAPNsFormats

/// A certificate that is being created: subject, key and validity first, then extensions, then the signature.
struct CertificateDraft: ~Copyable {
    private let certificate: X509Certificate

    /// Begins a certificate of version 3 with a random serial number of 128 bits.
    ///
    /// The common name may have 64 characters at most (the upper bound of RFC 5280, appendix A.1).
    init(commonName: String, key: EllipticCurveKey, validity: ClosedRange<Int64>) throws(OpenSSLError) {
        try self.init(subject: [Entry(field: "CN", value: commonName)], key: key, validity: validity)
    }

    /// A part of a subject.
    struct Entry {
        /// The short name of its kind in OpenSSL.
        let field: String
        let value: String
        /// Whether the upper bounds of RFC 5280, appendix A.1, apply.
        var isBounded = true
    }

    /// Begins a certificate for a subject of several parts, in this order.
    init(subject: [Entry], key: EllipticCurveKey, validity: ClosedRange<Int64>) throws(OpenSSLError) {
        let certificate = try Self.empty()
        guard X509_set_version(certificate.pointer, 2) == 1,
            X509_set_pubkey(certificate.pointer, key.pointer) == 1,
            ASN1_TIME_set(X509_getm_notBefore(certificate.pointer), Int(validity.lowerBound)) != nil,
            ASN1_TIME_set(X509_getm_notAfter(certificate.pointer), Int(validity.upperBound)) != nil
        else { throw OpenSSLError.drain("begin a certificate") }
        try Self.setSerialNumber(of: certificate)
        try Self.setSubject(subject, of: certificate)
        self.certificate = certificate
    }

    /// The first eight digits of the SHA-1 digest of the key, as key identifiers have it (RFC 5280, 4.2.1.2).
    static func shortKeyID(of key: EllipticCurveKey) throws(OpenSSLError) -> String {
        let certificate = try empty()
        var digest = [UInt8](repeating: 0, count: 20)
        var count: CUnsignedInt = 0
        guard X509_set_pubkey(certificate.pointer, key.pointer) == 1,
            X509_pubkey_digest(certificate.pointer, EVP_sha1(), &digest, &count) == 1, count == 20
        else { throw OpenSSLError.drain("compute a key identifier") }
        return HexDigit.text(of: digest.prefix(4))
    }

    /// Adds an extension, its value written as in an `openssl.cnf` file.
    ///
    /// Names in the value must not have commas.
    func add(_ identifier: CInt, _ value: String, issuer: borrowing X509Certificate) throws(OpenSSLError) {
        try add(identifier, value, issuer: issuer.pointer)
    }

    /// Adds an extension of a certificate that counts as its own issuer.
    func add(_ identifier: CInt, _ value: String) throws(OpenSSLError) {
        try add(identifier, value, issuer: certificate.pointer)
    }

    private func add(_ identifier: CInt, _ value: String, issuer: OpaquePointer) throws(OpenSSLError) {
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuer, certificate.pointer, nil, nil, 0)
        try append(X509V3_EXT_nconf_nid(nil, &context, identifier, value))
    }

    /// Adds an extension that OpenSSL need not know, its value in DER.
    func add(identifier: String, content: [UInt8]) throws(OpenSSLError) {
        guard let kind = OBJ_txt2obj(identifier, 1) else {
            throw OpenSSLError.drain("read an object identifier")
        }
        defer { ASN1_OBJECT_free(kind) }
        guard let value = ASN1_OCTET_STRING_new() else {
            throw OpenSSLError.drain("allocate a certificate extension")
        }
        defer { ASN1_OCTET_STRING_free(value) }
        guard ASN1_OCTET_STRING_set(value, content, CInt(content.count)) == 1 else {
            throw OpenSSLError.drain("make a certificate extension")
        }
        try append(X509_EXTENSION_create_by_OBJ(nil, kind, 0, value))
    }

    private func append(_ addition: OpaquePointer?) throws(OpenSSLError) {
        guard let addition else { throw OpenSSLError.drain("make a certificate extension") }
        defer { X509_EXTENSION_free(addition) }
        guard X509_add_ext(certificate.pointer, addition, -1) == 1 else {
            throw OpenSSLError.drain("add a certificate extension")
        }
    }

    /// Names the issuer and signs; `nil` for a certificate that signs itself.
    consuming func signed(
        by key: EllipticCurveKey,
        issuer: OpaquePointer?
    ) throws(OpenSSLError) -> X509Certificate {
        let name = X509_get_subject_name(issuer ?? certificate.pointer)
        guard X509_set_issuer_name(certificate.pointer, name) == 1,
            X509_sign(certificate.pointer, key.pointer, EVP_sha256()) > 0
        else { throw OpenSSLError.drain("sign a certificate") }
        return certificate
    }

    private static func empty() throws(OpenSSLError) -> X509Certificate {
        guard let pointer = X509_new() else { throw OpenSSLError.drain("allocate a certificate") }
        return X509Certificate(owning: pointer)
    }

    private static func setSerialNumber(of certificate: borrowing X509Certificate) throws(OpenSSLError) {
        var bytes = [UInt8](repeating: 0, count: 16)
        guard RAND_bytes(&bytes, CInt(bytes.count)) == 1,
            let number = BN_bin2bn(bytes, CInt(bytes.count), nil)
        else { throw OpenSSLError.drain("make a serial number") }
        defer { BN_free(number) }
        guard BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate.pointer)) != nil else {
            throw OpenSSLError.drain("set a serial number")
        }
    }

    private static func setSubject(
        _ entries: [Entry],
        of certificate: borrowing X509Certificate
    ) throws(OpenSSLError) {
        guard let name = X509_NAME_new() else { throw OpenSSLError.drain("allocate a subject") }
        defer { X509_NAME_free(name) }
        for entry in entries {
            let bytes = Array(entry.value.utf8)
            let form = entry.isBounded ? MBSTRING_UTF8 : V_ASN1_UTF8STRING
            let size = CInt(bytes.count)
            let added = X509_NAME_add_entry_by_txt(name, entry.field, form, bytes, size, -1, 0)
            guard added == 1 else { throw OpenSSLError.drain("set a subject") }
        }
        guard X509_set_subject_name(certificate.pointer, name) == 1 else {
            throw OpenSSLError.drain("set a subject")
        }
    }
}

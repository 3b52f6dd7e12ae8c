internal import CMockAPNsOpenSSL
internal import CMockAPNsShims
internal import MockAPNsFormats

/// Owns an `X509`: a certificate that was read, or one that is being made.
struct X509Certificate: ~Copyable {
    let pointer: OpaquePointer

    /// The longest PEM text that is read, in bytes.
    static let maximumLength = 1 << 20

    /// Takes over the reference that the caller holds.
    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { X509_free(pointer) }

    /// Reads the first certificate of a PEM text.
    static func reading(pem: String) throws -> X509Certificate {
        guard pem.utf8.count <= maximumLength else { throw CertificateError.tooLong(count: pem.utf8.count) }
        let blocks = PEMBlock.all(in: pem)
        guard let block = blocks.first(where: { $0.label == "CERTIFICATE" }) else {
            throw CertificateError.noCertificate(labels: blocks.map(\.label))
        }
        guard block.isComplete else {
            throw CertificateError.damaged(reason: "the line -----END CERTIFICATE----- is missing")
        }
        let bio = try MemoryBIO.reading(block.text)
        guard let pointer = PEM_read_bio_X509(bio.pointer, nil, nil, nil) else {
            let error = OpenSSLError.drain("read a certificate")
            throw CertificateError.damaged(reason: error.reasons(or: "its content is not a certificate"))
        }
        return X509Certificate(owning: pointer)
    }

    /// Reads a certificate in DER, which must be nothing but the certificate.
    static func reading(der: [UInt8]) throws -> X509Certificate {
        guard der.count <= maximumLength else { throw CertificateError.tooLong(count: der.count) }
        let (pointer, isWhole) = der.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            let pointer = d2i_X509(nil, &start, CLong(bytes.count))
            return (pointer, start == bytes.baseAddress.map { $0 + bytes.count })
        }
        guard let pointer else {
            let error = OpenSSLError.drain("read a certificate")
            throw CertificateError.damaged(reason: error.reasons(or: "its content is not a certificate"))
        }
        let certificate = X509Certificate(owning: pointer)
        guard isWhole else { throw CertificateError.damaged(reason: "something follows it") }
        return certificate
    }

    func pem() throws(OpenSSLError) -> String {
        let pointer = pointer
        return try MemoryBIO.text("write a certificate") { PEM_write_bio_X509($0, pointer) == 1 }
    }

    /// The key that the certificate is for, which belongs to the certificate.
    func publicKey() throws(OpenSSLError) -> OpaquePointer {
        try OpenSSLError.check(X509_get0_pubkey(pointer), "read a certificate's key")
    }

    /// The SHA-256 digest of the whole certificate: upper-case hexadecimal with colons.
    func fingerprint() throws(OpenSSLError) -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        var count: CUnsignedInt = 0
        let isDone = X509_digest(pointer, EVP_sha256(), &digest, &count) == 1 && count == 32
        try OpenSSLError.check(isDone, "compute a fingerprint")
        return digest.map { HexDigit.text(of: [$0]).uppercased() }.joined(separator: ":")
    }

    /// The subject in the format of RFC 2253, most specific part first.
    func subject() throws(OpenSSLError) -> String { try Self.text(of: X509_get_subject_name(pointer)) }

    /// The issuer in the same format.
    func issuer() throws(OpenSSLError) -> String { try Self.text(of: X509_get_issuer_name(pointer)) }

    private static func text(of name: OpaquePointer?) throws(OpenSSLError) -> String {
        try MemoryBIO.text("write a name") { mockapns_X509_NAME_print($0, name) >= 0 }
    }

    /// The serial number in uppercase hexadecimal digits.
    func serial() throws(OpenSSLError) -> String {
        let number = ASN1_INTEGER_to_BN(X509_get0_serialNumber(pointer), nil)
        defer { BN_free(number) }
        let text = try OpenSSLError.check(number.flatMap(BN_bn2hex), "read a serial number")
        defer { CRYPTO_free(text, nil, 0) }
        return String(cString: text)
    }

    /// The first user identifier of the subject (0.9.2342.19200300.100.1.1).
    func userID() -> String? {
        let name = X509_get_subject_name(pointer)
        let position = X509_NAME_get_index_by_NID(name, NID_userId, -1)
        guard position >= 0, let value = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, position)) else {
            return nil
        }
        var text: UnsafeMutablePointer<UInt8>?
        let count = ASN1_STRING_to_UTF8(&text, value)
        guard count >= 0, let text else { return nil }
        defer { CRYPTO_free(text, nil, 0) }
        return String(decoding: UnsafeBufferPointer(start: text, count: Int(count)), as: UTF8.self)
    }

    /// The two ends of the validity, in UNIX seconds.
    func validity() throws -> (notBefore: Int64, notAfter: Int64) {
        let epoch = try OpenSSLError.check(ASN1_TIME_set(nil, 0), "make a time")
        defer { ASN1_TIME_free(epoch) }
        func seconds(_ time: UnsafePointer<ASN1_TIME>?, _ name: String) throws(CertificateError) -> Int64 {
            var (days, seconds): (CInt, CInt) = (0, 0)
            guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else {
                throw .damaged(reason: "the time \(name) is invalid")
            }
            return Int64(days) * 86_400 + Int64(seconds)
        }
        let notBefore = try seconds(X509_get0_notBefore(pointer), "notBefore")
        return (notBefore, try seconds(X509_get0_notAfter(pointer), "notAfter"))
    }

    /// The DNS names and IP addresses of the subject alternative names; other kinds are skipped.
    func names() throws -> CertificateNames {
        var position: CInt = -1
        guard let value = X509_get_ext_d2i(pointer, NID_subject_alt_name, &position, nil) else {
            // -1: there is no such extension. Otherwise there are two, or one that does not parse.
            guard position == -1 else {
                throw CertificateError.damaged(reason: "its subject alternative names do not parse")
            }
            return CertificateNames()
        }
        let list = OpaquePointer(value)
        defer { GENERAL_NAMES_free(list) }
        var names = CertificateNames()
        for index in 0..<mockapns_GENERAL_NAMES_count(list) {
            var start: UnsafePointer<UInt8>?
            var count: CInt = 0
            let kind = mockapns_GENERAL_NAMES_get(list, index, &start, &count)
            let bytes = UnsafeBufferPointer(start: start, count: Int(count))
            if kind == GEN_DNS {
                names.dnsNames.append(String(decoding: bytes, as: UTF8.self))
            } else if kind == GEN_IPADD {
                guard let address = IPAddressText.text(of: bytes) else {
                    throw CertificateError.damaged(reason: "an IP address in it has \(count) bytes")
                }
                names.ipAddresses.append(address)
            }
        }
        return names
    }
}

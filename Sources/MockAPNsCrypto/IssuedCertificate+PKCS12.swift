internal import CMockAPNsOpenSSL

extension IssuedCertificate {
    /// How often a password is hashed; OpenSSL's own number.
    private static let rounds: CInt = 2_048

    /// The certificate and its key as a PKCS#12 file (`.p12`, `.pfx`).
    ///
    /// Encrypted with Triple DES, and authenticated with SHA-1: what macOS, Windows, Java, Node and Go all read. The
    /// authority's certificate is left out, because Go's reader takes no more than one.
    ///
    /// - Parameters:
    ///   - password: What opens the file; without a NUL.
    ///   - name: What programs show for it.
    /// - Returns: The file's bytes.
    /// - Throws: ``OpenSSLError`` when OpenSSL itself fails.
    public func pkcs12(password: String, name: String) throws -> [UInt8] {
        try withErrorQueue {
            let certificate = try X509Certificate.reading(pem: certificatePEM)
            let key = try EllipticCurveKey.privateKey(pem: keyPEM)
            let cipher = NID_pbe_WithSHA1And3_Key_TripleDES_CBC
            // Without a check value here (-1): OpenSSL's own choice for it is newer than some readers.
            guard
                let store = PKCS12_create(
                    password,
                    name,
                    key.pointer,
                    certificate.pointer,
                    nil,
                    cipher,
                    cipher,
                    Self.rounds,
                    -1,
                    0
                )
            else { throw OpenSSLError.drain("make a PKCS#12 file") }
            defer { PKCS12_free(store) }
            guard PKCS12_set_mac(store, password, -1, nil, 0, Self.rounds, EVP_sha1()) == 1 else {
                throw OpenSSLError.drain("protect a PKCS#12 file")
            }
            let file = try MemoryBIO()
            guard i2d_PKCS12_bio(file.pointer, store) == 1 else {
                throw OpenSSLError.drain("write a PKCS#12 file")
            }
            return file.bytes
        }
    }
}

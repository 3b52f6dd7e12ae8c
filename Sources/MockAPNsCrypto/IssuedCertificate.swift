internal import CMockAPNsOpenSSL

/// A certificate and the private key that belongs to it, both in PEM.
package struct IssuedCertificate: Sendable {
    /// The certificate, without that of its issuer.
    package let certificatePEM: String
    /// The private key as PKCS#8, not encrypted.
    package let keyPEM: String

    /// The certificate and its key as a PKCS#12 file (`.p12`, `.pfx`).
    ///
    /// Encrypted with Triple DES, and authenticated with SHA-1: what macOS, Windows, Java, Node and Go all read. If
    /// `isLegacy`, the certificate is encrypted with RC2 of 40 bits, as in files of the time before. The authority's
    /// certificate is left out, because Go's reader takes no more than one.
    /// The password must not have a NUL; programs show `name` for the certificate.
    package func pkcs12(password: String, name: String, isLegacy: Bool = false) throws -> [UInt8] {
        try withErrorQueue {
            // A library context of its own, so that nothing else in the process can use what is outdated.
            let library = isLegacy ? try OpenSSLError.check(OSSL_LIB_CTX_new(), "make a library context") : nil
            defer { OSSL_LIB_CTX_free(library) }
            if library != nil {
                for provider in ["default", "legacy"] {
                    let loaded = OSSL_PROVIDER_load(library, provider)
                    try OpenSSLError.check(loaded != nil, "load its provider \"\(provider)\" for RC2")
                }
            }
            let certificate = try X509Certificate.reading(pem: certificatePEM)
            let key = try EllipticCurveKey.privateKey(pem: keyPEM)
            let (signing, signed) = (key.pointer, certificate.pointer)
            let cipher = NID_pbe_WithSHA1And3_Key_TripleDES_CBC
            // OpenSSL's default number of times that a password is hashed.
            let rounds: CInt = 2_048
            // Without a check value here (-1): some readers do not know the algorithm that OpenSSL would choose.
            let outer = isLegacy ? NID_pbe_WithSHA1And40BitRC2_CBC : cipher
            let made = PKCS12_create_ex(
                password, name, signing, signed, nil, cipher, outer, rounds, -1, 0, library, nil)
            let store = try OpenSSLError.check(made, "make a PKCS#12 file")
            defer { PKCS12_free(store) }
            let isProtected = PKCS12_set_mac(store, password, -1, nil, 0, rounds, EVP_sha1()) == 1
            try OpenSSLError.check(isProtected, "protect a PKCS#12 file")
            let file = try MemoryBIO()
            try OpenSSLError.check(i2d_PKCS12_bio(file.pointer, store) == 1, "write a PKCS#12 file")
            return file.bytes
        }
    }
}

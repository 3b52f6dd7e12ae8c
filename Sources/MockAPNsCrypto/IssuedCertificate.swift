internal import CMockAPNsOpenSSL

/// A certificate and the private key that belongs to it, both in PEM.
package struct IssuedCertificate: Sendable {
    /// The certificate, without that of its issuer.
    package let certificatePEM: String
    /// The private key as PKCS#8, not encrypted.
    package let keyPEM: String

    /// The certificate and its key as a PKCS#12 file (`.p12`, `.pfx`).
    ///
    /// Encrypted with Triple DES, and authenticated with SHA-1: what macOS, Windows, Java, Node and Go all read. The
    /// authority's certificate is left out, because Go's reader takes no more than one.
    /// The password must not have a NUL; programs show `name` for the certificate.
    package func pkcs12(password: String, name: String) throws -> [UInt8] {
        try withErrorQueue {
            let certificate = try X509Certificate.reading(pem: certificatePEM)
            let key = try EllipticCurveKey.privateKey(pem: keyPEM)
            let (signing, signed) = (key.pointer, certificate.pointer)
            let cipher = NID_pbe_WithSHA1And3_Key_TripleDES_CBC
            // OpenSSL's default number of times that a password is hashed.
            let rounds: CInt = 2_048
            // Without a check value here (-1): some readers do not know the algorithm that OpenSSL would choose.
            let made = PKCS12_create(password, name, signing, signed, nil, cipher, cipher, rounds, -1, 0)
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

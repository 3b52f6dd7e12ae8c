internal import CMockAPNsOpenSSL
internal import CMockAPNsShims

/// Owns an `EVP_PKEY` on P-256, private or public.
///
/// `@unchecked Sendable`: once handed to `init` the object is only read. openssl-threads(7): objects are
/// thread-safe as long as the functions called do not modify them.
final class EllipticCurveKey: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes over the reference that the caller holds.
    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { EVP_PKEY_free(pointer) }

    static func generate() throws(OpenSSLError) -> EllipticCurveKey {
        EllipticCurveKey(owning: try OpenSSLError.check(mockapns_EVP_EC_gen_p256(), "make a P-256 key"))
    }

    /// Returns a copy without the private half, which cannot sign.
    func publicHalf() throws(OpenSSLError) -> EllipticCurveKey {
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = i2d_PUBKEY(pointer, &encoded)
        guard count > 0, let encoded else { throw OpenSSLError.drain("encode a public key") }
        defer { CRYPTO_free(encoded, nil, 0) }
        var cursor: UnsafePointer<UInt8>? = UnsafePointer(encoded)
        let half = d2i_PUBKEY(nil, &cursor, CLong(count))
        return EllipticCurveKey(owning: try OpenSSLError.check(half, "decode a public key"))
    }

    /// The private key as PKCS#8 in PEM.
    func privatePEM() throws(OpenSSLError) -> String {
        try MemoryBIO.text("write a private key") {
            PEM_write_bio_PKCS8PrivateKey($0, pointer, nil, nil, 0, nil, nil) == 1
        }
    }

    /// The public key as SubjectPublicKeyInfo in PEM.
    func publicPEM() throws(OpenSSLError) -> String {
        try MemoryBIO.text("write a public key") { PEM_write_bio_PUBKEY($0, pointer) == 1 }
    }
}

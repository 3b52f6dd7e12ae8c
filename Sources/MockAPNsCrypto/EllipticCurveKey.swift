internal import CMockAPNsOpenSSL
internal import CMockAPNsShims

/// Owns an `EVP_PKEY` on P-256, private or public.
///
/// `@unchecked Sendable`: once handed to `init` the object is only read. openssl-threads(7): objects are
/// thread-safe as long as the functions called do not modify them.
final class EllipticCurveKey: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes over the reference that the caller holds.
    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit { EVP_PKEY_free(pointer) }

    static func generate() throws(OpenSSLError) -> EllipticCurveKey {
        guard let pointer = mockapns_EVP_EC_gen_p256() else { throw OpenSSLError.drain("make a P-256 key") }
        return EllipticCurveKey(owning: pointer)
    }

    /// A key of its own with the public half only, so that who holds it cannot sign.
    func publicHalf() throws(OpenSSLError) -> EllipticCurveKey {
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = i2d_PUBKEY(pointer, &encoded)
        guard count > 0, let encoded else { throw OpenSSLError.drain("encode a public key") }
        defer { CRYPTO_free(encoded, nil, 0) }
        var cursor: UnsafePointer<UInt8>? = UnsafePointer(encoded)
        guard let half = d2i_PUBKEY(nil, &cursor, CLong(count)) else {
            throw OpenSSLError.drain("decode a public key")
        }
        return EllipticCurveKey(owning: half)
    }

    /// The private key as PKCS#8 in PEM.
    func privatePEM() throws(OpenSSLError) -> String {
        let bio = try MemoryBIO()
        guard PEM_write_bio_PKCS8PrivateKey(bio.pointer, pointer, nil, nil, 0, nil, nil) == 1 else {
            throw OpenSSLError.drain("write a private key")
        }
        return bio.text
    }

    /// The public key as SubjectPublicKeyInfo in PEM.
    func publicPEM() throws(OpenSSLError) -> String {
        let bio = try MemoryBIO()
        guard PEM_write_bio_PUBKEY(bio.pointer, pointer) == 1 else {
            throw OpenSSLError.drain("write a public key")
        }
        return bio.text
    }
}

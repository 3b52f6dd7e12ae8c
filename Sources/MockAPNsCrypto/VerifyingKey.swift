internal import CMockAPNsOpenSSL

/// A public key on P-256: it checks the signatures of provider tokens and cannot make any.
package final class VerifyingKey: Sendable {
    /// The key as SubjectPublicKeyInfo in PEM (`BEGIN PUBLIC KEY`).
    package let publicKeyPEM: String

    let key: EllipticCurveKey

    /// Reads the first key in a PEM text, of which only the public half is kept.
    ///
    /// The text may have 64 KiB at most.
    ///
    /// - Parameter pem: `BEGIN PUBLIC KEY`, or any private key that ``SigningKey/init(pem:)`` accepts.
    /// - Throws: ``KeyError`` if the text has no such key.
    package convenience init(pem: String) throws {
        try self.init(withErrorQueue { try EllipticCurveKey.publicKey(pem: pem) })
    }

    init(_ key: EllipticCurveKey) throws {
        self.key = key
        publicKeyPEM = try withErrorQueue { try key.publicPEM() }
    }

    /// The digest of a message that is signed.
    package enum Digest: Sendable {
        case sha256
        case sha512
    }

    /// Returns whether an ECDSA signature is this key's, or `nil` if OpenSSL failed, such as for lack of memory.
    ///
    /// Two forms are accepted. Observed: every JOSE library sends r‖s, 64 bytes. Documented: Apple's shell
    /// recipe for provider tokens sends what `openssl dgst -sign` writes, ASN.1 DER. 64 bytes are tried as
    /// r‖s first, and as DER if they parse strictly as DER. With SHA-512, r‖s has 132 bytes instead, as JOSE
    /// libraries pad it for ES512. Input of any length and content is safe to pass.
    ///
    /// Safe to call from many threads at once; takes about 60 µs.
    package func verify(
        signature: UnsafeRawBufferPointer, of message: UnsafeRawBufferPointer, digest: Digest = .sha256
    ) -> Bool? {
        let isShort = digest == .sha256
        if let raw = isShort ? ECDSASignature(raw: signature) : ECDSASignature(padded: signature) {
            let isValid = verify(raw, of: message, digest)
            guard isValid == false else { return isValid }
        }
        guard let signature = ECDSASignature(der: signature) else { return false }
        return verify(signature, of: message, digest)
    }

    private func verify(_ signature: ECDSASignature, of message: UnsafeRawBufferPointer, _ digest: Digest) -> Bool? {
        withErrorQueue {
            guard let context = EVP_MD_CTX_new() else { return nil }
            defer { EVP_MD_CTX_free(context) }
            let kind = digest == .sha256 ? EVP_sha256() : EVP_sha512()
            guard EVP_DigestVerifyInit(context, nil, kind, nil, key.pointer) == 1 else { return nil }
            let der = signature.der
            let start = message.baseAddress?.assumingMemoryBound(to: UInt8.self)
            // The form is right by construction, so a negative result is no verdict on the signature.
            switch EVP_DigestVerify(context, der, der.count, start, message.count) {
            case 1: return true
            case 0: return false
            default: return nil
            }
        }
    }
}

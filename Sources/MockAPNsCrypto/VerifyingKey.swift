internal import CMockAPNsOpenSSL

/// A public key on P-256: it checks the signatures of provider tokens and cannot make any.
public final class VerifyingKey: Sendable {
    /// The key as SubjectPublicKeyInfo in PEM (`BEGIN PUBLIC KEY`).
    public let publicKeyPEM: String

    let key: EllipticCurveKey

    /// Reads a key from PEM.
    ///
    /// The first key in the text counts. Of a private key only the public half is kept. The text may have
    /// 64 KiB at most.
    ///
    /// - Parameter pem: `BEGIN PUBLIC KEY`, or any private key that ``SigningKey/init(pem:)`` accepts.
    /// - Throws: ``KeyError`` when the text holds no such key; ``OpenSSLError`` when OpenSSL itself fails.
    public convenience init(pem: String) throws {
        try self.init(withErrorQueue { try EllipticCurveKey.publicKey(pem: pem) })
    }

    init(_ key: EllipticCurveKey) throws {
        self.key = key
        publicKeyPEM = try withErrorQueue { try key.publicPEM() }
    }

    /// The digest of a message that is signed.
    public enum Digest: Sendable {
        case sha256
        case sha512
    }

    /// Checks an ECDSA signature.
    ///
    /// Two forms are accepted. Observed: every JOSE library sends r‖s, 64 bytes. Documented: Apple's shell
    /// recipe for provider tokens sends what `openssl dgst -sign` writes, ASN.1 DER. 64 bytes are tried as
    /// r‖s first, and as DER if they parse strictly as DER. With SHA-512, r‖s has 132 bytes instead, as JOSE
    /// libraries pad it for ES512. Input of any length and content is safe to pass.
    ///
    /// Safe to call from many threads at once; takes about 60 µs.
    public func verify(
        signature: UnsafeRawBufferPointer,
        of message: UnsafeRawBufferPointer,
        digest: Digest = .sha256
    ) -> Outcome {
        let raw =
            switch digest {
            case .sha256: ECDSASignature(raw: signature)
            case .sha512: ECDSASignature(padded: signature)
            }
        if let raw {
            let outcome = verify(raw, of: message, digest)
            guard outcome == .invalid else { return outcome }
        }
        guard let signature = ECDSASignature(der: signature) else { return .invalid }
        return verify(signature, of: message, digest)
    }

    private func verify(
        _ signature: ECDSASignature,
        of message: UnsafeRawBufferPointer,
        _ digest: Digest
    ) -> Outcome {
        withErrorQueue {
            guard let context = EVP_MD_CTX_new() else { return .failed }
            defer { EVP_MD_CTX_free(context) }
            let kind = digest == .sha256 ? EVP_sha256() : EVP_sha512()
            guard EVP_DigestVerifyInit(context, nil, kind, nil, key.pointer) == 1 else {
                return .failed
            }
            let der = signature.der
            let start = message.baseAddress?.assumingMemoryBound(to: UInt8.self)
            // The form is right by construction, so a negative result is no verdict on the signature.
            switch EVP_DigestVerify(context, der, der.count, start, message.count) {
            case 1: return .valid
            case 0: return .invalid
            default: return .failed
            }
        }
    }

    /// What came of checking a signature.
    public enum Outcome: Sendable {
        /// The signature is of this message and by this key.
        case valid
        /// The signature is of another message, by another key, or none at all.
        case invalid
        /// OpenSSL could not say, for instance for want of memory; this speaks neither for nor against the
        /// signature, so the answer to it is an error of the server.
        case failed
    }
}

internal import CMockAPNsOpenSSL
internal import MockAPNsFormats

/// A private key on P-256, as in Apple's `AuthKey_….p8` files: it signs provider tokens.
///
/// Other kinds are refused, because provider tokens are signed with ES256 only (documented: Apple,
/// "Establishing a token-based connection to APNs").
package final class SigningKey: Sendable {
    /// The key as PKCS#8 in PEM, the form of Apple's `.p8` files.
    package let privateKeyPEM: String

    package let verifyingKey: VerifyingKey

    let key: EllipticCurveKey

    package static func generate() throws -> SigningKey {
        try withErrorQueue { try SigningKey(EllipticCurveKey.generate()) }
    }

    /// Reads a key from PEM.
    ///
    /// Anything before the first private key is ignored. The text may have 64 KiB at most.
    ///
    /// - Parameter pem: PKCS#8 (`BEGIN PRIVATE KEY`) or SEC 1 (`BEGIN EC PRIVATE KEY`), not encrypted.
    /// - Throws: ``KeyError`` if the text has no such key.
    package convenience init(pem: String) throws {
        try self.init(withErrorQueue { try EllipticCurveKey.privateKey(pem: pem) })
    }

    init(_ key: EllipticCurveKey) throws {
        self.key = key
        (privateKeyPEM, verifyingKey) = try withErrorQueue {
            (try key.privatePEM(), try VerifyingKey(key.publicHalf()))
        }
    }

    /// Signs with ES256 and returns the form that JSON Web Tokens use: r, then s, 64 bytes in all.
    ///
    /// Another digest than SHA-256 is for tokens that are invalid on purpose.
    package func signature(of message: UnsafeRawBufferPointer, digest: VerifyingKey.Digest = .sha256) throws -> [UInt8]
    {
        let der = try derSignature(of: message, digest: digest)
        guard let signature = der.withUnsafeBytes({ ECDSASignature(der: $0) }) else {
            throw OpenSSLError(operation: "sign", messages: ["the signature is not in DER"])
        }
        return signature.raw
    }

    /// Signs with ES256 and returns the form that `openssl dgst -sign` writes: ASN.1 DER, 72 bytes at most.
    package func derSignature(
        of message: UnsafeRawBufferPointer, digest: VerifyingKey.Digest = .sha256
    ) throws -> [UInt8] {
        try withErrorQueue {
            let context = try OpenSSLError.check(EVP_MD_CTX_new(), "sign")
            defer { EVP_MD_CTX_free(context) }
            let kind = digest == .sha256 ? EVP_sha256() : EVP_sha512()
            let isReady = EVP_DigestSignInit(context, nil, kind, nil, key.pointer) == 1
            try OpenSSLError.check(isReady, "prepare to sign")
            var capacity = Int(EVP_PKEY_get_size(key.pointer))
            let start = message.baseAddress?.assumingMemoryBound(to: UInt8.self)
            var signature = [UInt8](repeating: 0, count: capacity)
            let isSigned = EVP_DigestSign(context, &signature, &capacity, start, message.count) == 1
            try OpenSSLError.check(isSigned, "sign")
            signature.removeSubrange(capacity...)
            return signature
        }
    }
}

extension SigningKey {
    /// Makes a provider token as a provider would: a JSON Web Token signed with ES256 (RFC 7519).
    ///
    /// Source of the form: Apple, "Establishing a token-based connection to APNs" (documented).
    ///
    /// `keyID` is the header's `kid` and `teamID` the claim `iss`; Apple's have 10 characters. Neither is checked,
    /// so that invalid tokens can be made on purpose. `issuedAt` is the claim `iat`, in UNIX seconds. Two tokens
    /// with the same claims differ, because ECDSA signatures contain a random number.
    package func providerToken(keyID: String, teamID: String, issuedAt: Int64) throws -> String {
        let header = #"{"alg":"ES256","kid":\#(Self.quoted(keyID))}"#
        let claims = #"{"iss":\#(Self.quoted(teamID)),"iat":\#(issuedAt)}"#
        let signed = "\(Base64URL.encode(header.utf8)).\(Base64URL.encode(claims.utf8))"
        let signature = try Array(signed.utf8).withUnsafeBytes { try self.signature(of: $0) }
        return "\(signed).\(Base64URL.encode(signature))"
    }

    private static func quoted(_ text: String) -> String {
        String(decoding: JSONValue.string(text).text, as: UTF8.self)
    }
}

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

// MARK: Reading PEM

extension EllipticCurveKey {
    /// The longest PEM text that is read, in bytes.
    static let maximumLength = 65_536

    /// Reads the first private key of a PEM text and checks that it is a sound one on P-256.
    static func privateKey(pem: String) throws -> EllipticCurveKey { try key(in: privateBlock(of: pem)) }

    /// Reads the first key of a PEM text, drops its private half and checks that it is a sound one on P-256.
    static func publicKey(pem: String) throws -> EllipticCurveKey {
        let blocks = try blocks(of: pem)
        guard let block = blocks.first(where: { $0.isPrivateKey || $0.isPublicKey }) else {
            throw KeyError.noKey(labels: blocks.map(\.label))
        }
        let key = try key(in: block)
        return block.isPrivateKey ? try key.publicHalf() : key
    }

    /// Reads the first private key of a PEM text, whatever its kind; the caller owns the result.
    static func anyPrivateKey(pem: String) throws -> OpaquePointer { try load(privateBlock(of: pem)) }

    private static func privateBlock(of pem: String) throws(KeyError) -> PEMBlock {
        let blocks = try blocks(of: pem)
        if let block = blocks.first(where: \.isPrivateKey) { return block }
        throw .noPrivateKey(labels: blocks.map(\.label))
    }

    private static func blocks(of pem: String) throws(KeyError) -> [PEMBlock] {
        guard pem.utf8.count <= maximumLength else { throw .tooLong(count: pem.utf8.count) }
        let blocks = PEMBlock.all(in: pem)
        guard blocks.isEmpty else { return blocks }
        if pem.allSatisfy(\.isWhitespace) { throw .notPEM(seen: "The text is empty") }
        guard pem.contains("-----BEGIN ") else { throw .notPEM(seen: "The text has no -----BEGIN …----- line") }
        throw .notPEM(seen: "The -----BEGIN …----- line has other text around it; were the line breaks lost?")
    }

    private static func key(in block: PEMBlock) throws -> EllipticCurveKey {
        let key = EllipticCurveKey(owning: try load(block))
        let kind = EVP_PKEY_get0_type_name(key.pointer).map { String(cString: $0) } ?? "unknown"
        guard kind == "EC" else { throw KeyError.notEllipticCurve(kind: kind) }
        let curve = key.curveName
        guard curve == "prime256v1" || curve == "P-256" else {
            throw KeyError.wrongCurve(curve ?? "with parameters of its own")
        }
        let context = try OpenSSLError.check(EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil), "check a key")
        defer { EVP_PKEY_CTX_free(context) }
        // The private check includes that the public point stored beside the private number belongs to it;
        // otherwise a key could sign what its own public half refuses.
        let verdict = block.isPrivateKey ? EVP_PKEY_check(context) : EVP_PKEY_public_check(context)
        guard verdict == 1 else {
            throw KeyError.damaged(label: block.label, reason: "its numbers do not form a key on P-256")
        }
        // One key, one PEM text: a point that came compressed is written like any other.
        let isChosen = EVP_PKEY_set_utf8_string_param(key.pointer, "point-format", "uncompressed") == 1
        try OpenSSLError.check(isChosen, "choose the form of a public key")
        return key
    }

    /// Decodes a block that holds a key of any kind; the caller owns the result.
    private static func load(_ block: PEMBlock) throws -> OpaquePointer {
        guard !block.isEncrypted else { throw KeyError.encrypted(label: block.label) }
        guard !block.label.hasPrefix("OPENSSH") && !block.label.hasPrefix("SSH2") else {
            throw KeyError.unsupportedForm(label: block.label)
        }
        guard block.isComplete else {
            let reason = "the line -----END \(block.label)----- is missing"
            throw KeyError.damaged(label: block.label, reason: reason)
        }
        let bio = try MemoryBIO.reading(block.text)
        let read = block.isPrivateKey ? PEM_read_bio_PrivateKey : PEM_read_bio_PUBKEY
        // Without this callback, OpenSSL would ask the terminal for a pass phrase.
        if let loaded = read(bio.pointer, nil, { _, _, _, _ in -1 }, nil) { return loaded }
        if !block.isPrivateKey, block.label != "PUBLIC KEY" {
            // "RSA PUBLIC KEY" and its like: PEM_read_bio_PUBKEY reads the one general form only.
            throw KeyError.notEllipticCurve(kind: block.label)
        }
        let reason = OpenSSLError.drain("read a key").reasons(or: "its content is not a key")
        throw KeyError.damaged(label: block.label, reason: reason)
    }

    private var curveName: String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            var length = 0
            guard EVP_PKEY_get_group_name(pointer, buffer.baseAddress, buffer.count, &length) == 1 else { return nil }
            return String(cString: buffer.baseAddress!)
        }
    }
}

import CMockAPNsOpenSSL
import CMockAPNsShims
import NIOCore
import Testing

@testable import MockAPNsTransport

/// The client's side of a TLS connection: OpenSSL between two memory buffers.
final class TLSPeer {
    /// What the client offers and asks for.
    struct Setup {
        var versions = TLS1_2_VERSION...TLS1_3_VERSION
        var protocols = ["h2"]
        var serverName: String? = "localhost"
        /// The authority that the client trusts; `nil` for one that does not look.
        var authority: String? = TLSFixture.authority.certificatePEM
        /// The certificate that the client shows, with its key.
        var certificate: (chain: String, key: String)?
    }

    /// OpenSSL's words.
    struct Failure: Error, CustomStringConvertible { let description: String }

    private let context: OpaquePointer
    private let handle: OpaquePointer
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer
    private(set) var isEstablished = false
    /// Whether the server said goodbye.
    private(set) var isEnded = false

    init(_ setup: Setup = Setup()) throws {
        context = try #require(SSL_CTX_new(TLS_client_method()))
        try Self.configure(context, setup)
        handle = try #require(SSL_new(context))
        incoming = try #require(BIO_new(BIO_s_mem()))
        outgoing = try #require(BIO_new(BIO_s_mem()))
        SSL_set_bio(handle, incoming, outgoing)
        SSL_set_connect_state(handle)
        if let name = setup.serverName {
            // SSL_set_tlsext_host_name is a macro: SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name.
            _ = name.withCString { SSL_ctrl(handle, 55, 0, UnsafeMutableRawPointer(mutating: $0)) }
            if setup.authority != nil { try Self.check(SSL_set1_host(handle, name)) }
        }
    }

    deinit {
        SSL_free(handle)
        SSL_CTX_free(context)
    }

    private static func configure(_ context: OpaquePointer, _ setup: Setup) throws {
        // The oldest versions are only spoken at the lowest security level.
        SSL_CTX_set_security_level(context, 0)
        try check(mockapns_SSL_CTX_set_min_proto_version(context, setup.versions.lowerBound))
        try check(mockapns_SSL_CTX_set_max_proto_version(context, setup.versions.upperBound))
        let protocols = setup.protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        if !protocols.isEmpty {
            try check(SSL_CTX_set_alpn_protos(context, protocols, UInt32(protocols.count)) == 0 ? 1 : 0)
        }
        if let authority = setup.authority {
            let certificate = try self.certificate(authority)
            defer { X509_free(certificate) }
            try check(X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate))
            SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        }
        if let (chain, key) = setup.certificate {
            let certificate = try self.certificate(chain)
            defer { X509_free(certificate) }
            try check(SSL_CTX_use_certificate(context, certificate))
            let key = try self.key(key)
            defer { EVP_PKEY_free(key) }
            try check(SSL_CTX_use_PrivateKey(context, key))
        }
    }

    private static func certificate(_ text: String) throws -> OpaquePointer {
        let bio = try memory(text)
        defer { BIO_free(bio) }
        return try #require(PEM_read_bio_X509(bio, nil, nil, nil))
    }

    private static func key(_ text: String) throws -> OpaquePointer {
        let bio = try memory(text)
        defer { BIO_free(bio) }
        return try #require(PEM_read_bio_PrivateKey(bio, nil, nil, nil))
    }

    private static func memory(_ text: String) throws -> OpaquePointer {
        let bio = try #require(BIO_new(BIO_s_mem()))
        BIO_puts(bio, text)
        return bio
    }

    private static func check(_ result: CInt) throws {
        guard result == 1 else { throw Failure(description: TLSErrors.take().text) }
    }

    // MARK: Bytes

    /// Takes what the server sent.
    func receive(_ ciphertext: [UInt8]) {
        if !ciphertext.isEmpty { BIO_write(incoming, ciphertext, CInt(ciphertext.count)) }
    }

    /// What is to be sent to the server.
    func takeCiphertext() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = BIO_read(outgoing, &bytes, CInt(bytes.count))
        return count > 0 ? Array(bytes.prefix(Int(count))) : []
    }

    /// Goes on with the handshake as far as the bytes at hand allow.
    func handshake() throws {
        guard !isEstablished else { return }
        ERR_clear_error()
        let result = SSL_do_handshake(handle)
        if result == 1 {
            isEstablished = true
        } else if SSL_get_error(handle, result) != SSL_ERROR_WANT_READ {
            throw Failure(description: TLSErrors.take().text)
        }
    }

    func encrypt(_ bytes: [UInt8]) -> [UInt8] {
        ERR_clear_error()
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { SSL_write(handle, $0.baseAddress, CInt($0.count)) }
            guard count > 0 else { break }
            done += Int(count)
        }
        return takeCiphertext()
    }

    func decrypt() throws -> [UInt8] {
        var plaintext: [UInt8] = []
        var record = [UInt8](repeating: 0, count: 16_384)
        while true {
            ERR_clear_error()
            let count = SSL_read(handle, &record, CInt(record.count))
            if count > 0 {
                plaintext += record.prefix(Int(count))
                continue
            }
            switch SSL_get_error(handle, count) {
            case SSL_ERROR_WANT_READ: return plaintext
            case SSL_ERROR_ZERO_RETURN:
                isEnded = true
                return plaintext
            default: throw Failure(description: TLSErrors.take().text)
            }
        }
    }

    /// close_notify, as bytes.
    func farewell() -> [UInt8] {
        SSL_shutdown(handle)
        return takeCiphertext()
    }

    /// A request for new keys, which the server answers by itself.
    func keyUpdate() -> [UInt8] {
        SSL_key_update(handle, SSL_KEY_UPDATE_REQUESTED)
        SSL_do_handshake(handle)
        return takeCiphertext()
    }

    /// The protocol agreed on.
    var agreedProtocol: String? {
        var start: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(handle, &start, &length)
        guard length > 0 else { return nil }
        return String(decoding: UnsafeBufferPointer(start: start, count: Int(length)), as: UTF8.self)
    }
}

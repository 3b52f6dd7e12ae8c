internal import CMockAPNsOpenSSL
internal import CMockAPNsShims

/// The authorities, versions and certificate that the TLS connections of a client share.
///
/// Every server is verified: there is no option to skip it.
///
/// `@unchecked Sendable`: OpenSSL documents an `SSL_CTX` as safe to use from any thread once it is set up,
/// and nothing changes it after `init`.
package final class ClientTLSContext: @unchecked Sendable {
    /// Where distributions keep the authorities they trust, if OpenSSL was built for another system.
    private static let systemFiles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem", "/opt/homebrew/etc/openssl@3/cert.pem", "/usr/local/etc/openssl@3/cert.pem",
    ]

    let handle: OpaquePointer

    /// Creates a context.
    ///
    /// - Parameters:
    ///   - authoritiesPEM: The certificates to trust; `nil` for those of the system, or of `SSL_CERT_FILE`.
    ///   - minimumVersion: The minimum TLS version.
    ///   - certificateChainPEM: The client's certificate, followed by intermediate certificates; `nil` for none.
    ///   - privateKeyPEM: The key of the client's certificate, without a pass phrase.
    ///   - applicationProtocol: The protocol that the handshake offers (ALPN).
    /// - Throws: `TLSContext.Problem` if a certificate or the key cannot be read, or if they do not match.
    package init(
        authoritiesPEM: String? = nil, minimumVersion: TLSContext.Version = .tls12, certificateChainPEM: String? = nil,
        privateKeyPEM: String? = nil, applicationProtocol: String = "h2"
    ) throws(TLSContext.Problem) {
        ERR_clear_error()
        guard let handle = SSL_CTX_new(TLS_client_method()) else { throw TLSContext.problem("making a TLS context") }
        self.handle = handle
        guard mockapns_SSL_CTX_set_min_proto_version(handle, minimumVersion.number) == 1 else {
            throw TLSContext.problem("setting the oldest TLS version")
        }
        mockapns_SSL_CTX_set_modes(handle)
        mockapns_SSL_CTX_disable_resumption(handle)
        SSL_CTX_set_verify(handle, SSL_VERIFY_PEER, nil)
        // Unlike other functions, it returns 0 for success.
        let offer = [UInt8(clamping: applicationProtocol.utf8.count)] + Array(applicationProtocol.utf8)
        guard SSL_CTX_set_alpn_protos(handle, offer, CUnsignedInt(offer.count)) == 0 else {
            throw TLSContext.problem("setting ALPN")
        }
        if let authoritiesPEM { try trust(authoritiesPEM) } else { trustSystem() }
        if let certificateChainPEM {
            try TLSContext.use(
                certificateChainPEM, privateKeyPEM ?? certificateChainPEM, of: "the client's", in: handle)
        }
    }

    deinit { SSL_CTX_free(handle) }

    private func trust(_ pem: String) throws(TLSContext.Problem) {
        let text = TLSContext.memory(holding: pem)
        defer { BIO_free(text) }
        var count = 0
        while let authority = PEM_read_bio_X509(text, nil, nil, nil) {
            defer { X509_free(authority) }
            guard X509_STORE_add_cert(SSL_CTX_get_cert_store(handle), authority) == 1 else {
                throw TLSContext.problem("trusting an authority")
            }
            count += 1
        }
        guard count > 0 else { throw TLSContext.problem("reading the authorities (PEM)") }
        ERR_clear_error()  // the end of the file counts as an error there
    }

    private func trustSystem() {
        _ = SSL_CTX_set_default_verify_paths(handle)
        // A file that does not exist is an error; if none does, the verification of the server fails and says so.
        _ = Self.systemFiles.contains { SSL_CTX_load_verify_file(handle, $0) == 1 }
        ERR_clear_error()
    }
}

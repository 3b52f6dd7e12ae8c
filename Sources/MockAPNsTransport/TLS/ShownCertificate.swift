internal import CMockAPNsOpenSSL
internal import MockAPNsRules

/// The certificate that a client shows, on its way from OpenSSL to the responders and back.
enum ShownCertificate {
    /// Passes the client's chain to its connection, in place of OpenSSL's own check: APNs judges certificates, not TLS.
    ///
    /// Called during the handshake, only if the client has sent a certificate. Returns 0 to end it with an alert.
    static let judge: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> CInt = { store, _ in
        guard let store, let handle = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
            let connection = BIO_get_data(SSL_get_rbio(OpaquePointer(handle)))
        else { return 0 }
        let chain = chain(of: store)
        let refused = Unmanaged<TLSConnection>.fromOpaque(connection)._withUnsafeGuaranteedRef { $0.judge(chain) }
        X509_STORE_CTX_set_error(store, refused.map(error) ?? X509_V_OK)
        return refused == nil ? 1 : 0
    }

    /// The certificates in DER, the client's first.
    private static func chain(of store: OpaquePointer) -> [[UInt8]] {
        var chain = [X509_STORE_CTX_get0_cert(store)].compactMap { $0.flatMap(der) }
        let others = X509_STORE_CTX_get0_untrusted(store)
        for position in 0..<max(0, OPENSSL_sk_num(others)) {
            let bytes = OPENSSL_sk_value(others, position).flatMap { der(OpaquePointer($0)) }
            if let bytes, bytes != chain.first { chain.append(bytes) }
        }
        return chain
    }

    private static func der(_ certificate: OpaquePointer) -> [UInt8]? {
        let count = i2d_X509(certificate, nil)
        guard count > 0 else { return nil }
        return [UInt8](unsafeUninitializedCapacity: Int(count)) { bytes, used in
            var start = bytes.baseAddress
            used = max(0, Int(i2d_X509(certificate, &start)))
        }
    }

    /// OpenSSL's error, which selects the alert (RFC 8446, section 6.2).
    private static func error(_ standing: ClientCertificate.Standing) -> CInt {
        switch standing {
        case .revoked: X509_V_ERR_CERT_REVOKED
        case .expired: X509_V_ERR_CERT_HAS_EXPIRED
        case .untrusted, .selfSigned: X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY
        case .notYetValid, .noTopic, .tooManyTopics, .unreadable, .ignored, .verified: X509_V_ERR_CERT_REJECTED
        }
    }
}

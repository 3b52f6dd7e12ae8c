internal import CMockAPNsOpenSSL

/// The authorities whose client certificates are trusted.
///
/// `@unchecked Sendable`: OpenSSL locks an `X509_STORE`, and nothing is added to it after `init`.
package final class CertificateTrust: @unchecked Sendable {
    /// Why a certificate is not trusted.
    package enum Problem: Error, Equatable, Sendable {
        case unreadable
        case notYetValid
        case expired
        case selfSigned
        case untrusted
    }

    private let store: OpaquePointer

    /// Creates the trust in every certificate of these PEM texts; each may be a root or an intermediate authority.
    ///
    /// - Throws: ``CertificateError`` if a text has no certificate, or an invalid one.
    package init(authorities: [String]) throws {
        store = try withErrorQueue {
            let store = try OpenSSLError.check(X509_STORE_new(), "make a certificate store")
            do { for text in authorities { try Self.add(text, to: store) } } catch {
                X509_STORE_free(store)
                throw error
            }
            return store
        }
    }

    deinit { X509_STORE_free(store) }

    private static func add(_ text: String, to store: OpaquePointer) throws {
        let blocks = PEMBlock.all(in: text).filter { $0.label == "CERTIFICATE" }
        // Reading the whole text says why there is no certificate.
        for pem in blocks.isEmpty ? [text] : blocks.map(\.text) {
            let authority = try X509Certificate.reading(pem: pem)
            let isAdded = X509_STORE_add_cert(store, authority.pointer) == 1
            try OpenSSLError.check(isAdded, "trust an authority")
        }
    }

    /// Checks a chain in DER, the client's certificate first; `now` is in UNIX seconds.
    ///
    /// - Returns: The problem; `nil` if the certificate is trusted.
    package func problem(with chain: [[UInt8]], at now: Int64) -> Problem? {
        withErrorQueue {
            guard let first = chain.first, let leaf = try? X509Certificate.reading(der: first),
                let others = OPENSSL_sk_new_null()
            else { return .unreadable }
            defer {
                while let other = OPENSSL_sk_pop(others) { X509_free(OpaquePointer(other)) }
                OPENSSL_sk_free(others)
            }
            for bytes in chain.dropFirst() {
                var start: UnsafePointer<UInt8>?
                bytes.withUnsafeBufferPointer { buffer in
                    start = buffer.baseAddress
                    guard let other = d2i_X509(nil, &start, CLong(buffer.count)) else { return }
                    if OPENSSL_sk_push(others, UnsafeRawPointer(other)) == 0 { X509_free(other) }
                }
            }
            guard let context = X509_STORE_CTX_new() else { return .untrusted }
            defer { X509_STORE_CTX_free(context) }
            guard X509_STORE_CTX_init(context, store, leaf.pointer, others) == 1 else { return .untrusted }
            // An authority need not be a root, and Apple's extensions are unknown to OpenSSL.
            let flags = X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_IGNORE_CRITICAL
            X509_STORE_CTX_set_flags(context, UInt(flags))
            X509_STORE_CTX_set_time(context, 0, time_t(now))
            if X509_verify_cert(context) == 1 { return nil }
            switch X509_STORE_CTX_get_error(context) {
            case X509_V_ERR_CERT_NOT_YET_VALID: return .notYetValid
            case X509_V_ERR_CERT_HAS_EXPIRED: return .expired
            case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: return .selfSigned
            default: return .untrusted
            }
        }
    }
}

internal import CMockAPNsOpenSSL
internal import CMockAPNsShims
internal import MockAPNsRules

/// The certificate, key and protocol versions that all TLS connections of a listener share.
///
/// `@unchecked Sendable`: OpenSSL documents an `SSL_CTX` as safe to use from any thread once it is set up,
/// and nothing changes it after `init`.
public final class TLSContext: @unchecked Sendable {
    /// The reason why a context cannot be created.
    public struct Problem: Error, Equatable, Sendable, CustomStringConvertible {
        /// What failed, and OpenSSL's error message.
        public let description: String
    }

    /// A TLS protocol version.
    public enum Version: String, CaseIterable, Sendable {
        case tls12 = "1.2"
        case tls13 = "1.3"

        var number: CInt {
            switch self {
            case .tls12: TLS1_2_VERSION
            case .tls13: TLS1_3_VERSION
            }
        }
    }

    let handle: OpaquePointer

    /// Creates a context.
    ///
    /// - Parameters:
    ///   - certificateChainPEM: The server's certificate, followed by intermediate certificates.
    ///   - privateKeyPEM: The key of the first certificate.
    ///   - minimumVersion: The minimum TLS version; the real service accepts 1.2 (documented).
    ///   - requiresALPN: Whether the handshake fails if the client does not offer `h2`.
    ///   - requiresClientCertificate: Whether the handshake fails if the client sends no certificate.
    /// - Throws: `Problem` if the certificate or the key cannot be read, or if they do not match.
    public init(
        certificateChainPEM: String, privateKeyPEM: String, minimumVersion: Version = .tls12,
        requiresALPN: Bool = false, requiresClientCertificate: Bool = false
    ) throws(Problem) {
        ERR_clear_error()
        guard let handle = SSL_CTX_new(TLS_server_method()) else { throw Self.problem("making a TLS context") }
        self.handle = handle
        guard mockapns_SSL_CTX_set_min_proto_version(handle, minimumVersion.number) == 1 else {
            throw Self.problem("setting the oldest TLS version")
        }
        mockapns_SSL_CTX_set_server_options(handle)
        mockapns_SSL_CTX_set_modes(handle)
        mockapns_SSL_CTX_disable_resumption(handle)
        // The real service requests a certificate from every client, and continues without one (observed).
        // The binary interface requires one (documented).
        let requirement = requiresClientCertificate ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0
        SSL_CTX_set_verify(handle, SSL_VERIFY_PEER | requirement, nil)
        SSL_CTX_set_cert_verify_callback(handle, ShownCertificate.judge, nil)
        // The callback's argument only says whether `h2` is required, by being there.
        SSL_CTX_set_alpn_select_cb(handle, selectHTTP2, requiresALPN ? UnsafeMutableRawPointer(handle) : nil)
        SSL_CTX_set_client_hello_cb(handle, onClientHello, nil)
        try Self.use(certificateChainPEM, privateKeyPEM, of: "the server's", in: handle)
    }

    deinit { SSL_CTX_free(handle) }

    /// Sets the certificate of one side with its key.
    ///
    /// `owner` is whose they are, for messages: "the server's".
    static func use(
        _ certificateChainPEM: String, _ privateKeyPEM: String, of owner: String, in handle: OpaquePointer
    ) throws(Problem) {
        let chain = memory(holding: certificateChainPEM)
        defer { BIO_free(chain) }
        guard let leaf = PEM_read_bio_X509(chain, nil, nil, nil) else {
            throw problem("reading \(owner) certificate (PEM)")
        }
        defer { X509_free(leaf) }
        guard SSL_CTX_use_certificate(handle, leaf) == 1 else { throw problem("using \(owner) certificate") }
        while let issuer = PEM_read_bio_X509(chain, nil, nil, nil) {
            guard mockapns_SSL_CTX_add_extra_chain_cert(handle, issuer) == 1 else {
                X509_free(issuer)
                throw problem("adding an intermediate certificate")
            }
        }
        ERR_clear_error()  // the end of the file counts as an error there

        let text = memory(holding: privateKeyPEM)
        defer { BIO_free(text) }
        guard let key = PEM_read_bio_PrivateKey(text, nil, nil, nil) else {
            throw problem("reading \(owner) private key (PEM, without a pass phrase)")
        }
        defer { EVP_PKEY_free(key) }
        guard SSL_CTX_use_PrivateKey(handle, key) == 1, SSL_CTX_check_private_key(handle) == 1 else {
            throw problem("matching \(owner) private key with its certificate")
        }
    }

    /// Returns a BIO with a copy of `text`: OpenSSL only keeps the address, which is valid for a single call.
    static func memory(holding text: String) -> OpaquePointer? {
        guard let bio = BIO_new(BIO_s_mem()) else { return nil }
        var text = text
        let written = text.withUTF8 { BIO_write(bio, $0.baseAddress, CInt(clamping: $0.count)) }
        if written < 0 { ERR_clear_error() }  // nothing can be read from it, which is reported as the failure
        return bio
    }

    static func problem(_ operation: String) -> Problem {
        let text = TLSErrors.take().text
        return Problem(description: "\(operation): \(text.isEmpty ? "failed" : text)")
    }
}

/// The errors in OpenSSL's queue of the current thread.
struct TLSErrors {
    /// OpenSSL's messages, oldest first, joined by semicolons; empty if there are none.
    let text: String
    /// The cause of the first error with a known number.
    let cause: CloseReason.Cause?

    /// Empties the queue and returns its errors.
    static func take() -> TLSErrors {
        var messages: [String] = []
        var cause: CloseReason.Cause?
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
            var reason: CInt = 0
            while mockapns_ERR_take(text.baseAddress, text.count, &reason) != 0 {
                guard let start = text.baseAddress else { break }
                messages.append(String(cString: start))
                cause = cause ?? Self.cause(of: reason)
            }
        }
        return TLSErrors(text: messages.joined(separator: "; "), cause: cause)
    }

    /// Returns the meaning of an OpenSSL number (`SSL_R_…`); OpenSSL's texts differ between versions.
    private static func cause(of reason: CInt) -> CloseReason.Cause? {
        switch reason {
        case SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST: .plainHTTP
        case SSL_R_WRONG_VERSION_NUMBER: .notTLS
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_VERSION_TOO_LOW: .oldTLS
        case SSL_R_NO_APPLICATION_PROTOCOL: .noApplicationProtocol
        case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE: .noClientCertificate
        default: UInt8(exactly: reason - SSL_AD_REASON_OFFSET).map { .alert($0) }
        }
    }
}

/// Pauses the handshake if a fault requires an alert, which `TLSConnection` writes.
private func onClientHello(
    _ connection: OpaquePointer?, _ alert: UnsafeMutablePointer<CInt>?, _ argument: UnsafeMutableRawPointer?
) -> CInt {
    if case .alert = TLSConnection.fault(of: connection) { return SSL_CLIENT_HELLO_RETRY }
    return SSL_CLIENT_HELLO_SUCCESS
}

/// The list of supported protocols: each has its length before its name.
private let http2: StaticString = "\u{2}h2"

/// Selects `h2` if it is offered.
///
/// Otherwise ends the handshake if there is an `argument`, and continues without a protocol if there is none
/// (observed with the real service).
private func selectHTTP2(
    _ connection: OpaquePointer?, _ selected: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ length: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?, _ offeredLength: UInt32,
    _ argument: UnsafeMutableRawPointer?
) -> CInt {
    if TLSConnection.fault(of: connection) == .noApplicationProtocol { return SSL_TLSEXT_ERR_NOACK }
    var protocolName: UnsafeMutablePointer<UInt8>?
    let outcome = SSL_select_next_proto(
        &protocolName, length, http2.utf8Start, UInt32(http2.utf8CodeUnitCount), offered, offeredLength)
    guard outcome == OPENSSL_NPN_NEGOTIATED else {
        return argument == nil ? SSL_TLSEXT_ERR_NOACK : SSL_TLSEXT_ERR_ALERT_FATAL
    }
    selected?.pointee = UnsafePointer(protocolName)
    return SSL_TLSEXT_ERR_OK
}

internal import CMockAPNsOpenSSL
internal import CMockAPNsShims
internal import MockAPNsRules
package import NIOCore

/// The TLS side of a connection: an `SSL` object between the input and the outbound buffer.
package final class TLSConnection {
    /// The result of a handshake step.
    package enum Handshake {
        case done
        case wantsMore
        case failed(CloseReason)
    }

    /// The result of a read.
    package enum Read {
        case bytes(Int)
        case wantsMore
        case closed
        case failed(CloseReason)
    }

    private let handle: OpaquePointer
    /// The fault of the handshake.
    let fault: FaultAction.Handshake?
    private var inbound: UnsafeRawBufferPointer = .init(start: nil, count: 0)
    /// OpenSSL's output.
    private var outbound: ByteBuffer
    /// Whether `outbound` was taken.
    ///
    /// It is cleared before the next write and not immediately, because clearing a buffer that the channel
    /// still holds would copy it.
    private var isOutboundTaken = false
    package private(set) var isEstablished = false
    /// Whether the client has sent anything.
    private(set) var hasBegun = false
    /// The certificate that the client has shown.
    private(set) var clientCertificate: ClientCertificate?
    private let judgeChain: ([[UInt8]]) -> JudgedCertificate?
    /// Why the handshake ends because of the certificate.
    private var refusal: CloseReason?

    /// Creates the server's side of a connection; `nil` for lack of memory.
    ///
    /// `judge` gets the client's chain in DER, if the client shows one.
    init?(
        context: TLSContext, outbound: ByteBuffer, fault: FaultAction.Handshake? = nil,
        judge: @escaping ([[UInt8]]) -> JudgedCertificate? = { _ in nil }
    ) {
        guard let handle = SSL_new(context.handle) else { return nil }
        self.handle = handle
        self.fault = fault
        judgeChain = judge
        self.outbound = outbound
        guard let bio = BufferBIO.make(for: self) else { return nil }
        SSL_set_bio(handle, bio, bio)
        SSL_set_accept_state(handle)
    }

    /// Creates the client's side of a connection; `nil` for lack of memory.
    ///
    /// The server's certificate must be valid for `host`, a name or an address without brackets. Names are also sent
    /// (SNI), addresses are not (RFC 6066, section 3).
    package init?(context: ClientTLSContext, host: String, outbound: ByteBuffer = ByteBuffer()) {
        guard let handle = SSL_new(context.handle) else { return nil }
        self.handle = handle
        fault = nil
        judgeChain = { _ in nil }
        self.outbound = outbound
        guard let bio = BufferBIO.make(for: self) else { return nil }
        SSL_set_bio(handle, bio, bio)
        SSL_set_connect_state(handle)
        guard mockapns_SSL_expect_host(handle, host) == 1 else { return nil }
    }

    deinit { SSL_free(handle) }

    /// Provides the bytes of a read event while `use` runs, which must consume as many as possible.
    package func withInbound(_ bytes: UnsafeRawBufferPointer, _ use: () -> Void) {
        inbound = bytes
        use()
        inbound = .init(start: nil, count: 0)
    }

    /// Copies up to `count` input bytes; returns 0 if there are none left.
    func takeInbound(into target: UnsafeMutableRawPointer, at count: Int) -> Int {
        let taken = min(count, inbound.count)
        guard taken > 0, let start = inbound.baseAddress else { return 0 }
        target.copyMemory(from: start, byteCount: taken)
        inbound = UnsafeRawBufferPointer(rebasing: inbound[taken...])
        hasBegun = true
        return taken
    }

    /// Appends output of OpenSSL.
    func appendOutbound(_ bytes: UnsafeRawBufferPointer) {
        if isOutboundTaken {
            outbound.clear()
            isOutboundTaken = false
        }
        outbound.writeBytes(bytes)
    }

    /// Returns the output to send; `nil` if there is none.
    package func takeOutbound() -> ByteBuffer? {
        guard !isOutboundTaken, outbound.readableBytes > 0 else { return nil }
        guard isEstablished else {
            // The messages of a handshake take far more memory than the later output of an idle connection.
            defer { outbound = ByteBuffer() }
            return outbound
        }
        isOutboundTaken = true
        return outbound
    }

    /// Judges the certificate that the client shows; returns its standing if it ends the handshake.
    func judge(_ chain: [[UInt8]]) -> ClientCertificate.Standing? {
        guard let judged = judgeChain(chain) else { return nil }
        clientCertificate = judged.certificate
        guard judged.isRefused else { return nil }
        let standing = judged.certificate.standing
        refusal =
            standing == .verified
            ? CloseReason(
                .badCertificate, "the client's certificate is for the other environment", cause: .otherEnvironment)
            : CloseReason(.badCertificate, "the client's certificate is \(standing.rawValue)")
        return standing
    }

    /// Continues the handshake.
    package func handshake() -> Handshake {
        ERR_clear_error()
        let result = SSL_do_handshake(handle)
        if result == 1 {
            isEstablished = true
            return .done
        }
        switch SSL_get_error(handle, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .wantsMore
        case SSL_ERROR_WANT_CLIENT_HELLO_CB:
            guard case .alert(let number) = fault else { return .wantsMore }
            // OpenSSL does not send alerts that it does not know. Before the keys are established, a record
            // is plain text (RFC 8446, section 5.1): type 21, version, length; then level 2, fatal.
            [21, 3, 3, 0, 2, 2, number].withUnsafeBytes { appendOutbound($0) }
            return .failed(CloseReason(.tlsFailure, "alert \(number)"))
        default: return .failed(refusal ?? Self.failure())
        }
    }

    /// Returns the fault of an `SSL` object's handshake.
    static func fault(of handle: OpaquePointer?) -> FaultAction.Handshake? {
        guard let connection = BIO_get_data(SSL_get_rbio(handle)) else { return nil }
        return Unmanaged<TLSConnection>.fromOpaque(connection)._withUnsafeGuaranteedRef { $0.fault }
    }

    /// Decrypts into `target`.
    package func read(into target: UnsafeMutableRawBufferPointer) -> Read {
        ERR_clear_error()
        let count = SSL_read(handle, target.baseAddress, CInt(target.count))
        if count > 0 { return .bytes(Int(count)) }
        switch SSL_get_error(handle, count) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .wantsMore
        case SSL_ERROR_ZERO_RETURN: return .closed
        default: return .failed(Self.failure())
        }
    }

    /// Encrypts `bytes` into the outbound buffer; returns the reason if OpenSSL fails.
    package func write(_ bytes: UnsafeRawBufferPointer) -> CloseReason? {
        var rest = bytes
        while !rest.isEmpty {
            ERR_clear_error()
            let count = SSL_write(handle, rest.baseAddress, CInt(clamping: rest.count))
            guard count > 0 else { return Self.failure() }
            rest = UnsafeRawBufferPointer(rebasing: rest[Int(count)...])
        }
        return nil
    }

    /// Writes close_notify into the outbound buffer.
    package func shutdown() {
        guard isEstablished else { return }
        ERR_clear_error()
        // The client's close_notify is not awaited, so the result is irrelevant.
        _ = SSL_shutdown(handle)
        ERR_clear_error()
    }

    /// Why the server's certificate is not accepted, in OpenSSL's words; `nil` if it is, or before it was seen.
    package var verificationProblem: String? {
        let result = SSL_get_verify_result(handle)
        return result == Int(X509_V_OK) ? nil : String(cString: X509_verify_cert_error_string(result))
    }

    /// The result of the handshake.
    package var facts: ConnectionInfo.TLS {
        var start: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(handle, &start, &length)
        let alpn =
            length == 0 ? nil : String(decoding: UnsafeBufferPointer(start: start, count: Int(length)), as: UTF8.self)
        let serverName = SSL_get_servername(handle, CInt(TLSEXT_NAMETYPE_host_name)).map { String(cString: $0) }
        return ConnectionInfo.TLS(
            version: String(cString: SSL_get_version(handle)), applicationProtocol: alpn, serverName: serverName,
            clientCertificate: clientCertificate)
    }

    private static func failure() -> CloseReason {
        let errors = TLSErrors.take()
        return CloseReason(.tlsFailure, errors.text.isEmpty ? "the peer broke off" : errors.text, cause: errors.cause)
    }
}

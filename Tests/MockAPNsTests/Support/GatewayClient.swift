import CMockAPNsOpenSSL
import Foundation
import MockAPNs
import TestSupport

/// A provider of the binary interface, or a reader of the feedback service: a blocking socket with TLS.
///
/// Its calls block a thread of their own. `@unchecked Sendable`: one call
/// is made after the other.
final class GatewayClient: @unchecked Sendable {
    struct Failure: Error { let call: String }

    private let socket: Socket
    private let context: OpaquePointer
    private let handle: OpaquePointer

    /// Connects with a certificate, or without one.
    static func connect(_ port: Int, _ certificate: ClientCertificates.Issued?) async throws -> GatewayClient {
        try await onOwnThread { try GatewayClient(port, certificate) }
    }

    private init(_ port: Int, _ certificate: ClientCertificates.Issued?) throws {
        let socket = try Socket(to: port)
        self.socket = socket
        socket.set(TCP_NODELAY, to: 1, level: Int32(IPPROTO_TCP))
        guard let context = SSL_CTX_new(TLS_client_method()), let handle = SSL_new(context) else {
            throw Failure(call: "connect")
        }
        (self.context, self.handle) = (context, handle)
        if let certificate {
            try Self.withMemory(certificate.certificatePEM) { memory in
                let read = PEM_read_bio_X509(memory, nil, nil, nil)
                defer { X509_free(read) }
                guard SSL_use_certificate(handle, read) == 1 else { throw Failure(call: "certificate") }
            }
            try Self.withMemory(certificate.keyPEM) { memory in
                let read = PEM_read_bio_PrivateKey(memory, nil, nil, nil)
                defer { EVP_PKEY_free(read) }
                guard SSL_use_PrivateKey(handle, read) == 1 else { throw Failure(call: "key") }
            }
        }
        SSL_set_fd(handle, socket.descriptor)
        guard Self.patiently(handle, { SSL_connect(handle) }) == 1 else { throw Failure(call: "handshake") }
    }

    deinit {
        SSL_free(handle)
        SSL_CTX_free(context)
    }

    /// Repeats a call while nothing comes; `LastResort` knows for how long.
    private static func patiently(_ handle: OpaquePointer, _ call: () -> CInt) -> CInt {
        LastResort.retrying(call) { count in
            [SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE].contains(SSL_get_error(handle, count))
        }
    }

    private static func withMemory(_ text: String, _ use: (OpaquePointer?) throws -> Void) throws {
        let memory = BIO_new(BIO_s_mem())
        defer { BIO_free(memory) }
        BIO_puts(memory, text)
        try use(memory)
    }

    /// Sends bytes in one TLS record for each 16 KiB.
    func send(_ bytes: [UInt8]) async throws {
        try await onOwnThread { [self] in
            guard bytes.isEmpty || write(bytes) == bytes.count else { throw Failure(call: "send") }
        }
    }

    private func write(_ bytes: [UInt8]) -> CInt {
        Self.patiently(handle) { SSL_write(handle, bytes, CInt(bytes.count)) }
    }

    /// Sends every byte in a record of its own.
    func sendTorn(_ bytes: [UInt8]) async throws {
        try await onOwnThread { [self] in for byte in bytes where write([byte]) != 1 { throw Failure(call: "send") } }
    }

    /// Everything that the server sends until it ends the connection in good order.
    func rest() async throws -> [UInt8] {
        try await onOwnThread { [self] in
            var all: [UInt8] = []
            var bytes = [UInt8](repeating: 0, count: 16_384)
            while true {
                let count = Self.patiently(handle) { SSL_read(handle, &bytes, CInt(bytes.count)) }
                if count > 0 {
                    all += bytes[..<Int(count)]
                } else if SSL_get_error(handle, count) == SSL_ERROR_ZERO_RETURN {
                    return all
                } else {
                    throw Failure(call: "read")
                }
            }
        }
    }

    /// Ends the connection, so that the server need not wait.
    func end() { socket.end() }
}

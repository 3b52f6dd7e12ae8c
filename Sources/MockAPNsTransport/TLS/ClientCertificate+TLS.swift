internal import CMockAPNsOpenSSL
internal import CMockAPNsShims
internal import MockAPNsRules

extension ClientCertificate {
    /// The maximum length of a name that is kept, in bytes: a client may send a certificate of any size.
    private static let longestName = 512

    /// Creates the certificate that the client sent in the handshake; `nil` if there was none.
    init?(shownTo connection: OpaquePointer) {
        guard let certificate = SSL_get1_peer_certificate(connection) else { return nil }
        defer { X509_free(certificate) }
        self.init(
            subject: Self.text(of: X509_get_subject_name(certificate)),
            issuer: Self.text(of: X509_get_issuer_name(certificate)),
            notBefore: Self.seconds(of: X509_get0_notBefore(certificate)),
            notAfter: Self.seconds(of: X509_get0_notAfter(certificate))
        )
        ERR_clear_error()
    }

    /// Returns a name in the format of RFC 2253.
    private static func text(of name: OpaquePointer?) -> String {
        guard let bio = BIO_new(BIO_s_mem()) else { return "" }
        defer { BIO_free(bio) }
        guard mockapns_X509_NAME_print(bio, name) >= 0 else { return "" }
        var bytes = [UInt8](repeating: 0, count: longestName)
        let count = BIO_read(bio, &bytes, CInt(bytes.count))
        return String(decoding: bytes.prefix(max(0, Int(count))), as: UTF8.self)
    }

    /// Returns a time in UNIX seconds; `nil` if it cannot be parsed.
    private static func seconds(of time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        guard let epoch = ASN1_TIME_set(nil, 0) else { return nil }
        defer { ASN1_TIME_free(epoch) }
        var days: CInt = 0
        var seconds: CInt = 0
        guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
        return Int64(days) * 86_400 + Int64(seconds)
    }
}

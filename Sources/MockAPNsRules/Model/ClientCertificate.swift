/// The unverified content of a client's certificate.
public struct ClientCertificate: Equatable, Sendable {
    /// The subject in the format of RFC 2253, such as `CN=Apple Push Services: com.example.app`.
    public let subject: String
    /// The issuer in the same format.
    public let issuer: String
    /// The first second of the validity, in UNIX seconds; `nil` if it cannot be parsed.
    public let notBefore: Int64?
    /// The last second of the validity, in UNIX seconds; `nil` if it cannot be parsed.
    public let notAfter: Int64?

    /// Creates the content of a certificate.
    public init(subject: String, issuer: String, notBefore: Int64?, notAfter: Int64?) {
        self.subject = subject
        self.issuer = issuer
        self.notBefore = notBefore
        self.notAfter = notAfter
    }
}

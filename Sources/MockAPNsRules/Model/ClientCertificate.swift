/// What the certificate of a client says, which is not verified.
public struct ClientCertificate: Equatable, Sendable {
    /// The subject as RFC 2253 writes it, such as `CN=Apple Push Services: com.example.app`.
    public let subject: String
    /// The issuer, written the same way.
    public let issuer: String
    /// The first second of the validity, in UNIX seconds; `nil` when it cannot be read.
    public let notBefore: Int64?
    /// The last second of the validity, in UNIX seconds; `nil` when it cannot be read.
    public let notAfter: Int64?

    /// A certificate that says this.
    public init(subject: String, issuer: String, notBefore: Int64?, notAfter: Int64?) {
        self.subject = subject
        self.issuer = issuer
        self.notBefore = notBefore
        self.notAfter = notAfter
    }
}

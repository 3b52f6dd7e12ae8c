/// A certificate and the private key that belongs to it, both in PEM.
public struct IssuedCertificate: Sendable {
    /// The certificate, without the one of the authority that issued it.
    public let certificatePEM: String

    /// The private key as PKCS#8, not encrypted.
    public let keyPEM: String
}

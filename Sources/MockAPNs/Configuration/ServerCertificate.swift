internal import MockAPNsCrypto
internal import MockAPNsRules
internal import MockAPNsWorld

/// A generated certificate for the server, and the authority that issued it.
public struct ServerCertificate: Sendable {
    /// The certificate and its key.
    public let identity: Configuration.Identity
    /// The authority's certificate, in PEM, which clients must trust.
    ///
    /// Its key is discarded.
    public let authorityPEM: String
    /// The certificates of faults, issued by the same authority.
    public let faultyCertificates: FaultyCertificates

    /// The names that every certificate has: loopback, container host names, and Apple's push hosts.
    public static let standardNames =
        ["localhost", "127.0.0.1", "::1", "mock-apns", "host.docker.internal"] + AppleHost.all.map(\.name)

    /// Creates an authority restricted to the standard and additional names, and a certificate for them, valid for a year.
    public static func make(additionalNames: [String]) throws(MockAPNsError) -> ServerCertificate {
        try MockAPNsError.wrapping(.badCertificate) {
            let names = try CertificateNames(parsing: standardNames + additionalNames)
            let now = WorldClock().read().system.microseconds / 1_000_000
            let authority = try CertificateAuthority(names: names, now: now)
            let issued = try authority.issueServerCertificate(names: names, now: now)
            return ServerCertificate(
                identity: Configuration.Identity(issued), authorityPEM: authority.certificatePEM,
                faultyCertificates: try FaultyCertificates(by: authority, names: names, now: now))
        }
    }
}

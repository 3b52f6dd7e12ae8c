internal import CMockAPNsOpenSSL

/// The contents of a provider's certificate, as Apple's push certificates have them.
///
/// Reading checks neither the time, nor a signature, nor trust.
package struct PushCertificate: Sendable, Equatable {
    /// The maximum length of a name that is kept, in bytes: a client may send a certificate of any size.
    private static let longestName = 512
    /// The maximum number of topics that are kept: everybody may show a certificate, and it is kept as long as its
    /// connection.
    package static let mostTopics = 1_000

    /// The subject in the format of RFC 2253.
    package let subject: String
    /// The issuer in the same format.
    package let issuer: String
    /// The serial number, in uppercase hexadecimal digits.
    package let serial: String
    /// The first second of the validity, in UNIX seconds.
    package let notBefore: Int64
    /// The last second of the validity, in UNIX seconds.
    package let notAfter: Int64
    /// The user identifier of the subject; `nil` if it has none.
    package let userID: String?
    /// The topics of its extensions; `nil` if it has no such extension, or none that can be read.
    package let topics: [String]?
    /// Whether there are more topics than are kept.
    package let hasMoreTopics: Bool
    package let isForSandbox: Bool
    package let isForProduction: Bool

    /// Reads a certificate in DER.
    ///
    /// - Throws: ``CertificateError`` if it is none.
    package init(der: [UInt8]) throws {
        self = try withErrorQueue { try PushCertificate(X509Certificate.reading(der: der)) }
    }

    /// Reads the first certificate of a PEM text.
    ///
    /// - Throws: ``CertificateError`` if there is no valid certificate.
    package init(pem: String) throws {
        self = try withErrorQueue { try PushCertificate(X509Certificate.reading(pem: pem)) }
    }

    private init(_ certificate: borrowing X509Certificate) throws {
        subject = Self.shortened(try certificate.subject())
        issuer = Self.shortened(try certificate.issuer())
        serial = String(try certificate.serial().prefix(64))
        (notBefore, notAfter) = try certificate.validity()
        userID = certificate.userID().map(Self.shortened)
        var topics: [String]?
        for kind in [PushCertificateExtension.topics, .voipTopics, .voipBundleID] where topics == nil {
            topics = kind.content(in: certificate).flatMap(PushCertificateExtension.topics)
        }
        hasMoreTopics = topics.map { $0.count > Self.mostTopics } ?? false
        self.topics = topics.map { $0.prefix(Self.mostTopics).map(Self.shortened) }
        isForSandbox = PushCertificateExtension.sandbox.content(in: certificate) != nil
        isForProduction = PushCertificateExtension.production.content(in: certificate) != nil
    }

    private static func shortened(_ text: String) -> String {
        text.utf8.count <= longestName ? text : String(decoding: text.utf8.prefix(longestName), as: UTF8.self)
    }
}

internal import MockAPNsCrypto
public import MockAPNsRules
internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// Client certificates with the content of Apple's push certificates, issued by a separate authority.
///
/// The authority is created at first use and lost when the server stops, so its certificates are valid only
/// for this server.
public final class ClientCertificates: Sendable {
    /// An issued certificate.
    public struct Issued: Sendable {
        /// The topics of the certificate.
        public let topics: [String]
        /// The certificate, in PEM.
        public var certificatePEM: String { issued.certificatePEM }
        /// The private key, in PEM, unencrypted.
        public var keyPEM: String { issued.keyPEM }
        /// The certificate of the authority, in PEM.
        public let authorityPEM: String
        /// The subject in the format of RFC 2253.
        public let subject: String
        /// The SHA-256 fingerprint of the certificate, in uppercase hexadecimal digits with colons.
        public let fingerprint: String
        /// The last second of the validity.
        public let notAfter: Timestamp
        fileprivate let issued: IssuedCertificate

        /// Returns certificate and key as a PKCS#12 file; the password must not contain NUL.
        public func pkcs12(password: String) throws(MockAPNsError) -> [UInt8] {
            try MockAPNsError.wrapping(.badCertificate) {
                try issued.pkcs12(password: password, name: topics.first ?? "")
            }
        }
    }

    /// The object identifiers of Apple's extensions.
    ///
    /// Documented: Apple, certificate-based connection to APNs. For the environments: public code of many
    /// clients.
    private enum Identifier {
        static let sandbox = "1.2.840.113635.100.6.3.1"
        static let production = "1.2.840.113635.100.6.3.2"
        static let topics = "1.2.840.113635.100.6.3.6"
    }

    /// The topics of an app's universal certificate besides the app, in Apple's order (documented).
    private static let kinds = [("", "app"), (".voip", "voip"), (".complication", "complication")]

    private let authority = NIOLockedValueBox<ClientCertificateAuthority?>(nil)

    init() {}

    /// Whether a string can be a bundle identifier: at most 200 letters, digits, hyphens, underscores and
    /// dots.
    public static func isBundleID(_ text: String) -> Bool {
        (1...200).contains(text.utf8.count) && text.utf8.allSatisfy(isNameByte)
    }

    /// Whether a byte is a letter, a digit, `-`, `.` or `_`.
    static func isNameByte(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || "-._".utf8.contains(byte)
    }

    /// Issues a certificate for an app.
    ///
    /// For both environments it is a universal certificate, with a list of topics: the app's, and those of
    /// its VoIP pushes and complications. For one environment it is of the older kind, whose only topic is
    /// its subject's (documented; that it has no list is inferred). It is valid for a year, and its key is not stored.
    public func issue(
        bundleID: String,
        environment: Environment? = nil
    ) throws(MockAPNsError) -> Issued {
        guard Self.isBundleID(bundleID) else {
            let problem = "invalid bundle identifier '\(bundleID)': use letters, digits, '-', '_' and '.'"
            throw MockAPNsError(.badCertificate, problem)
        }
        let topics = Self.kinds.prefix(environment == nil ? Self.kinds.count : 1).map { suffix, kind in
            (name: bundleID + suffix, kind: kind)
        }
        let environments = environment.map { [$0] } ?? [.sandbox, .production]
        var extensions = environments.map {
            (identifier: $0 == .sandbox ? Identifier.sandbox : Identifier.production, content: Self.null)
        }
        if environment == nil { extensions.append((Identifier.topics, Self.list(of: topics))) }
        let service =
            environment == .sandbox ? "Apple Development IOS Push Services" : "Apple Push Services"
        return try MockAPNsError.wrapping(.badCertificate) {
            // The system's time, because TLS does not use the world's clock.
            let now = WorldClock().read().system.microseconds / 1_000_000
            let authority = try authority.withLockedValue { authority in
                let made = try authority ?? ClientCertificateAuthority(now: now)
                authority = made
                return made
            }
            let issued = try authority.issue(
                userID: bundleID,
                commonName: "\(service): \(bundleID)",
                extensions: extensions,
                now: now
            )
            let facts = try CertificateFacts(pem: issued.certificatePEM)
            return Issued(
                topics: topics.map(\.name),
                authorityPEM: authority.certificatePEM,
                subject: facts.subject,
                fingerprint: facts.fingerprint,
                notAfter: Timestamp(microseconds: facts.notAfter * 1_000_000),
                issued: issued
            )
        }
    }

    private static let null: [UInt8] = [0x05, 0x00]

    /// `SEQUENCE { UTF8String topic, SEQUENCE { UTF8String kind }, … }` (observed in parsers in production
    /// use).
    static func list(of topics: [(name: String, kind: String)]) -> [UInt8] {
        value(
            0x30,
            topics.flatMap {
                value(0x0c, Array($0.name.utf8)) + value(0x30, value(0x0c, Array($0.kind.utf8)))
            }
        )
    }

    /// Returns a value with its tag and length.
    private static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        if count < 0x80 { return [tag, UInt8(count)] + content }
        if count < 0x100 { return [tag, 0x81, UInt8(count)] + content }
        return [tag, 0x82, UInt8(count >> 8 & 0xff), UInt8(count & 0xff)] + content
    }
}

internal import MockAPNsCrypto
public import MockAPNsRules
internal import MockAPNsWorld

extension ClientCertificates {
    /// The input for issuing a certificate.
    public struct Draft: Sendable {
        /// The bundle identifier of the app; for device management, the topic.
        public var bundleID: String
        /// The topics of its list; empty for the usual ones of its kind.
        ///
        /// For both environments the usual ones are the app's and those of its VoIP pushes and complications. For one
        /// environment there is no list, as in certificates of the older kind (that these have none is inferred).
        public var topics: [String] = []
        /// `nil` for both.
        public var environment: Environment?
        /// The first second of the validity, in seconds from now; `nil` for a day before now.
        public var startsIn: Int64?
        /// The last second of the validity, in seconds from now; `nil` for a year.
        public var expiresIn: Int64?
        /// Whether it is signed with its own key, so that it is not trusted.
        public var isSelfSigned = false
        /// Whether it has the names of a certificate for device management (MDM), which is for production only.
        public var isForManagement = false

        /// Creates the draft of a certificate for an app.
        public init(bundleID: String) { self.bundleID = bundleID }

        /// The topic of a new certificate for device management (observed: this prefix and a UUID).
        public static func managementTopic() -> String {
            var numbers = SystemRandomNumberGenerator()
            let id = UniqueID(high: numbers.next(), low: numbers.next())
            return managementPrefix + id.text(upperCase: false)
        }

        /// The maximum number of topics.
        public static let mostTopics = 100
        /// The beginning of every topic for device management.
        public static let managementPrefix = "com.apple.mgmt.External."
    }

    /// An issued certificate with its private key, which is not stored.
    public struct Issued: Sendable {
        /// The topics of the certificate.
        public let topics: [String]
        /// The serial number, in uppercase hexadecimal digits.
        public let serial: String
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
        /// The first second of the validity.
        public let notBefore: Timestamp
        /// The last second of the validity.
        public let notAfter: Timestamp
        fileprivate let issued: IssuedCertificate

        /// Returns certificate and key as a PKCS#12 file; the password must not contain NUL.
        ///
        /// If `isLegacy`, the certificate is encrypted with RC2, for clients that read nothing else.
        public func pkcs12(password: String, isLegacy: Bool = false) throws(MockAPNsError) -> [UInt8] {
            try MockAPNsError.wrapping(.badCertificate) {
                try issued.pkcs12(password: password, name: topics.first ?? "", isLegacy: isLegacy)
            }
        }
    }

    /// The topics of an app's universal certificate besides the app, in Apple's order (documented).
    private static let kinds = [("", "app"), (".voip", "voip"), (".complication", "complication")]

    /// Whether a string can be a bundle identifier: at most 200 letters, digits, hyphens, underscores and
    /// dots.
    public static func isBundleID(_ text: String) -> Bool {
        (1...200).contains(text.utf8.count) && text.utf8.allSatisfy(isNameByte)
    }

    /// Whether a byte is a letter, a digit, `-`, `.` or `_`.
    static func isNameByte(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || "-._".utf8.contains(byte)
    }

    /// Issues a certificate; the server's own authority is created for the first one.
    public func issue(_ draft: Draft) throws(MockAPNsError) -> Issued {
        for name in [draft.bundleID] + draft.topics where !Self.isBundleID(name) {
            let problem = "invalid bundle identifier '\(name)': use letters, digits, '-', '_' and '.'"
            throw MockAPNsError(.badCertificate, problem)
        }
        let now = Self.now
        let validity = try Self.validity(of: draft, at: now)
        let (extensions, topics) = Self.extensions(of: draft)
        return try change { state in
            let authority = try state.own ?? ClientCertificateAuthority(now: now)
            if state.own == nil {
                state.own = authority
                state.stored.authorityPEM = authority.certificatePEM
                state.stored.authorityKeyPEM = try authority.keyPEM()
                state.trust = try Self.trust(in: authority, options)
            }
            let issued = try authority.issue(
                userID: draft.bundleID, commonName: Self.commonName(of: draft), extensions: extensions, now: now,
                validity: validity, isSelfSigned: draft.isSelfSigned)
            let facts = try CertificateFacts(pem: issued.certificatePEM)
            let certificate = try PushCertificate(pem: issued.certificatePEM)
            state.add(certificate, issued.certificatePEM)
            return Issued(
                topics: topics, serial: certificate.serial, authorityPEM: authority.certificatePEM,
                subject: facts.subject, fingerprint: facts.fingerprint, notBefore: Timestamp(seconds: facts.notBefore),
                notAfter: Timestamp(seconds: facts.notAfter), issued: issued)
        }
    }

    /// `nil` for the usual validity.
    private static func validity(of draft: Draft, at now: Int64) throws(MockAPNsError) -> ClosedRange<Int64>? {
        guard draft.startsIn != nil || draft.expiresIn != nil else { return nil }
        let day: Int64 = 86_400
        let start = draft.startsIn ?? min(-day, (draft.expiresIn ?? 0) - day)
        let end = draft.expiresIn ?? start + 365 * day
        guard start < end else {
            throw MockAPNsError(.badCertificate, "the certificate would expire before it is valid")
        }
        return now + start...now + end
    }

    /// The common name that Apple's certificates have (documented; for device management observed).
    private static func commonName(of draft: Draft) -> String {
        if draft.isForManagement { return "APSP:\(draft.bundleID.dropFirst(Draft.managementPrefix.count))" }
        let service = draft.environment == .sandbox ? "Apple Development IOS Push Services" : "Apple Push Services"
        return "\(service): \(draft.bundleID)"
    }

    private static func extensions(
        of draft: Draft
    ) -> (extensions: [(identifier: String, content: [UInt8])], topics: [String]) {
        let environments =
            draft.environment.map { [$0] } ?? (draft.isForManagement ? [.production] : Environment.allCases)
        var extensions = environments.map {
            ($0 == .sandbox ? PushCertificateExtension.sandbox : .production, PushCertificateExtension.null)
        }
        var topics = draft.topics.map { topic in (name: topic, kind: kinds.last { topic.hasSuffix($0.0) }?.1 ?? "app") }
        if topics.isEmpty, draft.environment == nil, !draft.isForManagement {
            topics = kinds.map { suffix, kind in (name: draft.bundleID + suffix, kind: kind) }
        }
        if !topics.isEmpty { extensions.append((.topics, PushCertificateExtension.content(of: topics))) }
        return (
            extensions.map { (identifier: $0.0.rawValue, content: $0.1) },
            topics.isEmpty ? [draft.bundleID] : topics.map(\.name)
        )
    }
}

extension ClientCertificates.State {
    /// Lists a certificate; beyond the limit, forgets the oldest one that is not revoked.
    fileprivate mutating func add(_ certificate: PushCertificate, _ pem: String) {
        issued.append(certificate)
        stored.issued.append(pem)
        guard issued.count > ClientCertificates.limit,
            let oldest = issued.firstIndex(where: { !stored.revoked.contains($0.serial) })
        else { return }
        issued.remove(at: oldest)
        stored.issued.remove(at: oldest)
    }
}

internal import CMockAPNsOpenSSL

/// An authority for one server's certificates, whose private key lives in memory only and has no way out.
///
/// Installing its certificate as a trusted root costs little trust: its key is gone with the process, it cannot make
/// further authorities, and critical name constraints limit its host names to those it was made for.
///
/// Safe to use from many threads at once.
public final class CertificateAuthority: Sendable {
    /// The authority's own certificate.
    public let certificatePEM: String

    /// The SHA-256 digest of the certificate: upper-case hexadecimal with colons.
    public let fingerprint: String

    /// The names that the authority may issue for, in their one form.
    ///
    /// Host names include what lies below them.
    public let names: CertificateNames

    private let key: EllipticCurveKey
    private let validity: ClosedRange<Int64>

    private static let day: Int64 = 86_400
    private static let year: Int64 = 365 * day

    /// Makes an authority, valid from a day before `now` to a year after.
    ///
    /// - Parameters:
    ///   - names: The only names it may issue for, at least one.
    ///   - now: The time, in UNIX seconds.
    /// - Throws: ``CertificateError`` for bad names or a bad time, ``OpenSSLError`` when OpenSSL itself
    ///   fails.
    public init(names: CertificateNames, now: Int64) throws {
        let names = try CertificateNames(parsing: names.all)
        guard !names.isEmpty else { throw CertificateError.noNames }
        let validity = try Self.validity(around: now)
        let (key, certificatePEM, fingerprint) = try withErrorQueue {
            let key = try EllipticCurveKey.generate()
            let commonName = "mock-apns CA \(try CertificateDraft.shortKeyID(of: key))"
            let draft = try CertificateDraft(commonName: commonName, key: key, validity: validity)
            try draft.add(NID_basic_constraints, "critical,CA:TRUE,pathlen:0")
            try draft.add(NID_key_usage, "critical,keyCertSign,cRLSign")
            try draft.add(NID_subject_key_identifier, "hash")
            try draft.add(NID_name_constraints, Self.constraints(to: names))
            let certificate = try draft.signed(by: key, issuer: nil)
            return (key, try certificate.pem(), try certificate.fingerprint())
        }
        self.names = names
        self.validity = validity
        self.key = key
        self.certificatePEM = certificatePEM
        self.fingerprint = fingerprint
    }

    /// Issues a certificate for a TLS server, with a new key of its own.
    ///
    /// Valid from a day before `now` to a year after, but never outside the authority's own validity.
    ///
    /// - Parameters:
    ///   - names: At least one name, all among the authority's. The first host name is the common name too.
    ///   - now: The time, in UNIX seconds.
    /// - Returns: The certificate and its key, which exists nowhere else.
    /// - Throws: ``CertificateError`` for names or a time that do not fit the authority, ``OpenSSLError``
    ///   when OpenSSL itself fails.
    public func issueServerCertificate(names: CertificateNames, now: Int64) throws -> IssuedCertificate {
        let names = try permitted(names)
        guard validity.contains(now) else {
            throw CertificateError.authorityNotValid(now: now, validity: validity)
        }
        return try issue(names: names, validity: try Self.validity(around: now).clamped(to: validity))
    }

    /// Issues a certificate that ran out a day before `now`, a month after it was made.
    ///
    /// For servers that show it on purpose, to see what clients say.
    ///
    /// - Parameters:
    ///   - names: At least one name, all among the authority's.
    ///   - now: The time, in UNIX seconds.
    /// - Returns: The certificate and its key, which exists nowhere else.
    /// - Throws: ``CertificateError`` for names or a time that do not fit the authority, ``OpenSSLError``
    ///   when OpenSSL itself fails.
    public func issueExpiredServerCertificate(
        names: CertificateNames,
        now: Int64
    ) throws -> IssuedCertificate {
        let names = try permitted(names)
        let end = try Self.validity(around: now).lowerBound
        return try issue(names: names, validity: max(0, end - 30 * Self.day)...end)
    }

    /// The names in their one form, all of which the authority may issue for.
    private func permitted(_ names: CertificateNames) throws -> CertificateNames {
        let names = try CertificateNames(parsing: names.all)
        guard !names.isEmpty else { throw CertificateError.noNames }
        if let name = names.firstName(outside: self.names) { throw CertificateError.nameNotPermitted(name) }
        return names
    }

    /// Issues without asking whether clients will accept the names.
    func issue(names: CertificateNames, validity: ClosedRange<Int64>) throws -> IssuedCertificate {
        try withErrorQueue {
            let issuer = try X509Certificate.reading(pem: certificatePEM)
            let leafKey = try EllipticCurveKey.generate()
            let draft = try CertificateDraft(
                commonName: Self.commonName(for: names),
                key: leafKey,
                validity: validity
            )
            try draft.add(NID_basic_constraints, "critical,CA:FALSE")
            try draft.add(NID_key_usage, "critical,digitalSignature")
            try draft.add(NID_ext_key_usage, "serverAuth")
            try draft.add(NID_subject_alt_name, Self.alternativeNames(names))
            try draft.add(NID_subject_key_identifier, "hash")
            try draft.add(NID_authority_key_identifier, "keyid:always", issuer: issuer)
            let certificate = try draft.signed(by: key, issuer: issuer.pointer)
            return IssuedCertificate(certificatePEM: try certificate.pem(), keyPEM: try leafKey.privatePEM())
        }
    }

    static func validity(around now: Int64) throws(CertificateError) -> ClosedRange<Int64> {
        // The last second of the year 9999, the last that a certificate can express (RFC 5280, 4.1.2.5).
        let end: Int64 = 253_402_300_799
        guard (day...end - year).contains(now) else { throw CertificateError.badTime(now) }
        return (now - day)...(now + year)
    }

    /// A common name has 64 characters at most, and one that looks like a host name is held against the
    /// constraints where there is no DNS name beside it; so an address never becomes one.
    private static func commonName(for names: CertificateNames) -> String {
        names.dnsNames.first { $0.utf8.count <= 64 } ?? "mock-apns server"
    }

    private static func alternativeNames(_ names: CertificateNames) -> String {
        (names.dnsNames.map { "DNS:\($0)" } + names.ipAddresses.map { "IP:\($0)" }).joined(separator: ",")
    }

    /// Permits the host names and no others.
    ///
    /// Without host names only the reserved `invalid` is permitted (RFC 6761, section 6.4), because a kind of name
    /// without a constraint is not limited. Addresses are not constrained: BoringSSL, and so SwiftNIO, refuses every
    /// chain whose authority has IP addresses in its name constraints and whose certificate has an IP address.
    private static func constraints(to names: CertificateNames) -> String {
        let hosts = names.dnsNames.isEmpty ? ["invalid"] : names.dnsNames
        return "critical," + hosts.map { "permitted;DNS:\($0)" }.joined(separator: ",")
    }
}

internal import CMockAPNsOpenSSL

/// An authority for one server's certificates.
///
/// Trusting it as a root is a small risk: its key exists only in memory, it cannot certify further authorities,
/// and critical name constraints limit its host names to those it was made for.
///
/// Safe to use from many threads at once.
package final class CertificateAuthority: Sendable {
    /// The names that the authority may issue for, normalized.
    ///
    /// Host names include their subdomains.
    private let names: CertificateNames
    private let issuer: CertificateIssuer

    /// Creates an authority, valid from a day before `now` to a year after.
    ///
    /// It may issue for these names only; `now` is in UNIX seconds.
    package init(names: CertificateNames, now: Int64) throws {
        let names = try CertificateNames(parsing: names.all)
        guard !names.isEmpty else { throw CertificateError.noNames }
        self.names = names
        issuer = try CertificateIssuer("mock-apns CA", now: now) { draft in
            try draft.add(NID_name_constraints, Self.constraints(to: names))
        }
    }

    package var certificatePEM: String { issuer.certificatePEM }

    /// Issues a certificate for a TLS server, with a new key.
    ///
    /// Valid from a day before `now` to a year after, but never outside the authority's own validity. All names must
    /// be among the authority's.
    package func issueServerCertificate(names: CertificateNames, now: Int64) throws -> IssuedCertificate {
        try issue(names: permitted(names), validity: issuer.validity(of: now))
    }

    /// Issues a certificate that expired a day before `now`, a month after it became valid.
    ///
    /// Servers present it on purpose, to test how clients react.
    package func issueExpiredServerCertificate(names: CertificateNames, now: Int64) throws -> IssuedCertificate {
        let end = try CertificateIssuer.validity(around: now).lowerBound
        return try issue(names: permitted(names), validity: max(0, end - 30 * CertificateIssuer.day)...end)
    }

    /// The names, normalized, if the authority may issue for all of them.
    private func permitted(_ names: CertificateNames) throws -> CertificateNames {
        let names = try CertificateNames(parsing: names.all)
        guard !names.isEmpty else { throw CertificateError.noNames }
        if let name = names.firstName(outside: self.names) { throw CertificateError.nameNotPermitted(name) }
        return names
    }

    /// Issues without checking whether clients will accept the names.
    func issue(names: CertificateNames, validity: ClosedRange<Int64>) throws -> IssuedCertificate {
        // A common name has at most 64 characters, and one that looks like a host name is checked against the
        // constraints if there is no DNS name; so an address is never used.
        let commonName = names.dnsNames.first { $0.utf8.count <= 64 } ?? "mock-apns server"
        let alternatives = names.dnsNames.map { "DNS:\($0)" } + names.ipAddresses.map { "IP:\($0)" }
        return try issuer.issue([("CN", commonName)], for: "serverAuth", validity: validity) { draft in
            try draft.add(NID_subject_alt_name, alternatives.joined(separator: ","))
        }
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

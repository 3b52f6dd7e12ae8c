/// The names that a certificate is for.
///
/// The initializer that parses names normalizes them, so that lists written differently compare as equal: lower case,
/// no dot at the end, addresses in their shortest form, no duplicates, in the same order.
package struct CertificateNames: Equatable, Sendable {
    package var dnsNames: [String]
    package var ipAddresses: [String]

    /// Creates names that are checked when a certificate is issued for them.
    package init(dnsNames: [String] = [], ipAddresses: [String] = []) {
        self.dnsNames = dnsNames
        self.ipAddresses = ipAddresses
    }

    /// Splits a list into host names and addresses and normalizes them.
    ///
    /// Host names have letters, digits, hyphens and underscores, which container names have. Wildcards are invalid, and
    /// so is a last label of digits only, which is a mistyped address.
    ///
    /// - Throws: ``CertificateError`` for an invalid name.
    package init(parsing names: [String]) throws {
        self.init()
        for name in names {
            if let address = IPAddressText.normalized(name) {
                if !ipAddresses.contains(address) { ipAddresses.append(address) }
            } else {
                let name = try Self.hostName(name)
                if !dnsNames.contains(name) { dnsNames.append(name) }
            }
        }
    }

    /// All names, host names first.
    package var all: [String] { dnsNames + ipAddresses }

    package var isEmpty: Bool { dnsNames.isEmpty && ipAddresses.isEmpty }

    /// The first of these names that an authority limited to `permitted` may not issue for.
    func firstName(outside permitted: CertificateNames) -> String? {
        let dnsName = dnsNames.first { name in
            // A DNS constraint permits the name itself and everything below it (RFC 5280, section 4.2.1.10).
            !permitted.dnsNames.contains { name == $0 || name.hasSuffix(".\($0)") }
        }
        return dnsName ?? ipAddresses.first { !permitted.ipAddresses.contains($0) }
    }

    private static func hostName(_ name: String) throws(CertificateError) -> String {
        let lowered = name.lowercased()
        let host = lowered.hasSuffix(".") ? lowered.dropLast() : lowered[...]
        // The name as given, too: some characters that are not ASCII have a lower case that is.
        let reason = name.utf8.allSatisfy { $0 < 0x80 } ? problem(with: host) : badCharacter
        if let reason { throw .badName(name, reason: reason) }
        return String(host)
    }

    private static let hostBytes = Set("abcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let badCharacter = "has a character that host names do not have"

    private static func problem(with host: Substring) -> String? {
        if host.isEmpty { return "is empty" }
        if host.utf8.count > 253 { return "is longer than 253 bytes" }
        let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        for label in labels {
            if !(1...63).contains(label.count) { return "has a part that is empty or over 63 bytes long" }
            if !label.allSatisfy(hostBytes.contains) { return badCharacter }
            if [label.first, label.last].contains(UInt8(ascii: "-")) {
                return "has a part that begins or ends with a hyphen"
            }
        }
        let endsInNumber = labels.last?.allSatisfy { (0x30...0x39).contains($0) } ?? true
        return endsInNumber ? "ends in a number but is not an IP address" : nil
    }
}

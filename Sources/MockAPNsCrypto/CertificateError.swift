/// Why a certificate could not be read or issued.
package enum CertificateError: Error, Equatable, CustomStringConvertible {
    case noCertificate(labels: [String])
    case tooLong(count: Int)
    /// The PEM block is cut off or its content cannot be parsed.
    case damaged(reason: String)
    case badName(String, reason: String)
    case noNames
    case nameNotPermitted(String)
    /// The time is outside the authority's validity.
    case authorityNotValid(now: Int64, validity: ClosedRange<Int64>)
    /// The time cannot be written in a certificate.
    case badTime(Int64)

    /// What was seen, what is expected, and how to fix it.
    package var description: String {
        switch self {
        case .noCertificate(let labels):
            "The text has no certificate, "
                + (labels.isEmpty ? "no PEM at all" : "only: \(labels.joined(separator: ", "))")
                + ". Expected a -----BEGIN CERTIFICATE----- block."
        case .tooLong(let count): "The text has \(count) bytes; certificates in PEM have a few thousand."
        case .damaged(let reason): "The certificate cannot be read: \(reason). Make or copy it again."
        case .badName(let name, let reason):
            "\"\(name.prefix(300))\" \(reason). Expected a host name such as push.test, or an IP address such as"
                + " 127.0.0.1 or ::1, without port, brackets or wildcard."
        case .noNames: "No names given; a certificate needs at least one, such as localhost."
        case .nameNotPermitted(let name):
            "The authority may not issue for \(name), and clients would refuse the certificate. "
                + "Make a new authority whose names include it."
        case .authorityNotValid(let now, let validity):
            "The authority is valid from \(validity.lowerBound) to \(validity.upperBound) (UNIX seconds), "
                + "and it is \(now). Make a new authority."
        case .badTime(let time): "The time \(time) is not between the years 1970 and 9999, in UNIX seconds."
        }
    }
}

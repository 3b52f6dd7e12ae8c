/// Why a certificate could not be read or issued.
///
/// Two errors are equal when their codes are.
package struct CertificateError: Error, Equatable, CustomStringConvertible {
    package enum Code {
        case noCertificate
        case tooLong
        /// The PEM block is cut off or its content cannot be parsed.
        case damaged
        case badName
        case noNames
        case nameNotPermitted
        /// The time is outside the authority's validity.
        case authorityNotValid
        /// The time cannot be written in a certificate.
        case badTime
    }

    package let code: Code
    /// What was seen, what is expected, and how to fix it.
    package let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    package static func == (left: CertificateError, right: CertificateError) -> Bool {
        left.code == right.code
    }
}

extension CertificateError {
    static func noCertificate(labels: [String]) -> CertificateError {
        let seen = labels.isEmpty ? "no PEM at all" : "only: \(labels.joined(separator: ", "))"
        return CertificateError(
            .noCertificate,
            "The text has no certificate, \(seen). Expected a -----BEGIN CERTIFICATE----- block."
        )
    }

    static func tooLong(count: Int) -> CertificateError {
        CertificateError(.tooLong, "The text has \(count) bytes; certificates in PEM have a few thousand.")
    }

    static func damaged(because reason: String) -> CertificateError {
        CertificateError(.damaged, "The certificate cannot be read: \(reason). Make or copy it again.")
    }

    static func badName(_ name: String, because reason: String) -> CertificateError {
        CertificateError(
            .badName,
            "\"\(name.prefix(300))\" \(reason). Expected a host name such as push.test, or an IP address such as"
                + " 127.0.0.1 or ::1, without port, brackets or wildcard."
        )
    }

    static var noNames: CertificateError {
        CertificateError(.noNames, "No names given; a certificate needs at least one, such as localhost.")
    }

    static func nameNotPermitted(_ name: String) -> CertificateError {
        CertificateError(
            .nameNotPermitted,
            "The authority may not issue for \(name), and clients would refuse the certificate. "
                + "Make a new authority whose names include it."
        )
    }

    static func authorityNotValid(now: Int64, validity: ClosedRange<Int64>) -> CertificateError {
        CertificateError(
            .authorityNotValid,
            "The authority is valid from \(validity.lowerBound) to \(validity.upperBound) (UNIX seconds), "
                + "and it is \(now). Make a new authority."
        )
    }

    static func badTime(_ time: Int64) -> CertificateError {
        CertificateError(
            .badTime,
            "The time \(time) is not between the years 1970 and 9999, in UNIX seconds."
        )
    }
}

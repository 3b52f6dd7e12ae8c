/// Why a certificate could not be read or issued: what was seen, what is expected, and what to do about it.
///
/// Two errors are equal when their codes are.
public struct CertificateError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong, for programs.
    public let code: Code

    /// What is wrong, for people.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// Compares the codes.
    public static func == (left: CertificateError, right: CertificateError) -> Bool {
        left.code == right.code
    }

    /// What can be wrong with a certificate or with the wish for one; the set may grow.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name, as it is written in Swift.
        public let description: String

        /// The text has no certificate in PEM.
        public static let noCertificate = Code(description: "noCertificate")
        /// The text is longer than 1 MiB.
        public static let tooLong = Code(description: "tooLong")
        /// The PEM block is cut off or its content does not parse.
        public static let damaged = Code(description: "damaged")
        /// A name is neither a DNS name nor an IP address.
        public static let badName = Code(description: "badName")
        /// The list of names is empty.
        public static let noNames = Code(description: "noNames")
        /// A name lies outside what the authority may issue for.
        public static let nameNotPermitted = Code(description: "nameNotPermitted")
        /// The time lies outside the authority's validity.
        public static let authorityNotValid = Code(description: "authorityNotValid")
        /// The time cannot be written in a certificate.
        public static let badTime = Code(description: "badTime")
    }
}

extension CertificateError {
    static func noCertificate(labels: [String]) -> CertificateError {
        let seen = labels.isEmpty ? "no PEM at all" : "only: \(labels.joined(separator: ", "))"
        return CertificateError(
            .noCertificate,
            "The text holds no certificate, \(seen). Expected is a -----BEGIN CERTIFICATE----- block."
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
            "\"\(name.prefix(300))\" \(reason). Expected is a host name such as push.test, or an IP "
                + "address such as 127.0.0.1 or ::1, without port, brackets or wildcard."
        )
    }

    static var noNames: CertificateError {
        CertificateError(.noNames, "No names are given; a certificate needs at least one, such as localhost.")
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

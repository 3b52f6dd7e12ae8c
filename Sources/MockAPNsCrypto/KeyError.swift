/// Why key material could not be used: what was seen, what is expected, and what to do about it.
///
/// Two errors are equal when their codes are. No description holds key material.
public struct KeyError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong, for programs.
    public let code: Code

    /// What is wrong, for people: one or two sentences and, where it helps, the command that repairs it.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// Compares the codes.
    public static func == (left: KeyError, right: KeyError) -> Bool { left.code == right.code }

    /// What can be wrong with key material; the set may grow.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name, as it is written in Swift.
        public let description: String

        /// The text has no `-----BEGIN …-----` line.
        public static let notPEM = Code(description: "notPEM")
        /// The text is longer than any key: over 64 KiB.
        public static let tooLong = Code(description: "tooLong")
        /// The PEM block is cut off, its content does not parse, or its two halves do not belong together.
        public static let damaged = Code(description: "damaged")
        /// The key needs a pass phrase.
        public static let encrypted = Code(description: "encrypted")
        /// The key is of another kind, such as RSA.
        public static let notEllipticCurve = Code(description: "notEllipticCurve")
        /// The key is on another curve than P-256.
        public static let wrongCurve = Code(description: "wrongCurve")
        /// There is no private key in the text, though there may be a public one or a certificate.
        public static let noPrivateKey = Code(description: "noPrivateKey")
        /// There is no key in the text, though there is PEM.
        public static let noKey = Code(description: "noKey")
        /// The key is written in a form that is not read here, such as OpenSSH's.
        public static let unsupportedForm = Code(description: "unsupportedForm")
    }
}

extension KeyError {
    private static let wanted = "APNs takes keys on P-256 only, as Apple's AuthKey_….p8 files hold them"
    private static let making = "To make one: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256"

    static func notPEM(seen: String) -> KeyError {
        KeyError(.notPEM, "\(seen). Expected is PEM text, with a line such as -----BEGIN PRIVATE KEY-----.")
    }

    static func tooLong(count: Int) -> KeyError {
        KeyError(.tooLong, "The text has \(count) bytes; a key in PEM has about 250. Is it the right file?")
    }

    static func damaged(label: String, because reason: String) -> KeyError {
        KeyError(
            .damaged,
            "The \(label) block cannot be read: \(reason). Copy the whole file again, line breaks included."
        )
    }

    static func encrypted(label: String) -> KeyError {
        KeyError(
            .encrypted,
            "The \(label) block is encrypted, and nobody asks for a pass phrase here. "
                + "To decrypt it: openssl pkey -in key.pem -out key.p8"
        )
    }

    static func notEllipticCurve(kind: String) -> KeyError {
        KeyError(.notEllipticCurve, "The key is of kind \(kind). \(wanted). \(making)")
    }

    static func wrongCurve(_ curve: String) -> KeyError {
        KeyError(.wrongCurve, "The key is on the curve \(curve). \(wanted). \(making)")
    }

    static func noPrivateKey(labels: [String]) -> KeyError {
        KeyError(
            .noPrivateKey,
            "The text holds no private key, only: \(labels.joined(separator: ", ")). Expected is a "
                + "-----BEGIN PRIVATE KEY----- block, as in Apple's AuthKey_….p8 files."
        )
    }

    static func noKey(labels: [String]) -> KeyError {
        KeyError(
            .noKey,
            "The text holds no key, only: \(labels.joined(separator: ", ")). Expected is a public key on "
                + "P-256 (-----BEGIN PUBLIC KEY-----) or a private one."
        )
    }

    static func unsupportedForm(label: String) -> KeyError {
        KeyError(
            .unsupportedForm,
            "The key is in the form \(label), which is not read here. "
                + "To convert a copy in place: ssh-keygen -p -m PKCS8 -f copy-of-the-key"
        )
    }
}

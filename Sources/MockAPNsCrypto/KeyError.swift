/// Why key material could not be used.
///
/// Two errors are equal when their codes are. No description has key material.
package struct KeyError: Error, Equatable, CustomStringConvertible {
    package enum Code {
        case notPEM
        case tooLong
        /// The PEM block is cut off, its content cannot be parsed, or its two halves do not belong together.
        case damaged
        case encrypted
        case notEllipticCurve
        /// The key is on another curve than P-256.
        case wrongCurve
        case noPrivateKey
        case noKey
        /// The key has a form that is not read here, such as OpenSSH's.
        case unsupportedForm
    }

    package let code: Code
    /// What was seen, what is expected, and the command that fixes it, if there is one.
    package let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    package static func == (left: KeyError, right: KeyError) -> Bool { left.code == right.code }
}

extension KeyError {
    private static let wanted = "APNs takes keys on P-256 only, as Apple's AuthKey_….p8 files hold them"
    private static let making = "To make one: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256"

    static func notPEM(seen: String) -> KeyError {
        KeyError(.notPEM, "\(seen). Expected PEM text, with a line such as -----BEGIN PRIVATE KEY-----.")
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
            "The \(label) block is encrypted, and there is no prompt for a pass phrase. "
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
            "The text has no private key, only: \(labels.joined(separator: ", ")). Expected a "
                + "-----BEGIN PRIVATE KEY----- block, as in Apple's AuthKey_….p8 files."
        )
    }

    static func noKey(labels: [String]) -> KeyError {
        KeyError(
            .noKey,
            "The text has no key, only: \(labels.joined(separator: ", ")). Expected a public key on "
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

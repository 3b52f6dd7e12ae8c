/// Why key material could not be used.
///
/// No description has key material.
package enum KeyError: Error, Equatable, CustomStringConvertible {
    case notPEM(seen: String)
    case tooLong(count: Int)
    /// The PEM block is cut off, its content cannot be parsed, or its two halves do not belong together.
    case damaged(label: String, reason: String)
    case encrypted(label: String)
    case notEllipticCurve(kind: String)
    /// The key is on another curve than P-256.
    case wrongCurve(String)
    case noPrivateKey(labels: [String])
    case noKey(labels: [String])
    /// The key has a form that is not read here, such as OpenSSH's.
    case unsupportedForm(label: String)

    private static let wanted =
        "APNs takes keys on P-256 only, as Apple's AuthKey_….p8 files hold them."
        + " To make one: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256"

    /// What was seen, what is expected, and the command that fixes it, if there is one.
    package var description: String {
        switch self {
        case .notPEM(let seen): "\(seen). Expected PEM text, with a line such as -----BEGIN PRIVATE KEY-----."
        case .tooLong(let count): "The text has \(count) bytes; a key in PEM has about 250. Is it the right file?"
        case .damaged(let label, let reason):
            "The \(label) block cannot be read: \(reason). Copy the whole file again, line breaks included."
        case .encrypted(let label):
            "The \(label) block is encrypted, and there is no prompt for a pass phrase. "
                + "To decrypt it: openssl pkey -in key.pem -out key.p8"
        case .notEllipticCurve(let kind): "The key is of kind \(kind). \(Self.wanted)"
        case .wrongCurve(let curve): "The key is on the curve \(curve). \(Self.wanted)"
        case .noPrivateKey(let labels):
            "The text has no private key, only: \(labels.joined(separator: ", ")). Expected a "
                + "-----BEGIN PRIVATE KEY----- block, as in Apple's AuthKey_….p8 files."
        case .noKey(let labels):
            "The text has no key, only: \(labels.joined(separator: ", ")). Expected a public key on "
                + "P-256 (-----BEGIN PUBLIC KEY-----) or a private one."
        case .unsupportedForm(let label):
            "The key is in the form \(label), which is not read here. "
                + "To convert a copy in place: ssh-keygen -p -m PKCS8 -f copy-of-the-key"
        }
    }
}

/// Facts about a server that the server itself does not know.
package struct InspectorFacts: Sendable {
    /// The certificate authority that clients have to trust.
    package struct CertificateAuthority: Sendable {
        /// In PEM.
        package let pem: String
        /// The path of its file, if there is one.
        package let file: String?
        /// The SHA-256 of the certificate, in capital hexadecimal digits with colons.
        package let fingerprint: String?

        package init(pem: String, file: String? = nil, fingerprint: String? = nil) {
            (self.pem, self.file, self.fingerprint) = (pem, file, fingerprint)
        }
    }

    /// A public signing key, for a first push.
    package struct Key: Sendable {
        package let keyID: String
        package let teamID: String
        /// The path of the private key's file, if there is one.
        package let path: String?

        package init(keyID: String, teamID: String, path: String? = nil) {
            (self.keyID, self.teamID, self.path) = (keyID, teamID, path)
        }

        /// The value of `--key` for this key; `nil` if it has no file.
        var option: String? { path.map { "\($0),\(keyID),\(teamID)" } }
    }

    /// A setting in effect: its name as a flag without the dashes, and `flag`, `env`, `file` or `default` as its source.
    ///
    /// The value must not be a secret.
    package typealias Setting = (name: String, value: String, source: String)

    /// The longest label, in characters.
    package static let longestLabel = 64

    /// The version of the program.
    package let version: String
    /// A name for people, if several servers run.
    package var label: String?
    /// The commit that it was built from, if known.
    package var commit: String?
    /// `nil` for the one that the server has in memory, if any.
    package var certificateAuthority: CertificateAuthority?
    /// `nil` for the one that the server has in memory, if any.
    package var developmentKey: Key?
    /// The settings in effect; a repeated flag may be listed repeatedly.
    package var settings: [Setting] = []

    package init(version: String, commit: String? = nil) { (self.version, self.commit) = (version, commit) }
}

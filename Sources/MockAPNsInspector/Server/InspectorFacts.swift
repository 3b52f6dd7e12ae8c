/// Facts about a server that the server itself does not know.
public struct InspectorFacts: Sendable {
    /// The certificate authority that clients have to trust.
    public struct CertificateAuthority: Sendable {
        /// The certificate, in PEM.
        public let pem: String
        /// The path of its file, if there is one.
        public let file: String?
        /// The SHA-256 of the certificate, in capital hexadecimal digits with colons.
        public let fingerprint: String?

        /// Describes a certificate authority.
        public init(pem: String, file: String? = nil, fingerprint: String? = nil) {
            self.pem = pem
            self.file = file
            self.fingerprint = fingerprint
        }
    }

    /// A public signing key, for a first push.
    public struct Key: Sendable {
        /// The key identifier.
        public let keyID: String
        /// The team identifier.
        public let teamID: String
        /// The path of the private key's file, if there is one.
        public let path: String?

        /// Describes a key.
        public init(keyID: String, teamID: String, path: String? = nil) {
            self.keyID = keyID
            self.teamID = teamID
            self.path = path
        }
    }

    /// A setting in effect.
    public struct Setting: Sendable {
        /// Its name, as a flag without the dashes.
        public let name: String
        /// Its value; must not be a secret.
        public let value: String
        /// Where the value comes from: `flag`, `env`, `file` or `default`.
        public let source: String

        /// Describes a setting.
        public init(name: String, value: String, source: String) {
            self.name = name
            self.value = value
            self.source = source
        }
    }

    /// The longest label, in characters.
    public static let longestLabel = 64

    /// The version of the program.
    public var version: String
    /// A name for people, if several servers run.
    public var label: String?
    /// The commit that it was built from, if known.
    public var commit: String?
    /// The certificate authority; `nil` for the one that the server has in memory, if any.
    public var certificateAuthority: CertificateAuthority?
    /// The development key; `nil` for the one that the server has in memory, if any.
    public var developmentKey: Key?
    /// The settings in effect; a repeated flag may be listed repeatedly.
    public var settings: [Setting]

    /// Describes a server.
    public init(
        version: String,
        label: String? = nil,
        commit: String? = nil,
        certificateAuthority: CertificateAuthority? = nil,
        developmentKey: Key? = nil,
        settings: [Setting] = []
    ) {
        self.version = version
        self.label = label
        self.commit = commit
        self.certificateAuthority = certificateAuthority
        self.developmentKey = developmentKey
        self.settings = settings
    }
}

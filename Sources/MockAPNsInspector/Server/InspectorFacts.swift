/// What the API tells of a server that the server does not know itself.
public struct InspectorFacts: Sendable {
    /// The certificate authority that clients have to trust.
    public struct CertificateAuthority: Sendable {
        /// The certificate, in PEM.
        public let pem: String
        /// Where it lies; `nil` when it is in no file.
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

    /// A signing key that anybody may use for a first push.
    public struct Key: Sendable {
        /// The key identifier.
        public let keyID: String
        /// The team identifier.
        public let teamID: String
        /// Where the private key lies; `nil` when it is in no file.
        public let path: String?

        /// Describes a key.
        public init(keyID: String, teamID: String, path: String? = nil) {
            self.keyID = keyID
            self.teamID = teamID
            self.path = path
        }
    }

    /// One setting that is in effect.
    public struct Setting: Sendable {
        /// Its name, as a flag without the dashes.
        public let name: String
        /// Its value; a secret must be left out by whoever makes this.
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
    /// What tells this server from others that run, for people; `nil` for nothing.
    public var label: String?
    /// The commit that it was built from; `nil` when nobody told.
    public var commit: String?
    /// The certificate authority; when `nil`, the one that the server made in memory, if it did.
    public var certificateAuthority: CertificateAuthority?
    /// The development key; when `nil`, the one that the server made in memory, if it did.
    public var developmentKey: Key?
    /// The settings in effect; those of a repeated flag may all be listed.
    public var settings: [Setting]

    /// What the API is to tell.
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

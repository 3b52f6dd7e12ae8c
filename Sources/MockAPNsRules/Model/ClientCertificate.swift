/// The certificate that a client showed in the TLS handshake, and whether it authenticates the client.
public struct ClientCertificate: Equatable, Sendable {
    /// The result of judging a certificate; the names are part of the debug API.
    ///
    /// That the environment is right is checked for each listener.
    public enum Standing: String, CaseIterable, Sendable {
        /// The server was told to ignore client certificates.
        case ignored
        case verified
        case untrusted
        case selfSigned = "self-signed"
        case expired
        case notYetValid = "not-yet-valid"
        case revoked
        case noTopic = "no-topic"
        case tooManyTopics = "too-many-topics"
        case unreadable

        /// The description of the result.
        public var meaning: StaticString {
            switch self {
            case .ignored: "The server was started with --client-certificates ignore."
            case .verified: "It is trusted, valid, and for an app."
            case .untrusted: "It was not issued by a trusted authority: the server's own, or one of --client-ca."
            case .selfSigned: "It is signed with its own key, and not trusted."
            case .expired: "It has expired."
            case .notYetValid: "It is not valid yet."
            case .revoked: "It was revoked."
            case .noTopic: "It names no app: neither Apple's extensions nor a user ID in its subject."
            case .tooManyTopics: "It has more than 1,000 topics, the most that this server keeps of a certificate."
            case .unreadable: "It cannot be parsed."
            }
        }
    }

    /// The subject in the format of RFC 2253, such as `CN=Apple Push Services: com.example.app`.
    public var subject: String
    /// The issuer in the same format.
    public var issuer: String
    /// The serial number, in uppercase hexadecimal digits.
    public var serial = ""
    /// The first second of the validity, in UNIX seconds; `nil` if it cannot be parsed.
    public var notBefore: Int64?
    /// The last second of the validity, in UNIX seconds; `nil` if it cannot be parsed.
    public var notAfter: Int64?
    /// The topics to which it may push.
    ///
    /// Documented: those of its extension. Without one: the app of its subject, and the app's VoIP pushes and
    /// complications (documented: one certificate covers them).
    public var topics: Set<String> = []
    /// The topic of a push without `apns-topic`; `nil` if there are several (documented: MissingTopic).
    public var onlyTopic: String?
    /// The environments in which it is valid.
    public var environments: Set<Environment> = []
    /// Whether it is trusted, or why not.
    public var standing = Standing.untrusted

    /// Creates a certificate for no app, which is not trusted.
    public init(subject: String, issuer: String, notBefore: Int64? = nil, notAfter: Int64? = nil) {
        self.subject = subject
        self.issuer = issuer
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// The app: its only topic, or the shortest of its topics; empty if it has none.
    public var app: String { onlyTopic ?? topics.min { ($0.utf8.count, $0) < ($1.utf8.count, $1) } ?? "" }

    /// Whether it authenticates its client in an environment.
    public func isValid(in environment: Environment) -> Bool {
        standing == .verified && environments.contains(environment)
    }

    /// Why it does not authenticate its client in an environment, in one sentence; `nil` if it does.
    public func problem(in environment: Environment) -> String? {
        guard standing == .verified else { return standing.meaning.description }
        return isValid(in: environment)
            ? nil : "It is not for the environment of this address, \(environment.rawValue)."
    }
}

internal import MockAPNsCrypto
public import MockAPNsRules
internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// The client certificates that authenticate providers, and the authority that issues them.
///
/// Certificates are judged on the system's clock, as in TLS, and not on the world's.
public final class ClientCertificates: Sendable {
    /// Which certificates authenticate a provider.
    public enum Mode: String, CaseIterable, Sendable {
        /// Those of the server's own authority, and of the authorities in the options.
        case issued
        /// Every valid one that names an app, from any issuer.
        case any
        /// None; a certificate is only recorded.
        case ignore
    }

    /// What has to be stored so that certificates are valid after a restart.
    public struct Stored: Equatable, Sendable {
        /// The certificate of the server's own authority, in PEM; `nil` before the first certificate is issued.
        public var authorityPEM: String?
        /// Its private key, in PEM.
        public var authorityKeyPEM: String?
        /// The issued certificates in PEM, oldest first.
        public var issued: [String] = []
        /// The serial numbers of revoked certificates.
        public var revoked: Set<String> = []

        /// Creates the state of a new server.
        public init() {}
    }

    /// The options of a server.
    public struct Options: Sendable {
        /// Which certificates authenticate a provider.
        public var mode = Mode.issued
        /// Further authorities, in PEM; each text may have several, which may be intermediate ones.
        public var authorities: [String] = []
        /// What an earlier server has stored.
        public var stored = Stored()
        /// Stores the state; called before a change takes effect, one call at a time.
        public var store: (@Sendable (Stored) throws -> Void)?

        /// Creates the options of a server that forgets its certificates.
        public init() {}
    }

    /// An authority whose certificates authenticate providers.
    public struct Authority: Sendable {
        /// The subject in the format of RFC 2253.
        public let subject: String
        /// The SHA-256 fingerprint, in uppercase hexadecimal digits with colons.
        public let fingerprint: String
        /// The last second of the validity.
        public let notAfter: Timestamp
        /// Whether it is the server's own.
        public let isOwn: Bool
    }

    /// The maximum number of issued certificates that are listed; the oldest one that is not revoked is forgotten.
    public static let limit = 1_000

    struct State {
        var stored: Stored
        var own: ClientCertificateAuthority?
        var trust: CertificateTrust
        /// The issued certificates, oldest first.
        var issued: [PushCertificate]
    }

    /// Which certificates authenticate a provider.
    public let mode: Mode
    let options: Options
    let state: NIOLockedValueBox<State>

    /// Reads the authorities, and what was stored.
    init(_ options: Options = Options()) throws(MockAPNsError) {
        (mode, self.options) = (options.mode, options)
        state = try MockAPNsError.wrapping(.badCertificate, "client certificates: ") {
            let stored = options.stored
            var own: ClientCertificateAuthority?
            if let certificate = stored.authorityPEM, let key = stored.authorityKeyPEM {
                own = try ClientCertificateAuthority(certificatePEM: certificate, keyPEM: key)
            }
            return NIOLockedValueBox(
                State(
                    stored: stored, own: own, trust: try Self.trust(in: own, options),
                    issued: try stored.issued.map { try PushCertificate(pem: $0) }))
        }
    }

    static func trust(in own: ClientCertificateAuthority?, _ options: Options) throws -> CertificateTrust {
        try CertificateTrust(authorities: options.authorities + [own?.certificatePEM].compactMap { $0 })
    }

    /// The authorities: the server's own, if it has issued a certificate, then the others.
    public var authorities: [Authority] {
        let own = state.withLockedValue { $0.own?.certificatePEM }
        let others = options.authorities.map { (pem: $0, isOwn: false) }
        return ([own.map { (pem: $0, isOwn: true) }].compactMap { $0 } + others).flatMap { text in
            // They were read at the start.
            ((try? CertificateFacts.chain(pem: text.pem)) ?? []).map {
                Authority(
                    subject: $0.subject, fingerprint: $0.fingerprint, notAfter: Timestamp(seconds: $0.notAfter),
                    isOwn: text.isOwn)
            }
        }
    }

    /// The certificate of the server's own authority, in PEM; `nil` before it has issued one.
    public var authorityPEM: String? { state.withLockedValue { $0.own?.certificatePEM } }

    /// The issued certificates, oldest first, with their standing at this time.
    public var issued: [ClientCertificate] {
        let now = Self.now
        return state.withLockedValue { state in
            state.issued.map {
                let isSelfSigned = mode == .issued && $0.subject == $0.issuer
                return ClientCertificate(
                    $0, problem: isSelfSigned ? .selfSigned : nil, isRevoked: $0.isIn(state.stored.revoked), at: now)
            }
        }
    }

    /// Revokes an issued certificate; returns whether there is one with this serial number.
    ///
    /// It applies to new connections; open ones continue.
    public func revoke(serial: String) throws(MockAPNsError) -> Bool {
        try change { (state: inout State) throws -> Bool in
            guard state.issued.contains(where: { $0.serial == serial }) else { return false }
            state.stored.revoked.insert(serial)
            return true
        }
    }

    /// Changes the state, and stores it if it has changed; a failure changes nothing.
    func change<Result>(_ change: (inout State) throws -> Result) throws(MockAPNsError) -> Result {
        try MockAPNsError.wrapping(.badCertificate) {
            try state.withLockedValue { state in
                var changed = state
                let result = try change(&changed)
                if changed.stored != state.stored { try options.store?(changed.stored) }
                state = changed
                return result
            }
        }
    }

    /// Judges a chain in DER that a client has shown, its own certificate first.
    func judge(_ chain: [[UInt8]]) -> ClientCertificate {
        guard let first = chain.first, let certificate = try? PushCertificate(der: first) else {
            var unreadable = ClientCertificate(subject: "", issuer: "")
            unreadable.standing = .unreadable
            return unreadable
        }
        let now = Self.now
        let (trust, revoked) = state.withLockedValue { ($0.trust, $0.stored.revoked) }
        var judged = ClientCertificate(
            certificate, problem: mode == .issued ? trust.problem(with: chain, at: now) : nil,
            isRevoked: certificate.isIn(revoked), at: now)
        if mode == .ignore { judged.standing = .ignored }
        return judged
    }

    /// The system's time in UNIX seconds.
    static var now: Int64 { WorldClock().read().system.microseconds / 1_000_000 }
}

extension PushCertificate { fileprivate func isIn(_ serials: Set<String>) -> Bool { serials.contains(serial) } }

extension ClientCertificate {
    /// Creates the certificate with its standing; `problem` is why it is not trusted.
    fileprivate init(_ certificate: PushCertificate, problem: CertificateTrust.Problem?, isRevoked: Bool, at now: Int64)
    {
        self.init(
            subject: certificate.subject, issuer: certificate.issuer, notBefore: certificate.notBefore,
            notAfter: certificate.notAfter)
        serial = certificate.serial
        if let listed = certificate.topics {
            topics = Set(listed)
            onlyTopic = listed.count == 1 ? listed.first : nil
        } else if let app = certificate.userID, !app.isEmpty {
            let isForManagement = app.hasPrefix(ClientCertificates.Draft.managementPrefix)
            topics = Set((isForManagement ? [""] : ["", ".voip", ".complication"]).map { app + $0 })
            onlyTopic = app
        }
        if certificate.isForSandbox { environments.insert(.sandbox) }
        if certificate.isForProduction { environments.insert(.production) }
        // Inferred: without either mark, nothing excludes an environment.
        if environments.isEmpty { environments = Set(Environment.allCases) }
        standing =
            switch problem {
            case .unreadable: .unreadable
            case .selfSigned: .selfSigned
            case .untrusted: .untrusted
            case .notYetValid: .notYetValid
            case .expired: .expired
            case nil:
                if isRevoked {
                    .revoked
                } else if now < certificate.notBefore {
                    .notYetValid
                } else if now > certificate.notAfter {
                    .expired
                } else if certificate.hasMoreTopics {
                    .tooManyTopics
                } else if topics.isEmpty {
                    .noTopic
                } else {
                    .verified
                }
            }
    }
}

internal import MockAPNs
internal import MockAPNsCrypto
internal import MockAPNsForward
internal import MockAPNsRules
internal import MockAPNsTransport
internal import MockAPNsUpstream
internal import MockAPNsWorld

/// What `--forward` and its options say.
struct ForwardSettings: Sendable {
    /// Whose response the client of a forwarded push gets.
    enum Answer: String, CaseIterable, Sendable { case mock, real }

    let target: ForwardTarget
    /// The clients that wait for the service's responses; `nil` if they get the mock's.
    let answers: ForwardAnswers?
    /// Whether pushes of all namespaces are forwarded, and not only those of the default one.
    let includesNamespaces: Bool
    /// Who signs, for people.
    private let signer: String

    /// The options that mean nothing without `--forward`.
    private static let others = [
        "forward-key", "forward-cert", "forward-topic", "forward-token", "forward-ca", "forward-all", "forward-answer",
        "forward-namespaces",
    ]

    private static let keyForm = "FILE,KEYID,TEAMID; the ids have ten characters, uppercase letters and digits"

    /// Reads the options; `nil` without `--forward`.
    init?(reading reader: inout OptionReader, environment: [String: String]) throws {
        let address = try reader.optional("forward") { text in
            do throws(UpstreamError) { return try UpstreamAddress(parsing: text) } catch {
                throw OptionReader.Invalid(expected: error.expected)
            }
        }
        let key = try reader.optional("forward-key", parse: Self.key)
        let certificate = try reader.optional("forward-cert") { (name: $0, pem: try Self.pem($0, "--forward-cert")) }
        let topics = try reader.list("forward-topic") { text in
            try OptionReader.check(!text.contains("*"), "a topic such as com.example.app, without *")
            return text
        }
        let tokens = try reader.list("forward-token") { text in
            let isToken = text.utf8.count >= 2 && text.utf8.count <= 200 && text.allSatisfy(\.isHexDigit)
            try OptionReader.check(isToken, "a device token in hexadecimal digits")
            return text.lowercased()
        }
        let includesRejected = try reader.flag("forward-all")
        includesNamespaces = try reader.flag("forward-namespaces")
        let authorities = try reader.optional("forward-ca") { (name: $0, pem: try Self.pem($0, "--forward-ca")) }
        var answer = Answer.mock
        try reader.choice("forward-answer", into: &answer)
        guard let address else {
            let isGiven = [
                key != nil, certificate != nil, !topics.isEmpty, !tokens.isEmpty, authorities != nil, includesRejected,
                answer != .mock, includesNamespaces,
            ]
            if let name = zip(Self.others, isGiven).first(where: \.1)?.0 {
                throw Self.failure("--\(name) needs --forward sandbox, --forward production or --forward URL")
            }
            return nil
        }
        if topics.isEmpty {
            throw Self.failure("--forward needs --forward-topic: only pushes with these topics are forwarded")
        }
        let credential: ForwardTarget.Credential
        switch (key, certificate) {
        case (let key?, nil):
            credential = .key(key.key, keyID: key.keyID, teamID: key.teamID)
            signer = "key \(key.keyID) of team \(key.teamID)"
        case (nil, let certificate?):
            guard address.isSecure else { throw Self.failure("--forward-cert needs --forward https://...") }
            credential = .certificate
            signer = "the certificate \(certificate.name)"
        case (nil, nil): throw Self.failure("--forward needs --forward-key FILE,KEYID,TEAMID or --forward-cert FILE")
        default: throw Self.failure("--forward-key and --forward-cert cannot be used together")
        }
        var target = ForwardTarget(address, credential, topics: Set(topics))
        target.tokens = Set(tokens)
        target.includesRejected = includesRejected
        if authorities != nil || certificate != nil {
            do throws(TLSContext.Problem) {
                target.options.tls = try ClientTLSContext(
                    authoritiesPEM: authorities?.pem, certificateChainPEM: certificate?.pem)
            } catch {
                let options = authorities == nil ? "--forward-cert" : "--forward-ca or --forward-cert"
                throw Self.failure("invalid \(options): \(error)")
            }
        }
        do throws(UpstreamError) { target.options.proxy = try UpstreamProxy.from(environment, for: address) } catch {
            throw Self.failure("invalid HTTPS_PROXY: \(error)")
        }
        self.target = target
        answers = answer == .real ? target.answers() : nil
    }

    /// What is announced at the start.
    var banner: String {
        let which = target.includesRejected ? "all" : "accepted"
        let namespaces = includesNamespaces ? ", of all namespaces" : ""
        let devices = target.tokens.isEmpty ? "" : ", only to \(target.tokens.count) device token(s)"
        return
            "forwarding \(which) pushes with the topic \(target.topics.sorted().joined(separator: ", "))\(namespaces)\(devices)"
            + " to \(target.address), signed with \(signer)\(answers == nil ? "" : "; clients get its answers")"
    }

    /// Throws if the pushes would come back to this server.
    func refuseOwn(_ listeners: [ListenAddress]) throws {
        let local = ["localhost", "::1", "0.0.0.0", "::"]
        let host = target.address.host
        let isOwn = listeners.contains { listener in
            listener.port == target.address.port
                && (host == listener.host || local.contains(host) || host.hasPrefix("127."))
        }
        if isOwn { throw Self.failure("invalid --forward '\(target.address)': it is this server itself") }
    }

    private static func key(_ text: String) throws -> (key: SigningKey, keyID: String, teamID: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        try OptionReader.check(parts.count == 3, keyForm)
        let argument = try KeyArgument(parsing: text, named: "--forward-key")
        let pem = try pem(argument.path, "--forward-key")
        let key = try CommandFailure.explaining("invalid --forward-key '\(argument.path)'") { try SigningKey(pem: pem) }
        return (key, argument.key.keyID, argument.key.teamID)
    }

    private static func pem(_ file: String, _ option: String) throws -> String {
        try AtomicFile.pem(file, option: option)
    }

    private static func failure(_ text: String) -> CommandFailure { CommandFailure(.badConfiguration, text) }
}

@testable import MockAPNsRules

/// A request that is rejected, and everything that its hint depends on; it begins as a push that is accepted.
struct HintScenario: Sendable {
    static let key = ProviderKey(keyID: "ABC123DEFG", teamID: "DEF123GHIJ")
    static let header = ProviderTokenCase.header
    static let now = Int(Scenario.start.seconds)
    static let certificate = ClientCertificate(
        subject: "CN=app", issuer: "CN=CA", notBefore: 0, notAfter: 4_000_000_000)

    var request = PushRequest()
    var options = RuleOptions()
    var environment = Environment.sandbox
    var refusal: Reason?
    var certificate: ClientCertificate?
    var isBinary = false
    var keys = [key.keyID: key]
    /// Whether signatures are right; `nil` if they cannot be verified.
    var signatureIsRight: Bool? = true
    /// The key and the time of the token that the connection began with.
    var earlier: (key: ProviderKey, issuedAt: Int)?
    /// The device token's registration.
    var registered: (topic: String, environment: Environment)?
    var standing = RegisteredToken.Standing.valid
    var isWithinRate = true
    var storage: ChannelStorage? = .newest
    /// The app that has the channel; `nil` for none.
    var owner: ChannelApp?
    var appsWithChannels: [ChannelApp] = []
    var hasRoom = true
    var allowsBroadcasts = true
    var hasOnlyChannels = false

    init() { setToken() }

    init(_ channel: ChannelScenario) {
        request = channel.request
        setToken()
    }

    /// Sets a provider token with this header and these claims.
    mutating func setToken(header: String = header, claims: String? = nil) {
        let claims = claims ?? #"{"iss":"DEF123GHIJ","iat":\#(Self.now - 600)}"#
        request.set("authorization", "bearer " + ProviderTokenCase.text(header: header, claims: claims))
    }

    mutating func setIssuedAt(_ text: String) { setToken(claims: #"{"iss":"DEF123GHIJ","iat":\#(text)}"#) }

    /// Returns the reason and its cause, as the check finds it that has rejected the request.
    func run() -> (reason: Reason?, check: Check?, cause: Cause?) {
        let server = Server(scenario: self)
        var situation = Situation(
            environment: environment, certificate: certificate, isBinary: isBinary, authority: server, devices: server,
            channels: server, hasOnlyChannels: hasOnlyChannels)
        if let earlier {
            var first = HintScenario()
            let claims = #"{"iss":"\#(earlier.key.teamID)","iat":\#(earlier.issuedAt)}"#
            first.setToken(header: #"{"alg":"ES256","kid":"\#(earlier.key.keyID)"}"#, claims: claims)
            first.request.setToken(String(repeating: "ab", count: 32))
            situation.begin(at: Scenario.start, options: RuleOptions())
            _ = first.request.withView { Pipeline.standard.verdict(on: $0, in: &situation) }
        }
        situation.begin(at: Scenario.start, options: options, refusal: refusal)
        let verdict = request.withView { Pipeline.standard.verdict(on: $0, in: &situation) }
        let checks = Pipeline.standard.checks(of: situation.service)
        guard let reason = verdict.reason, let position = verdict.decidedBy else { return (nil, nil, nil) }
        var evidence = Evidence(reason)
        evidence.verification = situation.verification
        evidence.service = situation.service
        evidence.isBinary = isBinary
        evidence.environment = environment
        evidence.now = Scenario.start
        evidence.options = options
        evidence.certificate = certificate
        evidence.deadSince = situation.deadSince
        evidence.keys = { keys }
        evidence.registration = { _ in registered }
        evidence.owner = { $0 == ChannelScenario.channel ? owner : nil }
        evidence.appsWithChannels = { appsWithChannels }
        evidence.earlierToken = { earlier.map { ($0.key, Double($0.issuedAt)) } }
        let check = checks[Int(position)]
        return (reason, check, request.withView { check.cause($0, evidence) })
    }

    /// A server with what the scenario says, which verifies provider tokens except for their signatures.
    private final class Server: ProviderTokenAuthority, DeviceDirectory, ChannelDirectory {
        private var tokenUpdates = TokenUpdateWindows()
        private let scenario: HintScenario
        private static let registeredTopic: UInt32 = 5

        init(scenario: HintScenario) { self.scenario = scenario }

        func credential(for text: ByteSpan) -> ProviderCredential {
            switch ProviderToken.parse(text) {
            case .failure(let refusal): return ProviderCredential(refusal: refusal)
            case .success(let token):
                let earlier = scenario.earlier.map { [$0.key.keyID: $0.key] } ?? [:]
                guard let key = scenario.keys[token.keyID] ?? earlier[token.keyID] else {
                    return ProviderCredential(token: token, verification: .unknownKey)
                }
                let verification: TokenVerification =
                    switch scenario.signatureIsRight {
                    case nil: .verifierFailed
                    case false?: .badSignature
                    case true?: token.teamID == key.teamID ? .verified : .wrongTeam
                    }
                return ProviderCredential(token: token, key: key, verification: verification)
            }
        }

        func admit(_ use: TokenUse, at now: Timestamp, interval: Int64) -> TokenUpdateWindows.Standing {
            tokenUpdates.admit(use, at: now, interval: interval)
        }

        func admits(_ token: DeviceToken, rate: RuleOptions.Rate, at now: Timestamp) -> Bool { scenario.isWithinRate }

        func admits(_ channel: ChannelID, rate: RuleOptions.Rate, at now: Timestamp) -> Bool { scenario.isWithinRate }

        func find(_ token: DeviceToken) -> RegisteredToken? {
            scenario.registered.map { registered in
                RegisteredToken(
                    place: 7, generation: 3, topic: Self.registeredTopic, environment: registered.environment,
                    standing: scenario.standing, deadSince: Scenario.start.microseconds - 86_400_000_000)
            }
        }

        func topicNumber(_ topic: ByteSpan) -> UInt32 {
            topic.text == scenario.registered?.topic ? Self.registeredTopic : 0
        }

        func allowsBroadcasts(to bundleID: String) -> Bool { scenario.allowsBroadcasts }
        func storage(of channel: ChannelID, in app: ChannelApp) -> ChannelStorage? {
            channel == ChannelScenario.channel ? scenario.storage : nil
        }
        func hasRoom(in app: ChannelApp) -> Bool { scenario.hasRoom }
    }
}

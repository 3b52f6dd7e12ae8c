@testable import MockAPNsRules

/// What the authority is to say of a provider token.
struct TokenFields: Sendable {
    var algorithm = ProviderToken.Algorithm.es256
    var keyID = "ABC123DEFG"
    var teamID = "DEF123GHIJ"
    var topics: Set<String>?
    var environment: Environment?
    var verification = TokenVerification.verified
    /// UNIX seconds.
    var issuedAt = Double(Scenario.start.microseconds / 1_000_000) - 600
    var issuedAtIsText = false
    var isBase64URL = true
    var subject: String?

    var key: ProviderKey { ProviderKey(keyID: keyID, teamID: teamID, topics: topics, environment: environment) }

    var credential: ProviderCredential {
        let token = ProviderToken(
            algorithm: algorithm, keyID: keyID, teamID: teamID, issuedAt: issuedAt, issuedAtIsText: issuedAtIsText,
            subject: subject, isBase64URL: isBase64URL, signedLength: 0, signature: [])
        return ProviderCredential(token: token, key: key, verification: verification)
    }
}

/// Says of every token what it is told to say.
final class FakeAuthority: ProviderTokenAuthority {
    var answer = TokenFields().credential
    var asked: [String] = []
    var tokenUpdates = TokenUpdateWindows()

    func admit(_ use: TokenUse, at now: Timestamp, interval: Int64) -> TokenUpdateWindows.Standing {
        tokenUpdates.admit(use, at: now, interval: interval)
    }

    func credential(for token: ByteSpan) -> ProviderCredential {
        asked.append(token.text)
        return answer
    }
}

/// Knows every device token, as one and the same registration, and admits every push; or none.
final class FakeDevices: DeviceDirectory {
    var knowsAll = true
    var admitsAll = true
    /// What is known of every device token.
    var registered: RegisteredToken
    /// The topic that every token was registered for; `nil` for whatever a push says.
    var topic: String?
    private(set) var counted: [DeviceToken] = []
    private(set) var sought: [DeviceToken] = []

    /// Tokens that work in an environment.
    init(environment: Environment) {
        registered = RegisteredToken(place: 7, generation: 3, topic: 5, environment: environment)
    }

    func admits(_ token: DeviceToken, rate: RuleOptions.Rate, at now: Timestamp) -> Bool {
        counted.append(token)
        return admitsAll
    }

    func find(_ token: DeviceToken) -> RegisteredToken? {
        sought.append(token)
        return knowsAll ? registered : nil
    }

    func topicNumber(_ topic: ByteSpan) -> UInt32 {
        self.topic == nil || self.topic == topic.text ? registered.topic : 0
    }
}

/// What is known of the device token.
struct DeviceFields: Sendable {
    /// The topic that it was registered for; `nil` for the one of the push.
    var topic: String?
    /// The environment that it belongs to; `nil` for the listener's.
    var environment: Environment?
    var standing = RegisteredToken.Standing.valid
    var deadSince: Timestamp?

    /// Lets the token have died a day ago.
    mutating func die(as standing: RegisteredToken.Standing = .unregistered) {
        self.standing = standing
        deadSince = Timestamp(seconds: Scenario.start.microseconds / 1_000_000 - 86_400)
    }

    func registered(in listener: Environment) -> RegisteredToken {
        RegisteredToken(
            place: 7, generation: 3, topic: 5, environment: environment ?? listener, standing: standing,
            deadSince: deadSince?.microseconds ?? 0)
    }
}

/// One request and everything its verdict depends on; it begins as a push that is accepted.
struct Scenario: Sendable {
    static let start = Timestamp(seconds: 1_754_402_113)

    var request = PushRequest()
    var options = RuleOptions()
    var environment = Environment.sandbox
    var now = start
    var refusal: Reason?
    var token = TokenFields()
    /// The certificate that the client has shown.
    var certificate: ClientCertificate?
    /// The token that the connection began with, a minute ago; `nil` on a fresh connection.
    var firstToken: TokenFields?
    var device = DeviceFields()
    var deviceIsKnown = true
    var deviceHasRoom = true

    /// Lets the connection have begun with a token that differs from the good one.
    mutating func began(_ change: (inout TokenFields) -> Void) {
        var token = firstToken ?? TokenFields()
        change(&token)
        firstToken = token
    }

    /// What the pipeline says, and in what situation it ends.
    func run(_ pipeline: Pipeline = .standard) -> Outcome {
        let connection = Connection(environment: environment, certificate: certificate)
        if let firstToken {
            let earlier = Timestamp(microseconds: now.microseconds - 60_000_000)
            _ = connection.push(firstToken, at: earlier, options: options, through: pipeline)
        }
        connection.devices.knowsAll = deviceIsKnown
        connection.devices.registered = device.registered(in: environment)
        connection.devices.topic = device.topic
        connection.devices.admitsAll = deviceHasRoom
        return connection.push(token, at: now, options: options, request: request, refusal: refusal, through: pipeline)
    }
}

/// What came of one push.
struct Outcome {
    let verdict: Verdict
    /// The id of the check that refused the push; `nil` when it was accepted.
    let checkID: String?
    let situation: Situation

    var reason: Reason? { verdict.reason }
    var verification: TokenVerification { situation.verification }
}

/// A connection on which several pushes are made.
final class Connection {
    let authority: FakeAuthority
    let devices: FakeDevices
    private var situation: Situation

    init(
        environment: Environment = .sandbox, certificate: ClientCertificate? = nil, address: String = "",
        authority: FakeAuthority = FakeAuthority()
    ) {
        self.authority = authority
        devices = FakeDevices(environment: environment)
        situation = Situation(
            environment: environment, certificate: certificate, address: address, authority: authority, devices: devices
        )
    }

    /// Makes one push, with a good request if no other is given.
    func push(
        _ token: TokenFields = TokenFields(), at now: Timestamp = Scenario.start, options: RuleOptions = RuleOptions(),
        request: PushRequest = PushRequest(), refusal: Reason? = nil, through pipeline: Pipeline = .standard
    ) -> Outcome { push(token.credential, at: now, options: options, request, refusal: refusal, through: pipeline) }

    /// Makes one push with a token of which the authority says this.
    func push(
        _ credential: ProviderCredential, at now: Timestamp = Scenario.start, options: RuleOptions = RuleOptions(),
        _ request: PushRequest = PushRequest(), refusal: Reason? = nil, through pipeline: Pipeline = .standard
    ) -> Outcome {
        authority.answer = credential
        situation.begin(at: now, options: options, refusal: refusal)
        let verdict = request.withView { pipeline.verdict(on: $0, in: &situation) }
        let checkID = verdict.decidedBy.map { pipeline.checks(of: situation.service)[Int($0)].id }
        return Outcome(verdict: verdict, checkID: checkID, situation: situation)
    }
}

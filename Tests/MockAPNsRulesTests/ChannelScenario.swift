@testable import MockAPNsRules

/// A request to broadcast or to manage channels; it begins as one that is accepted.
struct ChannelScenario: Sendable {
    static let channel = ChannelID(UniqueID(high: 0x0123_4567_89ab_cdef, low: 0xfedc_ba98_7654_3210))
    static let broadcasts = "/4/broadcasts/apps/com.example.app"
    static let channels = "/1/apps/com.example.app/channels"
    static let allChannels = "/1/apps/com.example.app/all-channels"

    var request = PushRequest()
    var options = RuleOptions()
    var token = TokenFields()
    var refusal: Reason?
    var certificate: ClientCertificate?
    /// What the only channel stores; `nil` if there is none.
    var storage: ChannelStorage? = .newest
    var hasRoom = true
    var isEnabled = true
    var isWithinRate = true
    var hasOnlyChannels = false

    init(_ method: String, _ path: String) {
        for name in ["apns-topic", "apns-collapse-id", "apns-id", "apns-expiration"] { request.remove(name) }
        request.set(":method", method)
        request.set(":path", path)
        request.set("apns-push-type", "liveactivity")
        request.set("apns-channel-id", Self.channel.text)
    }

    static let broadcast = ChannelScenario("POST", broadcasts)
    static let create = {
        var scenario = ChannelScenario("POST", channels)
        scenario.request.remove("apns-channel-id")
        scenario.request.remove("apns-push-type")
        scenario.request.body = Array(#"{"message-storage-policy":1,"push-type":"LiveActivity"}"#.utf8)
        return scenario
    }()
    static let read = ChannelScenario("GET", channels).with { $0.request.body = [] }
    static let delete = ChannelScenario("DELETE", channels).with { $0.request.body = [] }
    static let list = ChannelScenario("GET", allChannels).with { $0.request.body = [] }

    func with(_ change: (inout ChannelScenario) -> Void) -> ChannelScenario {
        var changed = self
        change(&changed)
        return changed
    }

    func run(_ pipeline: Pipeline = .standard) -> Outcome {
        let authority = FakeAuthority()
        authority.answer = token.credential
        let channels = FakeChannels(
            storage: storage, hasRoom: hasRoom, isEnabled: isEnabled, isWithinRate: isWithinRate)
        var situation = Situation(
            environment: .sandbox, certificate: certificate, authority: authority,
            devices: FakeDevices(environment: .sandbox), channels: channels, hasOnlyChannels: hasOnlyChannels)
        situation.begin(at: Scenario.start, options: options, refusal: refusal)
        let verdict = request.withView { pipeline.verdict(on: $0, in: &situation) }
        let checks = pipeline.checks(of: situation.service)
        return Outcome(verdict: verdict, checkID: verdict.decidedBy.map { checks[Int($0)].id }, situation: situation)
    }
}

/// Knows one channel of one app, or none.
private final class FakeChannels: ChannelDirectory {
    private let storage: ChannelStorage?
    private let hasRoom: Bool
    private let isEnabled: Bool
    private let isWithinRate: Bool

    init(storage: ChannelStorage?, hasRoom: Bool, isEnabled: Bool, isWithinRate: Bool) {
        (self.storage, self.hasRoom, self.isEnabled) = (storage, hasRoom, isEnabled)
        self.isWithinRate = isWithinRate
    }

    func admits(_ channel: ChannelID, rate: RuleOptions.Rate, at now: Timestamp) -> Bool { isWithinRate }

    func allowsBroadcasts(to bundleID: String) -> Bool { isEnabled }

    func storage(of channel: ChannelID, in app: ChannelApp) -> ChannelStorage? {
        let own = ChannelApp(bundleID: "com.example.app", environment: .sandbox)
        return channel == ChannelScenario.channel && app == own ? storage : nil
    }

    func hasRoom(in app: ChannelApp) -> Bool { hasRoom }
}

import MockAPNsRules

@testable import MockAPNsWorld

/// A world that judges, records and delivers pushes as an event loop of the server does, but without connections.
///
/// The clock is frozen until a test moves it. Pushes need no provider token.
final class JudgingWorld {
    /// A push as a provider sends it.
    struct Push: Sendable {
        var token: DeviceToken
        var topic = "com.example.app"
        var environment = Environment.sandbox
        var type: PushType? = .alert
        var priority: Priority?
        /// The text of `apns-expiration`.
        var expiration: String?
        var collapse: String?
        var body = #"{"aps":{"alert":"Hello"}}"#

        init(_ token: DeviceToken, _ change: (inout Push) -> Void = { _ in }) {
            self.token = token
            change(&self)
        }

        var draft: Draft {
            var draft = Draft.push(token: token.hex, topic: topic, type: type?.name, body: body)
            if let priority { draft.fields.append(Draft.Field("apns-priority", "\(priority.rawValue)")) }
            if let expiration { draft.fields.append(Draft.Field("apns-expiration", expiration)) }
            if let collapse { draft.fields.append(Draft.Field("apns-collapse-id", collapse)) }
            return draft
        }
    }

    static let start = Draft.now
    static let second: Int64 = 1_000_000
    static let hour = 3_600 * second
    static let day = 24 * hour

    let world: World
    private let batch = RecordBatch()
    private let directory: Directory
    private var lastID: UInt64 = 0

    /// A world with these devices at the start.
    init(
        devices: [DeviceDraft] = [], options: Devices.Options = Devices.Options(),
        capacity: Journal.Capacity = Journal.Capacity(), seed: UInt64 = 1, rules: (inout RuleOptions) -> Void = { _ in }
    ) throws {
        var ruleOptions = RuleOptions()
        ruleOptions.authentication = .any
        rules(&ruleOptions)
        var startUp = World.StartUp()
        startUp.clock = Self.start
        startUp.devices = devices
        world = try World(
            ruleset: Ruleset(options: ruleOptions), journalCapacity: capacity, deviceOptions: options, startUp: startUp,
            seed: seed)
        directory = Directory(world: world)
    }

    var devices: Devices { world.devices }
    var now: Timestamp { world.clock.read().world }

    /// So many microseconds after the start.
    func time(_ offset: Int64) -> Timestamp { Timestamp(microseconds: Self.start.microseconds + offset) }

    /// Lets pushes come in one read.
    ///
    /// - Returns: their records, in the order of the pushes.
    @discardableResult func push(_ pushes: [Push]) -> [PushRecord] {
        let last = world.journal.extent.lastSeq
        judge(pushes)
        publish()
        return world.journal.pushes(
            .with {
                $0.after = last
                $0.limit = pushes.count
            }
        ).pushes
    }

    /// Lets one push come, and says what became of it: `200 delivered`, `410 Unregistered`.
    @discardableResult func push(_ token: DeviceToken, _ change: (inout Push) -> Void = { _ in }) -> String {
        push([Push(token, change)]).first.map(Self.summary) ?? "no trace"
    }

    /// The number of a push that comes now.
    func pushed(_ token: DeviceToken, _ change: (inout Push) -> Void = { _ in }) -> UInt64 {
        push([Push(token, change)]).first?.seq ?? 0
    }

    /// Judges pushes that have come, by the rules of this moment, without publishing them.
    func judge(_ pushes: [Push]) {
        directory.ruleset = world.ruleset
        if batch.isEmpty { batch.begin(by: directory.ruleset) }
        for push in pushes {
            let time = world.clock.read()
            var situation = Situation(environment: push.environment, authority: directory, devices: directory)
            situation.begin(at: time.world, options: directory.ruleset.options)
            lastID += 1
            push.draft.withRequest { request in
                let verdict = directory.ruleset.pipeline.verdict(on: request, in: &situation)
                var facts = RecordHead()
                facts.receivedAt = time.system
                facts.clockTime = time.world
                facts.connectionID = 1
                facts.requestOnConnection = 1
                facts.environment = push.environment
                facts.status = verdict.status
                facts.verdict = verdict
                facts.deadSince = situation.deadSince
                facts.id = UniqueID(high: 1, low: lastID)
                batch.append(request, facts, registered: situation.registered)
            }
        }
    }

    /// Publishes what was judged.
    func publish() {
        world.journal.publish(batch, at: world.clock.read())
        batch.removeAll()
    }

    /// The answer, and the last thing the service did.
    static func summary(_ record: PushRecord) -> String {
        if let reason = record.verdict.reason { return "\(record.answer.status) \(reason.name)" }
        return "200 \(record.delivery?.state?.row.state.map { "\($0)" } ?? "nothing")"
    }

    /// The steps of a push, as in the stories.
    func steps(_ seq: UInt64) -> [DeliveryEvent] { world.journal.push(seq: seq)?.delivery?.steps.map(\.event) ?? [] }

    private final class Directory: DeviceDirectory, ProviderTokenAuthority {
        let world: World
        var ruleset: Ruleset

        init(world: World) {
            self.world = world
            ruleset = world.ruleset
        }

        func credential(for token: ByteSpan) -> ProviderCredential {
            preconditionFailure("no provider token is looked at")
        }

        func admits(_ token: DeviceToken, rate: RuleOptions.Rate, at now: Timestamp) -> Bool {
            world.admits(token, rate: rate, at: now)
        }

        func admit(_ use: TokenUse, at now: Timestamp, interval: Int64) -> TokenUpdateWindows.Standing {
            world.admit(use, interval: interval)
        }

        func find(_ token: DeviceToken) -> RegisteredToken? { ruleset.find(token) }

        func topicNumber(_ topic: ByteSpan) -> UInt32 { ruleset.topicNumber(topic.text) }
    }
}

extension DeviceToken {
    /// A token of 32 bytes that a test can tell from others.
    static func numbered(_ number: UInt64) -> DeviceToken { DeviceToken((0, 0, 0, number)) }
}

extension DeviceDraft {
    /// A device with one app.
    static func phone(
        _ label: String? = nil, token: DeviceToken? = nil, topic: String = "com.example.app", isOnline: Bool? = nil,
        _ change: (inout DeviceDraft) -> Void = { _ in }
    ) -> DeviceDraft {
        var draft = DeviceDraft(
            label: label, isOnline: isOnline, registrations: [Registration(token: token, topic: topic)])
        change(&draft)
        return draft
    }
}

extension DeviceChange {
    static let online = DeviceChange.with { $0.isOnline = true }
    static let offline = DeviceChange.with { $0.isOnline = false }

    static func with(_ change: (inout DeviceChange) -> Void) -> DeviceChange {
        var made = DeviceChange()
        change(&made)
        return made
    }
}

extension RegistrationChange {
    static func with(_ change: (inout RegistrationChange) -> Void) -> RegistrationChange {
        var made = RegistrationChange()
        change(&made)
        return made
    }

    static func state(_ state: RegistrationState) -> RegistrationChange { .with { $0.state = state } }
    static func app(_ state: AppState) -> RegistrationChange { .with { $0.appState = state } }
    static func allowed(_ isAllowed: Bool) -> RegistrationChange { .with { $0.allowsNotifications = isAllowed } }
}

import MockAPNsFormats
import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// What happens to the Live Activities of one device, step by step, and what each step is expected to bring.
struct ActivityStory: Sendable, CustomTestStringConvertible {
    typealias Line = (step: Step, expected: String)

    /// What can happen.
    enum Step: Sendable {
        /// A push of an event: the members that differ from those of a good one, `null` for a missing one, and the dates in
        /// seconds after the beginning.
        case push(String, to: Target, [String: JSONValue], dates: [String: Double])
        /// A push with exactly this body to the push-to-start token, or to the update token.
        case body(String, to: Target)
        /// A broadcast to the channel, which the device's activity may follow.
        case broadcast(String, [String: JSONValue], dates: [String: Double])
        /// So many seconds pass.
        case wait(Double)
        case device(DeviceChange)
        case app(RegistrationChange)
        /// The app starts an activity itself.
        case begin([String: JSONValue])
        case dismiss
        case rotate
        case forget
        /// The device subscribes to the channel.
        case subscribe
        /// Asks for the activities.
        case look
        /// Asks what the newest activity ignored.
        case ignored

        static func start(_ members: [String: JSONValue] = [:], dates: [String: Double] = [:]) -> Step {
            .push("start", to: .app, members, dates: dates)
        }
        static func update(
            _ number: Int64 = 2, _ members: [String: JSONValue] = [:], dates: [String: Double] = [:]
        ) -> Step {
            .push(
                "update", to: .activity, ["content-state": ["n": .integer(number)]].merging(members) { $1 },
                dates: dates)
        }
        static func end(_ members: [String: JSONValue] = [:], dates: [String: Double] = [:]) -> Step {
            .push("end", to: .activity, members, dates: dates)
        }
        static let online = Step.device(.online)
        static let offline = Step.device(.offline)
    }

    enum Target: Sendable {
        /// The app's push-to-start token.
        case app
        /// The update token of the newest activity.
        case activity
        /// The update token that it had first.
        case old
        /// A token that no device has.
        case unknown
    }

    let name: String
    let os: String
    let lines: [Line]

    /// A story of a device with a version of iOS.
    init(_ name: String, os: String = "26.0", _ lines: [Line]) { (self.name, self.os, self.lines) = (name, os, lines) }

    var testDescription: String { name }

    /// What each step brought.
    func played() throws -> [String] {
        let player = try Player(os: os)
        return try lines.map { try player.play($0.step) }
    }
}

extension ActivityStory {
    static let token = DeviceToken.numbered(1)
    static let topic = "com.example.app.push-type.liveactivity"

    /// Lets things happen to a device, and says what they bring.
    final class Player {
        let judging: JudgingWorld
        private let channel: ChannelID
        private var old: DeviceToken?

        init(os: String, options: Devices.Options = Devices.Options(), seed: UInt64 = 1) throws {
            judging = try JudgingWorld(options: options, seed: seed)
            let app = ChannelApp(bundleID: "com.example.app", environment: .sandbox)
            channel = try #require(judging.world.channels.add(app, .newest)).id
            let phone = DeviceDraft.phone("a", token: ActivityStory.token, topic: ActivityStory.topic) {
                $0.os = DeviceOS(os)
            }
            _ = try judging.devices.add(phone)
        }

        var activities: [Activity] { (try? judging.devices.activities(of: .label("a"))) ?? [] }

        /// What a step brings.
        func play(_ step: Step) throws -> String {
            switch step {
            case .push(let event, let target, let members, let dates):
                return push(body(event, members, dates), to: target)
            case .body(let text, let target): return push(text, to: target)
            case .broadcast(let event, let members, let dates): return broadcast(body(event, members, dates))
            case .wait(let seconds): return told(judging.world.advanceClock(by: Int64(seconds * 1_000_000)))
            case .device(let change): return told(try judging.devices.change(.label("a"), change).deliveries)
            case .app(let change): return told(try judging.devices.change(ActivityStory.token, change).deliveries)
            case .begin(let members): return begin(members)
            case .dismiss, .rotate:
                guard let newest = activities.last else { return "none" }
                do {
                    if case .dismiss = step { return shown(try judging.devices.dismiss(newest.id)) }
                    return shown(try judging.devices.rotateToken(of: newest.id))
                } catch { return error.code.rawValue }
            case .forget:
                try judging.devices.forget(.label("a"))
                return ""
            case .subscribe:
                _ = try judging.world.channels.subscribe(.label("a"), topic: ActivityStory.topic, to: channel)
                return ""
            case .look: return activities.map { shown($0) }.joined(separator: ", ")
            case .ignored: return activities.last?.ignored.map(\.refusal.code).joined(separator: ", ") ?? ""
            }
        }

        private func body(_ event: String, _ members: [String: JSONValue], _ dates: [String: Double]) -> String {
            var aps: [String: JSONValue] = [
                "event": .string(event), "timestamp": .number(judging.now.seconds), "content-state": ["n": 1],
            ]
            if event == "start" {
                aps["attributes-type"] = "OrderAttributes"
                aps["attributes"] = ["order": 7]
                aps["alert"] = ["title": "Order", "body": "On its way"]
                aps["input-push-token"] = 1
            }
            for (name, value) in members { aps[name] = value == .null ? nil : value }
            for (name, seconds) in dates { aps[name] = .number(JudgingWorld.start.seconds + seconds) }
            if aps["input-push-channel"] == "it" { aps["input-push-channel"] = .string(channel.text) }
            return String(decoding: JSONValue.object(["aps": .object(aps)]).text, as: UTF8.self)
        }

        private func token(of target: Target) -> DeviceToken? {
            switch target {
            case .app: ActivityStory.token
            case .activity: activities.last?.token
            case .old: old
            case .unknown: .numbered(99)
            }
        }

        private func push(_ text: String, to target: Target) -> String {
            guard let token = token(of: target) else { return "no token" }
            let record = judging.push([
                JudgingWorld.Push(token) {
                    ($0.type, $0.topic, $0.body, $0.expiration) = (.liveactivity, ActivityStory.topic, text, nil)
                }
            ]).first
            if old == nil { old = activities.last?.token }
            guard let record else { return "no trace" }
            if let reason = record.verdict.reason {
                let time = record.head.deadSince.map { " at \(offset($0))" } ?? ""
                return "\(record.head.status) \(reason.name)\(time)"
            }
            return became(record)
        }

        /// The last step of a push, with the activity and the reason.
        func became(_ record: PushRecord) -> String {
            let delivery = record.delivery
            let last = delivery?.steps.last?.event
            let parts = [
                last.map { "\($0.row.event)" }, delivery?.activity.map { "\($0)" }, delivery?.refusal.map(\.code),
            ]
            return parts.compactMap(\.self).joined(separator: " ")
        }

        private func broadcast(_ text: String) -> String {
            let seq = Broadcasting.send(text, to: channel, in: judging.world)
            guard let receipt = judging.world.journal.push(seq: seq)?.delivery?.fanOut?.receipts.first else {
                return "nobody"
            }
            let parts = ["\(receipt.event.row.event)", receipt.activity.map { "\($0)" }, receipt.refusal.map(\.code)]
            return parts.compactMap(\.self).joined(separator: " ")
        }

        private func begin(_ members: [String: JSONValue]) -> String {
            var draft = ActivityDraft(topic: "com.example.app", attributesType: "OrderAttributes")
            if let state = members["content-state"] { draft.contentState = state.text }
            if let attributes = members["attributes"] { draft.attributes = attributes.text }
            if let app = members["topic"]?.string { draft.topic = app }
            if members["channel"] != nil { draft.channel = channel }
            defer { if old == nil { old = activities.last?.token } }
            do { return shown(try judging.devices.startActivity(draft, on: .label("a"))) } catch {
                return "\(error.code) \(error.pointer)"
            }
        }

        /// What a report says of activities.
        private func told(_ report: DeliveryReport) -> String {
            report.activities.map { "\($0.kind.rawValue) \($0.activity) \($0.reason.rawValue)" }.joined(separator: ", ")
        }

        private func offset(_ time: Timestamp) -> Int64 { time.microseconds(since: JudgingWorld.start) / 1_000_000 }

        private func shown(_ activity: Activity) -> String {
            let content = String(decoding: activity.contentState, as: UTF8.self)
            return "\(activity.id) \(activity.state.rawValue) \(content)\(activity.token == nil ? " no token" : "")"
        }
    }
}

/// Live Activities, in stories.
@Suite struct ActivityStoryTests {
    @Test(arguments: ActivityStory.all) func `a story goes as it is told`(_ story: ActivityStory) throws {
        for (line, got) in zip(story.lines, try story.played()) { #expect(got == line.expected, "\(line.step)") }
    }

    @Test func `the stories come to every refusal but those of the app's own shapes`() throws {
        var seen: Set<String> = []
        for story in ActivityStory.all {
            for got in try story.played() { seen.formUnion(got.split(separator: " ").map { String($0) }) }
        }
        let missing = ActivityRefusal.allCases.filter { !seen.contains($0.code) }
        #expect(missing == [.schemaMismatch])
        #expect(ActivityStory.all.count >= 60)
    }
}

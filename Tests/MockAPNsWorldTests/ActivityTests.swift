import MockAPNsFormats
import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// What is bounded of Live Activities, and what is the same for everyone who looks.
@Suite struct ActivityTests {
    @Test(
        arguments: [
            ("17.4", "17.4"), ("18", "18.0"), ("26.0", "26.0"), ("27.1", "27.1"), ("16.10", nil), ("19.0", nil),
            ("25.0", nil), ("9.3", nil), ("17.", nil), (".4", nil), ("17.4.1", nil), ("", nil), ("x", nil), ("-1", nil),
            ("017", nil), ("+17", nil),
        ] as [(String, String?)]) func `a version of iOS is read or refused`(_ text: String, _ version: String?)
    { #expect(DeviceOS(text)?.description == version) }

    @Test func `refusals have names and texts of their own, and are found by name`() {
        #expect(Set(ActivityRefusal.allCases.map(\.code)).count == ActivityRefusal.allCases.count)
        #expect(Set(ActivityRefusal.allCases.map(\.text)).count == ActivityRefusal.allCases.count)
        for refusal in ActivityRefusal.allCases {
            #expect(ActivityRefusal(code: refusal.code) == refusal)
            #expect(refusal.text.hasSuffix(".") && refusal.code.allSatisfy { $0.isLowercase || $0 == "-" })
        }
        #expect(ActivityRefusal(code: "") == nil)
    }

    /// Activities must not cost those who have none.
    @Test func `devices and apps are as large as without activities`() {
        #expect(MemoryLayout<DeviceRecord>.stride == 48)
        #expect(MemoryLayout<RegistrationRecord>.stride == 144)
        #expect(MemoryLayout<JournalEntry>.stride == 40)
    }

    /// With a token, and without what the app puts into it.
    @Test func `an activity has at most 700 bytes`() {
        let token = 32 + 8 * 10
        // A table of tokens is at most four fifths full, and may be hardly more than half.
        let inTable = (MemoryLayout<DeviceToken?>.stride + MemoryLayout<RegisteredToken>.stride) * 2
        // The due time in the heap, twice because of stale entries, and in the dictionary; the number in the dictionary.
        let due = 2 * 24 + 2 * 24 + 2 * 8
        let sum = MemoryLayout<ActivityRecord>.stride + MemoryLayout<RegistrationRecord>.stride + token + inTable + due
        #expect(sum <= 700, "\(sum) bytes")
    }

    @Test func `dead activities and tokens are bounded, and the latest are kept`() throws {
        let judging = try JudgingWorld()
        // Most of them on one device, which must not make it slow.
        let count = 2
        for number in 0..<count {
            let token = DeviceToken.numbered(UInt64(number) + 1)
            _ = try judging.devices.add(.phone("\(number)", token: token, topic: ActivityStory.topic))
        }
        let draft = ActivityDraft(topic: "com.example.app", attributesType: "A")
        var tokens: [DeviceToken] = []
        for number in 0..<Activity.mostDead + 3 {
            let activity = try judging.devices.startActivity(draft, on: .label(number % 100 == 0 ? "1" : "0"))
            tokens.append(try #require(activity.token))
            _ = try judging.devices.dismiss(activity.id)
        }
        _ = try judging.devices.startActivity(draft, on: .label("0"))
        let kept = try (0..<count).reduce(0) { try $0 + judging.devices.activities(of: .label("\($1)")).count }
        #expect(kept == Activity.mostDead + 1)
        #expect(judging.devices.activity(ActivityID(number: 3)) == nil)
        #expect(judging.devices.activity(ActivityID(number: 4))?.state == .dismissed)
        #expect(judging.devices.registration(tokens[2]) == nil && judging.devices.registration(tokens[3]) != nil)
        let push: (inout JudgingWorld.Push) -> Void = { ($0.type, $0.topic) = (.liveactivity, ActivityStory.topic) }
        #expect(judging.push(tokens[3], push) == "410 ExpiredToken")
        #expect(judging.push(tokens[2], push) == "200 delivered")
        #expect(judging.devices.feedback().map(\.token) == [tokens[3]])
    }

    @Test func `an update token is not an app, and changes as an activity alone`() throws {
        let judging = try JudgingWorld()
        _ = try judging.devices.add(.phone("a", token: ActivityStory.token, topic: ActivityStory.topic))
        let draft = ActivityDraft(topic: "com.example.app", attributesType: "A")
        let activity = try judging.devices.startActivity(draft, on: .label("a"))
        let token = try #require(activity.token)
        #expect(token.bytes.count == 80)
        let device = try judging.devices.device(.token(token))
        #expect(device.label == "a" && device.registrations.map(\.token) == [ActivityStory.token])
        #expect(device.shownActivities == 1)
        #expect(judging.devices.activity(of: token)?.id == activity.id)
        #expect(throws: DeviceError.self) { try judging.devices.change(token, .state(.uninstalled)) }
        #expect(throws: DeviceError.self) { try judging.devices.rotate(token) }
        #expect(throws: DeviceError.self) {
            try judging.devices.put([.phone(token: token, topic: ActivityStory.topic)])
        }
        #expect(judging.devices.feedback().isEmpty)
    }

    @Test func `numbers of activities are not used again after a reset`() throws {
        let judging = try JudgingWorld(devices: [.phone("a", token: ActivityStory.token, topic: ActivityStory.topic)])
        let draft = ActivityDraft(topic: "com.example.app", attributesType: "A")
        #expect(try judging.devices.startActivity(draft, on: .label("a")).id == ActivityID(number: 1))
        _ = judging.world.reset([.devices])
        #expect(try judging.devices.activities(of: .label("a")).isEmpty)
        #expect(try judging.devices.startActivity(draft, on: .label("a")).id == ActivityID(number: 2))
    }

    @Test(arguments: [0, 1] as [Double]) func `tokens are replaced after updates with the probability that was set`(
        _ probability: Double
    ) throws {
        var options = Devices.Options()
        options.activityTokenRotation = probability
        let player = try ActivityStory.Player(os: "26.0", options: options)
        #expect(try player.play(.start()) == "started 1")
        var tokens: Set<DeviceToken?> = [player.activities[0].token]
        for _ in 0..<10 {
            #expect(try player.play(.update()) == "updated 1")
            tokens.insert(player.activities[0].token)
        }
        #expect(tokens.count == (probability == 0 ? 1 : 11))
    }

    @Test func `what happens to an activity is in the events`() throws {
        let player = try ActivityStory.Player(os: "26.0")
        let cursor = player.judging.world.eventCursor()
        for step in [.start(dates: ["stale-date": 5]), .update(), .rotate, .wait(10), .end(), .wait(20_000)]
            as [ActivityStory.Step]
        { _ = try player.play(step) }
        let page = player.judging.world.events(from: cursor, limit: 100)
        let seen = page.items.compactMap { item -> String? in
            guard case .other(let event) = item, case .activityChanged(let step) = event.kind else { return nil }
            return "\(step.kind.rawValue) \(step.reason.rawValue) \(step.push == nil ? "" : "by a push")"
        }
        #expect(
            seen == [
                "started push by a push", "updated push by a push", "token rotation ", "ended push by a push",
                "dismissed dismissal-date ",
            ])
    }

    @Test(arguments: ["update", "end"]) func `a stored push takes its steps once`(_ event: String) throws {
        let player = try ActivityStory.Player(os: "26.0")
        _ = try player.play(.start())
        _ = try player.play(.offline)
        _ = try player.play(.push(event, to: .activity, [:], dates: [:]))
        let seq = try #require(player.judging.devices.stored(.label("a")).first?.seq)
        _ = try player.play(.online)
        let last = event == "end" ? DeliveryEvent.activityEnded : .activityUpdated
        #expect(player.judging.steps(seq) == [.storedDeviceOffline, .deliveredFromStorage, last])
        let delivery = try #require(player.judging.world.journal.push(seq: seq)?.delivery)
        #expect(delivery.activity == ActivityID(number: 1) && delivery.refusal == nil)
        #expect(try player.judging.devices.stored(.label("a")).isEmpty)
    }

    @Test func `a token that comes back with its device is no dead one`() throws {
        var options = Devices.Options()
        options.inactiveAfter = JudgingWorld.hour
        let player = try ActivityStory.Player(os: "26.0", options: options)
        _ = try player.play(.start())
        _ = try player.play(.offline)
        _ = try player.play(.wait(7_200))
        #expect(try player.play(.update()) == "410 Unregistered at 3600")
        _ = try player.play(.online)
        #expect(try player.play(.update()) == "updated 1")
    }

    /// A start and an end at a frozen clock leave an activity on the lock screen.
    @Test func `ended activities are bounded while they are on the lock screen`() throws {
        let player = try ActivityStory.Player(os: "26.0")
        let most = 50
        for _ in 0..<most {
            _ = try player.play(.start())
            _ = try player.play(.end())
        }
        #expect(player.activities.map(\.state) == Array(repeating: .ended, count: most))
        #expect(player.activities.map(\.id) == (1...UInt32(most)).map { ActivityID(number: $0) })
        let ended = player.judging.world.withState { state, _ in state.devices.activities.ended.count }
        #expect(ended == most)
    }

    @Test func `those that run come first in a device's list, and what is dead last`() throws {
        let player = try ActivityStory.Player(os: "26.0")
        func lists() -> (activities: [UInt32], tokens: [Bool]) {
            player.judging.world.withState { state, _ in
                let device = state.devices.find(.label("a")) ?? 0
                let activities = state.devices.activities(of: device).map { state.devices.activities.records[$0].id }
                return (
                    activities, state.devices.places(of: device).map { state.devices.registrations[$0].isDeadToken }
                )
            }
        }
        for _ in 0..<4 { _ = try player.play(.start()) }
        #expect(lists().activities == [4, 3, 2, 1] && lists().tokens == [false, false, false, false, false])
        _ = try player.judging.devices.dismiss(ActivityID(number: 2))
        _ = try player.judging.devices.dismiss(ActivityID(number: 4))
        _ = try player.judging.devices.rotateToken(of: ActivityID(number: 1))
        #expect(lists().activities == [3, 1, 4, 2])
        #expect(lists().tokens == [false, false, false, true, true, true])
        _ = try player.play(.start())
        #expect(lists().activities == [5, 3, 1, 4, 2])
        #expect(lists().tokens == [false, false, false, false, true, true, true])
        _ = try player.judging.devices.dismiss(ActivityID(number: 1))
        _ = try player.judging.devices.dismiss(ActivityID(number: 5))
        _ = try player.judging.devices.dismiss(ActivityID(number: 3))
        #expect(lists().activities == [3, 5, 1, 4, 2])
        #expect(lists().tokens == [false] + Array(repeating: true, count: 6))
        #expect(player.activities.map(\.id.number) == [1, 2, 3, 4, 5])
    }

    @Test func `the tokens of a deleted device are unknown, an activity's as the app's`() throws {
        let player = try ActivityStory.Player(os: "26.0")
        _ = try player.play(.start())
        let token = try #require(player.activities[0].token)
        _ = try player.play(.forget)
        let push: (inout JudgingWorld.Push) -> Void = { ($0.type, $0.topic) = (.liveactivity, ActivityStory.topic) }
        #expect(player.judging.devices.registration(token) == nil)
        #expect(
            [token, ActivityStory.token].map { player.judging.push($0, push) } == ["200 delivered", "200 delivered"])
    }

    @Test func `the tokens of an uninstalled app die after their own time with fuzzy detection`() throws {
        var options = Devices.Options()
        options.uninstallDetection = .fuzzy
        options.uninstallDelay = JudgingWorld.hour...JudgingWorld.hour
        let player = try ActivityStory.Player(os: "26.0", options: options)
        _ = try player.play(.start())
        _ = try player.play(.app(.state(.uninstalled)))
        #expect(try player.play(.update()) == "discarded")
        _ = try player.play(.wait(3_599))
        #expect(try player.play(.update()) == "discarded")
        _ = try player.play(.wait(1))
        #expect(try player.play(.update()) == "410 Unregistered at 3600")
    }

    @Test(arguments: [true, false]) func `an uninstalled app's tokens die as the app's`(_ isNoticed: Bool) throws {
        var options = Devices.Options()
        options.uninstallDetection = isNoticed ? .immediate : .delayed
        let player = try ActivityStory.Player(os: "26.0", options: options)
        _ = try player.play(.start())
        _ = try player.play(.app(.state(.uninstalled)))
        // The first push after it finds out.
        if !isNoticed { #expect(try player.play(.update()) == "discarded") }
        #expect(try player.play(.update()) == "410 Unregistered at 0")
    }

    @Test func `a start or an update that does not fit the app's schema is ignored`() throws {
        let player = try ActivityStory.Player(os: "26.0")
        let schema = try JSONSchema(Array(#"{"properties":{"n":{"type":"integer"}}}"#.utf8))
        for name in ["content-state:OrderAttributes", "attributes:OrderAttributes"] {
            let key = AppKey(app: "com.example.app", key: try #require(AppSchemaName(name)))
            _ = try player.judging.world.schemas.put(schema, as: key)
        }
        #expect(try player.play(.start(["content-state": ["n": "1"]])) == "ignored schema-mismatch")
        #expect(try player.play(.start(["attributes": ["n": "1"]])) == "ignored schema-mismatch")
        #expect(try player.play(.start()) == "started 1")
        #expect(try player.play(.update(2, ["content-state": ["n": "2"]])) == "ignored 1 schema-mismatch")
        #expect(try player.play(.look) == #"1 active {"n":1}"#)
        #expect(try player.play(.update(3)) == "updated 1")
    }

    @Test func `pushes of one read come in their order`() throws {
        let judging = try JudgingWorld()
        _ = try judging.devices.add(.phone("a", token: ActivityStory.token, topic: ActivityStory.topic))
        let draft = ActivityDraft(topic: "com.example.app", attributesType: "A")
        let token = try #require(try judging.devices.startActivity(draft, on: .label("a")).token)
        let pushes = ["update", "end", "update"].map { event in
            JudgingWorld.Push(token) {
                ($0.type, $0.topic) = (.liveactivity, ActivityStory.topic)
                $0.body =
                    #"{"aps":{"event":"\#(event)","timestamp":\#(judging.now.seconds),"content-state":{"e":"\#(event)"}}}"#
            }
        }
        let events = judging.push(pushes).map { $0.delivery?.steps.map(\.event) ?? [] }
        #expect(
            events == [[.delivered, .activityUpdated], [.delivered, .activityEnded], [.discardedTokenUnregistered]])
    }
}

import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// Describing devices, finding them, and what cannot be.
@Suite struct DevicesTests {
    // MARK: Describing

    @Test func `a device is as described`() throws {
        let judging = try JudgingWorld()
        let device = try judging.devices.add(
            DeviceDraft(
                label: "alice", isOnline: false, savesPower: true,
                registrations: [
                    .init(token: .numbered(1), topic: "com.example.app"),
                    .init(
                        topic: "com.example.app.voip", environment: .production, appState: .forceQuit,
                        allowsNotifications: false),
                ]))
        #expect(device.label == "alice" && !device.isOnline && device.savesPower)
        #expect(device.origin == .described && device.offlineSince == JudgingWorld.start)
        #expect(device.connectedClients == 0)
        try #require(device.registrations.count == 2)
        let (first, second) = (device.registrations[0], device.registrations[1])
        #expect(first.token == .numbered(1) && first.topic == "com.example.app")
        #expect(first.environment == .sandbox && first.appState == .background && first.allowsNotifications)
        #expect(first.state == .registered && first.deadSince == nil && first.lastPush == nil)
        #expect(first.counters == Registration.Counters() && first.stored == nil && first.held == nil)
        #expect(second.token.bytes.count == 32 && second.topic == "com.example.app.voip")
        #expect(second.environment == .production && second.appState == .forceQuit)
        #expect(!second.allowsNotifications)
    }

    @Test func `a device without a description is online`() throws {
        let device = try JudgingWorld().devices.add(DeviceDraft())
        #expect(device.label == nil && device.isOnline && !device.savesPower && device.offlineSince == nil)
        #expect(device.registrations.isEmpty)
    }

    @Test func `tokens that are made are the same for the same seed and all different`() throws {
        func made(_ seed: UInt64) throws -> [DeviceToken] {
            let judging = try JudgingWorld(devices: [.phone()], seed: seed)
            _ = try judging.devices.put((0..<50).map { _ in .phone() })
            return judging.devices.devices(.with { $0.limit = .max }).devices.flatMap(\.registrations).map(\.token)
        }
        let (one, again, other) = (try made(5), try made(5), try made(6))
        #expect(one == again)
        #expect(Set(one).count == 51)
        #expect(Set(one).isDisjoint(with: other))
    }

    // MARK: Labels

    static let labels: [(String, Bool)] = [
        ("", false), ("a", true), ("Alice's phone 📱", true), (String(repeating: "x", count: 100), true),
        (String(repeating: "x", count: 101), false), (String(repeating: "ü", count: 50), true),
        (String(repeating: "ü", count: 50) + "x", false), ("a\nb", false), ("a\u{7f}", false), ("\0", false),
        (" ", true),
    ]

    @Test(arguments: labels) func `a label has 1 to 100 bytes and no control characters`(
        label: String, isGood: Bool
    ) throws {
        let judging = try JudgingWorld(devices: [.phone("there")])
        let expected = isGood ? nil : "badValue /label"
        #expect(code { _ = try judging.devices.add(.phone(label)) } == expected)
        #expect(code { _ = try judging.devices.put([.phone(label)]) } == (isGood ? nil : "badValue /0/label"))
        let other = try JudgingWorld(devices: [.phone("there")])
        #expect(code { _ = try other.devices.change(.label("there"), .with { $0.label = label }) } == expected)
        #expect(other.devices.devices(DeviceQuery()).devices[0].label == (isGood ? label : "there"))
    }

    @Test func `a label belongs to one device`() throws {
        let judging = try JudgingWorld(devices: [.phone("alice"), .phone("bob")])
        let devices = judging.devices
        #expect(code { _ = try devices.add(.phone("alice")) } == "labelTaken /label")
        let toBob = DeviceChange.with { $0.label = "bob" }
        #expect(code { _ = try devices.change(.label("alice"), toBob) } == "labelTaken /label")
        let toAlice = DeviceChange.with { $0.label = "alice" }
        #expect(code { _ = try devices.change(.label("alice"), toAlice) } == nil)

        _ = try devices.change(.label("alice"), .with { $0.label = "carol" })
        #expect(code { _ = try devices.device(.label("alice")) } == "unknownDevice ")
        #expect(try devices.device(.label("carol")).label == "carol")
        _ = try devices.add(.phone("alice"))
        try devices.forget(.label("bob"))
        _ = try devices.add(.phone("bob"))
        #expect(devices.devices(DeviceQuery()).total == 3)
    }

    // MARK: What cannot be

    /// Descriptions held against alice (token 1, com.example.app) and bob (token 2, the same app); where a
    /// description alone is a conflict, and where one of a list is.
    static let conflicts: [(String, [DeviceDraft], adding: String?, putting: String?)] = [
        ("nothing wrong", [.phone("carol", token: .numbered(3))], nil, nil),
        ("a label that is taken", [.phone("alice", topic: "b")], "labelTaken /label", nil),
        (
            "a token that is taken", [.phone("carol", token: .numbered(1), topic: "b")],
            "tokenTaken /registrations/0/token", "tokenTaken /0/registrations/0/token"
        ),
        (
            "a token of the same app without the label", [.phone(token: .numbered(1))],
            "tokenTaken /registrations/0/token", nil
        ),
        (
            "a token of the other environment",
            [.phone("alice", token: .numbered(1)) { $0.registrations[0].environment = .production }],
            "labelTaken /label", "tokenTaken /0/registrations/0/token"
        ),
        (
            "another device's token", [.phone("alice", token: .numbered(2))], "labelTaken /label",
            "tokenTaken /0/registrations/0/token"
        ),
        (
            "another token for an app that has one", [.phone("alice", token: .numbered(3))], "labelTaken /label",
            "registrationTaken /0/registrations/0/token"
        ),
        (
            "an app twice", [.phone("carol") { $0.registrations.append(.init(topic: "com.example.app")) }],
            "registrationTaken /registrations/1/topic", "registrationTaken /0/registrations/1/topic"
        ),
        (
            "an app in both environments",
            [.phone("carol") { $0.registrations.append(.init(topic: "com.example.app", environment: .production)) }],
            nil, nil
        ),
        (
            "a token twice",
            [.phone("carol", token: .numbered(3)) { $0.registrations.append(.init(token: .numbered(3), topic: "b")) }],
            "tokenTaken /registrations/1/token", "tokenTaken /0/registrations/1/token"
        ),
        (
            "a topic with a blank", [.phone("carol", topic: "com example")], "badValue /registrations/0/topic",
            "badValue /0/registrations/0/topic"
        ),
        (
            "an empty topic", [.phone("carol", topic: "")], "badValue /registrations/0/topic",
            "badValue /0/registrations/0/topic"
        ), ("a topic of 255 bytes", [.phone("carol", topic: String(repeating: "x", count: 255))], nil, nil),
        (
            "a topic of 256 bytes", [.phone("carol", topic: String(repeating: "x", count: 256))],
            "badValue /registrations/0/topic", "badValue /0/registrations/0/topic"
        ), ("a label twice", [.phone("carol"), .phone("carol")], nil, "labelTaken /1/label"),
        (
            "a token twice in the list", [.phone("carol", token: .numbered(3)), .phone("dave", token: .numbered(3))],
            nil, "tokenTaken /1/registrations/0/token"
        ),
        (
            "a device twice, by its label and by its token", [.phone("alice"), .phone(token: .numbered(1))],
            "labelTaken /label", "labelTaken /1"
        ),
        ("the second of two", [.phone("carol"), .phone("dave", topic: "")], nil, "badValue /1/registrations/0/topic"),
    ]

    @Test(arguments: conflicts.indices) func `an impossible description changes nothing`(row: Int) throws {
        let (name, drafts, adding, putting) = Self.conflicts[row]
        let there: [DeviceDraft] = [.phone("alice", token: .numbered(1)), .phone("bob", token: .numbered(2))]
        let one = try JudgingWorld(devices: there)
        let before = one.everything
        #expect(code { _ = try one.devices.add(drafts[0]) } == adding, "\(name)")
        #expect((one.everything == before) == (adding != nil), "\(name)")

        let other = try JudgingWorld(devices: there)
        #expect(code { _ = try other.devices.put(drafts) } == putting, "\(name)")
        if putting != nil { #expect(other.everything == before, "\(name)") }
    }

    @Test func `an unknown device is reported as unknown`() throws {
        let judging = try JudgingWorld(devices: [.phone("alice", token: .numbered(1))])
        let devices = judging.devices
        let gone = try devices.add(.phone("bob"))
        try devices.forget(.id(gone.id))
        for reference in [DeviceReference.label("bob"), .id(gone.id)] {
            #expect(code { _ = try devices.device(reference) } == "unknownDevice ")
            #expect(code { _ = try devices.change(reference, .offline) } == "unknownDevice ")
            #expect(code { _ = try devices.register(.init(topic: "b"), on: reference) } == "unknownDevice ")
            #expect(code { _ = try devices.stored(reference) } == "unknownDevice ")
            #expect(code { _ = try devices.arrived(reference) } == "unknownDevice ")
            #expect(code { _ = try devices.connect(reference) } == "unknownDevice ")
            #expect(code { try devices.forget(reference) } == "unknownDevice ")
        }
        #expect(code { _ = try devices.device(.token(.numbered(9))) } == "unknownToken ")
        #expect(code { _ = try devices.rotate(.numbered(9)) } == "unknownToken ")
        #expect(code { _ = try devices.change(.numbered(9), .state(.registered)) } == "unknownToken ")
        #expect(devices.registration(.numbered(9)) == nil)

        // The place is used again, and the old number does not lead there.
        let next = try devices.add(.phone("carol"))
        #expect(next.id != gone.id)
        #expect(code { _ = try devices.device(.id(gone.id)) } == "unknownDevice ")
    }

    @Test func `a device is found by label number and any of its tokens`() throws {
        let judging = try JudgingWorld()
        let made = try judging.devices.add(.phone("alice") { $0.registrations.append(.init(topic: "b")) })
        let rotated = try judging.devices.rotate(made.registrations[0].token)
        let tokens = made.registrations.map(\.token) + [rotated.token]
        for reference in [.label("alice"), .id(made.id)] + tokens.map({ DeviceReference.token($0) }) {
            #expect(try judging.devices.device(reference).id == made.id)
        }
        for token in tokens {
            let found = try #require(judging.devices.registration(token))
            #expect(found.device.id == made.id && found.registration.token == token)
        }
    }

    @Test func `refuses registrations beyond the limit`() throws {
        var options = Devices.Options()
        options.registrationLimit = 3
        let judging = try JudgingWorld(options: options)
        let devices = judging.devices
        _ = try devices.put([.phone("a"), .phone("b"), .phone("c", topic: "b")])
        #expect(code { _ = try devices.add(.phone("d")) } == "tooMany ")
        #expect(code { _ = try devices.put([.phone("a"), .phone("d")]) } == "tooMany ")
        #expect(code { _ = try devices.register(.init(topic: "z"), on: .label("a")) } == "tooMany ")
        #expect(code { _ = try devices.rotate(judging.token("a")) } == "tooMany ")
        try devices.forget(.label("b"))
        #expect(code { _ = try devices.add(.phone("d")) } == nil)
    }

    /// What is described again takes no more room.
    @Test func `putting the same devices again needs no more room`() throws {
        var options = Devices.Options()
        options.registrationLimit = 3
        let judging = try JudgingWorld(options: options)
        let drafts: [DeviceDraft] = [.phone("a"), .phone("b"), .phone("c")]
        _ = try judging.devices.put(drafts)
        #expect(code { _ = try judging.devices.put(drafts) } == nil)
    }
}

/// The code and pointer of the error; `nil` when there is none.
func code(_ use: () throws -> Void) -> String? {
    do {
        try use()
        return nil
    } catch let error as DeviceError {
        return error.message.isEmpty ? "no message" : "\(error.code.rawValue) \(error.pointer)"
    } catch { return "\(error)" }
}

extension JudgingWorld {
    /// All devices with everything that is known of them.
    var everything: [String] { devices.devices(.with { $0.limit = .max }).devices.map { "\($0)" } }

    /// The newest token of a device.
    func token(_ label: String) throws -> DeviceToken {
        try devices.device(.label(label)).registrations.last?.token ?? .numbered(0)
    }
}

extension DeviceQuery {
    static func with(_ change: (inout DeviceQuery) -> Void) -> DeviceQuery {
        var query = DeviceQuery()
        change(&query)
        return query
    }
}

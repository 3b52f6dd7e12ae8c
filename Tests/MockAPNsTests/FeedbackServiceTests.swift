import MockAPNsRules
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNs

/// The feedback service of the binary interface.
@Suite struct FeedbackServiceTests {
    private static func token(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 32) }

    private static func hex(_ number: UInt8) -> String {
        String(repeating: number < 16 ? "0" + String(number, radix: 16) : String(number, radix: 16), count: 32)
    }

    private static func add(_ numbers: [UInt8], topic: String = Live.gatewayTopic, to live: Live) throws {
        for number in numbers {
            var device = DeviceDraft()
            let token = try Live.deviceToken(hex(number))
            device.registrations = [DeviceDraft.Registration(token: token, topic: topic)]
            _ = try live.world.devices.put([device])
        }
    }

    /// A tuple: time, length, token.
    private static func tuple(_ number: UInt8, at seconds: Int64 = Live.now) -> [UInt8] {
        GatewayFrame.number(Int(seconds), 4) + GatewayFrame.data(token(number))
    }

    private static func read(_ live: Live, as app: String = Live.gatewayTopic) async throws -> [UInt8] {
        let client = try await live.connect(to: .feedback, as: app)
        defer { client.end() }
        return try await client.rest()
    }

    @Test func `an entry is read once, and newer ones come`() async throws {
        try await withGateway { live in
            try Self.add([1, 2, 3], to: live)
            #expect(try await Self.read(live).isEmpty)
            try live.change(Self.hex(1), to: .uninstalled)
            live.setClock(Live.now + 60)
            try live.change(Self.hex(2), to: .uninstalled)
            #expect(try await Self.read(live) == Self.tuple(1) + Self.tuple(2, at: Live.now + 60))
            #expect(try await Self.read(live).isEmpty)
            try live.change(Self.hex(3), to: .expired)
            #expect(try await Self.read(live) == Self.tuple(3, at: Live.now + 60))
            // The list of the API still has all of them, and says that they were read.
            let all = live.world.devices.feedback()
            #expect(all.count == 3)
            #expect(all.allSatisfy { $0.readAt == Timestamp(seconds: Live.now + 60) })
            let connection = try #require(live.journal.connections.last)
            #expect(connection.interface == .feedback && connection.pushes == 0)
        }
    }

    @Test func `a client reads what is for its app and environment`() async throws {
        try await withGateway { live in
            try Self.add([1], to: live)
            try Self.add([2], topic: "com.example.other", to: live)
            for number in [1, 2] as [UInt8] { try live.change(Self.hex(number), to: .uninstalled) }
            let elsewhere = try await live.connect(to: .feedback, in: .production)
            #expect(try await elsewhere.rest().isEmpty)
            #expect(try await Self.read(live, as: "com.example.third").isEmpty)
            #expect(try await Self.read(live) == Self.tuple(1))
            #expect(try await Self.read(live, as: "com.example.other") == Self.tuple(2))
        }
    }

    @Test func `a push to a dead token is news`() async throws {
        try await withGateway { live in
            try Self.add([1], to: live)
            try live.change(Self.hex(1), to: .uninstalled)
            #expect(try await Self.read(live) == Self.tuple(1))
            let client = try await live.connect(to: .gateway)
            try await client.send(GatewayFrame.simple(token: Self.token(1), payload: [0x7b, 0x7d]))
            try await live.settle(pushes: 1)
            #expect(try await Self.read(live) == Self.tuple(1))
            #expect(live.world.devices.feedback().map(\.reported) == [1])
            client.end()
        }
    }

    @Test func `a token that is valid again is not listed`() async throws {
        try await withGateway { live in
            try Self.add([1], to: live)
            try live.change(Self.hex(1), to: .uninstalled)
            try live.change(Self.hex(1), to: .registered)
            #expect(try await Self.read(live).isEmpty)
        }
    }

    @Test func `more entries than one step takes`() async throws {
        try await withGateway { live in
            var drafts: [DeviceDraft] = []
            for number in 0..<5_000 as Range<UInt64> {
                var device = DeviceDraft()
                let token = DeviceToken((0, 0, 0, number))
                device.registrations = [DeviceDraft.Registration(token: token, topic: Live.gatewayTopic)]
                drafts.append(device)
            }
            _ = try live.world.devices.put(drafts)
            var change = RegistrationChange()
            change.state = .uninstalled
            for draft in drafts { _ = try live.world.devices.change(draft.registrations[0].token!, change) }
            #expect(try await Self.read(live).count == 5_000 * 38)
            #expect(try await Self.read(live).isEmpty)
        }
    }
}

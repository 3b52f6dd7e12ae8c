import MockAPNsRules
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNs

/// The binary interface over real connections.
@Suite struct GatewayTests {
    private static let token = [UInt8](0x40..<0x60)
    private static let payload = Array(#"{"aps":{"alert":"Hi"}}"#.utf8)
    private static let badToken = GatewayFrame.enhanced(identifier: 99, token: [1, 2, 3], payload: payload)

    private static func enhanced(_ identifier: Int, token: [UInt8] = token) -> [UInt8] {
        GatewayFrame.enhanced(identifier: identifier, token: token, payload: payload)
    }

    @Test func `a notification is a push like any other, and nothing is answered`() async throws {
        try await withGateway { live in
            let client = try await live.connect(to: .gateway)
            try await client.send(
                GatewayFrame.framed(
                    token: Self.token, payload: Self.payload, identifier: 7, expiry: Int(Live.now) + 60, priority: 5))
            try await live.settle(pushes: 1)
            let push = try #require(live.pushes.first)
            #expect(push.isBinary && push.pushProtocol == "binary" && push.environment == .sandbox)
            #expect(push.answer.status == 200 && push.sentPacket == nil && push.answer.headers.isEmpty)
            #expect(push.request[.apnsTopic] == Live.gatewayTopic)
            #expect(push.request[.apnsExpiration] == "\(Live.now + 60)")
            #expect(push.request[.apnsPriority] == "5")
            #expect(push.request.body == Self.payload)
            #expect(push.delivery?.state == .delivered)
            let connection = try #require(push.connection)
            #expect(connection.interface == .gateway && connection.pushes == 1)
            // The connection is still there, and the first thing that it hears is about the second one.
            try await client.send(Self.badToken)
            #expect(try await client.rest() == GatewayFrame.packet(5, 99))
        }
    }

    /// A frame, whether it has priority 10, and whether it is stored for a device that is offline.
    static let deliveries: [(String, frame: [UInt8], isImmediate: Bool, isStored: Bool)] = [
        ("command 0", GatewayFrame.simple(token: token, payload: payload), true, true),
        ("command 1, expiry 0", enhanced(1), true, false),
        ("command 2", GatewayFrame.framed(token: token, payload: payload), true, true),
        ("priority 5", GatewayFrame.framed(token: token, payload: payload, priority: 5), false, true),
        ("expiration 0", GatewayFrame.framed(token: token, payload: payload, expiry: 0), true, false),
    ]

    @Test(arguments: deliveries)
    func `expiry and priority decide when a notification is delivered and whether it is stored`(
        _: String, frame: [UInt8], isImmediate: Bool, isStored: Bool
    ) async throws {
        try await withGateway { live in
            let device = DeviceReference.token(try Live.deviceToken(try Self.addDevice(to: live)))
            let devices = live.world.devices
            let client = try await live.connect(to: .gateway)
            var change = DeviceChange()
            change.savesPower = true
            _ = try devices.change(device, change)
            try await client.send(frame)
            try await live.settle(pushes: 1)
            change.isOnline = false
            _ = try devices.change(device, change)
            try await client.send(frame)
            try await live.settle(pushes: 2)
            let states = live.pushes.map { $0.delivery?.state }
            #expect((states[0] == .delivered) == isImmediate)
            #expect((states[1] == .storedDeviceOffline) == isStored)
            client.end()
        }
    }

    @Test func `commands 0, 1 and 2 are read from one record and byte by byte`() async throws {
        let frames =
            GatewayFrame.simple(token: Self.token, payload: Self.payload) + Self.enhanced(2)
            + GatewayFrame.framed(token: Self.token, payload: Self.payload, identifier: 3)
        try await withGateway { live in
            let client = try await live.connect(to: .gateway)
            try await client.send(frames)
            try await live.settle(pushes: 3)
            try await client.sendTorn(frames)
            try await live.settle(pushes: 6)
            #expect(live.pushes.map { $0.delivery?.state } == Array(repeating: .delivered, count: 6))
            client.end()
        }
    }

    /// What is sent for a frame.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let frame: [UInt8]
        let packet: [UInt8]
        /// The reason in the record; `nil` for a frame that cannot be parsed.
        let reason: Reason?
    }

    static let refusals = [
        Refusal(
            testDescription: "2: missing device token", frame: GatewayFrame.framed(payload: payload, identifier: 8),
            packet: GatewayFrame.packet(2, 8), reason: .missingDeviceToken),
        Refusal(
            testDescription: "4: missing payload", frame: GatewayFrame.framed(token: token, identifier: 8),
            packet: GatewayFrame.packet(4, 8), reason: .payloadEmpty),
        Refusal(
            testDescription: "5: invalid token size",
            frame: GatewayFrame.framed(token: token + [1], payload: payload, identifier: 8),
            packet: GatewayFrame.packet(5, 8), reason: .badDeviceToken),
        Refusal(
            testDescription: "7: invalid payload size",
            frame: GatewayFrame.framed(token: token, payload: [UInt8](repeating: 0x20, count: 2_049), identifier: 8),
            packet: GatewayFrame.packet(7, 8), reason: .payloadTooLarge),
        Refusal(
            testDescription: "8: invalid token, asked for by the token itself",
            frame: GatewayFrame.framed(
                token: [0xde, 0xad, 0x04, 0x00, 0x00] + token.prefix(27), payload: payload, identifier: 8),
            packet: GatewayFrame.packet(8, 8), reason: .badDeviceToken),
        Refusal(testDescription: "128: protocol error", frame: [7], packet: GatewayFrame.packet(128, 0), reason: nil),
        Refusal(
            testDescription: "128: a frame of 4 GiB", frame: [2, 255, 255, 255, 255],
            packet: GatewayFrame.packet(128, 0), reason: nil),
        Refusal(
            testDescription: "command 0 gets no packet", frame: GatewayFrame.simple(token: [1], payload: payload),
            packet: [], reason: .badDeviceToken),
        Refusal(
            testDescription: "1: a priority that is neither 10 nor 5",
            frame: GatewayFrame.framed(token: token, payload: payload, identifier: 8, priority: 7),
            packet: GatewayFrame.packet(1, 8), reason: .badPriority),
        Refusal(
            testDescription: "1: priority 10 with only content-available",
            frame: GatewayFrame.framed(
                token: token, payload: Array(#"{"aps":{"content-available":1}}"#.utf8), identifier: 8, priority: 10),
            packet: GatewayFrame.packet(1, 8), reason: .badPriority),
    ]

    @Test(arguments: refusals) func `a bad notification gets its packet, and what follows is discarded`(
        _ refusal: Refusal
    ) async throws {
        try await withGateway { live in
            let client = try await live.connect(to: .gateway)
            try await client.send(Self.enhanced(1) + refusal.frame + Self.enhanced(9))
            #expect(try await client.rest() == refusal.packet)
            client.end()
            try await live.settle { live.openConnections.isEmpty }
            #expect(live.pushes.count == 2)
            let push = try #require(live.pushes.last)
            #expect(push.verdict.reason == refusal.reason)
            #expect(push.sentPacket?.rawValue == refusal.packet.dropFirst().first)
            #expect((push.problem != nil) == (refusal.reason == nil))
            #expect(push.connection?.closeCode == (refusal.reason == nil ? "protocol-error" : "rejected"))
        }
    }

    @Test func `an unknown token and one of another environment or app are invalid`() async throws {
        try await withGateway({ $0.rules.unknownTokens = .reject }) { live in
            let unknown = try await live.connect(to: .gateway)
            try await unknown.send(Self.enhanced(4))
            #expect(try await unknown.rest() == GatewayFrame.packet(8, 4))
            _ = try Self.addDevice(to: live)
            let elsewhere = try await live.connect(to: .gateway, in: .production)
            try await elsewhere.send(Self.enhanced(5))
            #expect(try await elsewhere.rest() == GatewayFrame.packet(8, 5))
            let other = try await live.connect(to: .gateway, as: "com.example.other")
            try await other.send(Self.enhanced(6))
            #expect(try await other.rest() == GatewayFrame.packet(8, 6))
            let reasons = live.pushes.map { $0.verdict.reason }
            #expect(reasons == [.badDeviceToken, .badDeviceToken, .deviceTokenNotForTopic])
        }
    }

    @Test(arguments: [false, true]) func `an uninstalled app gets a packet only if that is chosen`(
        isReported: Bool
    ) async throws {
        try await withGateway({ $0.rules.gatewayReportsUnregistered = isReported }) { live in
            let token = try Self.addDevice(to: live)
            try live.change(token, to: .uninstalled)
            let client = try await live.connect(to: .gateway)
            try await client.send(Self.enhanced(1) + Self.badToken)
            #expect(try await client.rest() == (isReported ? GatewayFrame.packet(8, 1) : GatewayFrame.packet(5, 99)))
            let push = try #require(live.pushes.first)
            #expect(push.verdict.reason == .unregistered && push.sentPacket == (isReported ? .invalidToken : nil))
        }
    }

    @Test func `a certificate is required`() async throws {
        try await withGateway { live in
            // With TLS 1.3 the client only hears of it after its handshake.
            await #expect(throws: GatewayClient.Failure.self) {
                let client = try await live.connect(to: .gateway, as: nil)
                _ = try await client.rest()
            }
            try await live.settle { live.journal.connections.contains { $0.closeCode == "tls-failure" } }
            let hint = live.journal.connections.first { $0.closeCode == "tls-failure" }?.closeHint
            #expect(hint?.contains("client certificate") == true)
        }
    }

    /// A certificate that does not authenticate in the sandbox.
    static let badCertificates: [(String, @Sendable (inout ClientCertificates.Draft) -> Void)] = [
        ("self-signed", { $0.isSelfSigned = true }), ("expired", { ($0.startsIn, $0.expiresIn) = (-172_800, -86_400) }),
        ("for production", { $0.environment = .production }),
    ]

    @Test(arguments: badCertificates.indices) func `a bad certificate ends the handshake`(row: Int) async throws {
        try await withGateway { live in
            var draft = ClientCertificates.Draft(bundleID: Live.gatewayTopic)
            Self.badCertificates[row].1(&draft)
            let certificate = try live.server.clientCertificates.issue(draft)
            let listener = try #require(live.server.binaryListeners.first { $0.address.environment == .sandbox })
            await #expect(throws: GatewayClient.Failure.self) {
                let client = try await GatewayClient.connect(listener.address.port, certificate)
                client.end()
                _ = try await client.rest()
            }
            try await live.settle { !live.journal.connections.isEmpty && live.openConnections.isEmpty }
            #expect(live.journal.connections.map(\.closeCode) == ["bad-certificate"])
        }
    }

    @Test func `garbage and half frames end with the connection`() async throws {
        var generator = Generator(seed: 8)
        let inputs = (0..<20).map { _ in generator.bytes(1...2_000) }
        try await withGateway { live in
            for input in inputs {
                let client = try await live.connect(to: .gateway)
                // The server may have closed the connection already.
                try? await client.send(input)
                client.end()
            }
            let half = try await live.connect(to: .gateway)
            try await half.send(Array(Self.enhanced(1).dropLast()))
            half.end()
            try await live.settle { live.openConnections.isEmpty && live.journal.connectionCount == 21 }
            #expect(live.pushes.allSatisfy { $0.isBinary && $0.answer.status != 200 })
        }
    }

    @Test func `a frame without an end is given up`() async throws {
        try await withGateway({
            $0.transport.requestTimeout = .milliseconds(1)
            $0.transport.tickInterval = .milliseconds(1)
        }) { live in
            let client = try await live.connect(to: .gateway)
            try await client.send(Array(Self.enhanced(6).dropLast()))
            #expect(try await client.rest() == GatewayFrame.packet(128, 6))
            #expect(live.pushes.first?.problem?.contains("no end of the frame") == true)
        }
    }

    @Test func `a stopping server names the last accepted notification`() async throws {
        try await withGateway { live in
            let client = try await live.connect(to: .gateway)
            let silent = try await live.connect(to: .gateway)
            try await client.send(Self.enhanced(41) + Self.enhanced(42))
            try await live.settle(pushes: 2)
            async let last = client.rest()
            async let silence = silent.rest()
            await live.server.closeConnections()
            #expect(try await last == GatewayFrame.packet(10, 42))
            #expect(try await silence == GatewayFrame.packet(10, 0))
        }
    }

    private static func addDevice(to live: Live) throws -> String {
        let token = try Live.deviceToken(token.map { String($0, radix: 16) }.joined())
        var device = DeviceDraft()
        device.registrations = [DeviceDraft.Registration(token: token, topic: Live.gatewayTopic)]
        _ = try live.world.devices.put([device])
        return token.hex
    }
}

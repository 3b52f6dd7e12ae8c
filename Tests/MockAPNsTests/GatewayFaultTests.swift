import MockAPNs
import MockAPNsRules
import MockAPNsWorld
import TestSupport
import Testing

/// Faults on the binary interface.
@Suite struct GatewayFaultTests {
    private static let payload = Array(#"{"aps":{"alert":"Hi"}}"#.utf8)

    private static func frame(_ identifier: Int) -> [UInt8] {
        GatewayFrame.enhanced(identifier: identifier, token: [UInt8](0..<32), payload: payload)
    }

    /// Sends a first notification, then one with a fault, then one more, and returns what the server sends.
    private func answer(to action: FaultAction, check: (Live) throws -> Void = { _ in }) async throws -> [UInt8] {
        try await withGateway { live in
            let client = try await live.connect(to: .gateway)
            try await client.send(Self.frame(1))
            try await live.settle(pushes: 1)
            _ = try live.world.faults.add(FaultDraft(action: action))
            try await client.send(Self.frame(2) + Self.frame(3))
            let answer = try await client.rest()
            client.end()
            try await live.settle { live.openConnections.isEmpty }
            #expect(live.pushes.count == 2)
            try check(live)
            return answer
        }
    }

    /// The status for each reason that a fault answers with.
    static let statuses: [(Reason, UInt8, UInt32)] = [
        (.internalServerError, 1, 2), (.missingTopic, 3, 2), (.badTopic, 6, 2), (.badDeviceToken, 8, 2),
        (.shutdown, 10, 1), (.forbidden, 255, 2),
    ]

    @Test(arguments: statuses) func `a response with a reason is its error packet`(
        reason: Reason, status: UInt8, id: UInt32
    ) async throws {
        let answer = try await answer(to: .respond(FaultAction.Response(reason))) { live in
            let push = try #require(live.pushes.last)
            #expect(push.isDecidedByFault && push.sentPacket?.rawValue == status)
        }
        #expect(answer == GatewayFrame.packet(status, Int(id)))
    }

    @Test func `a response without a reason is unknown`() async throws {
        let answer = try await answer(to: .respond(FaultAction.Response(status: 502, reason: nil)))
        #expect(answer == GatewayFrame.packet(255, 2))
    }

    @Test func `a goaway is a shutdown after an accepted notification`() async throws {
        let answer = try await answer(to: .goAway(FaultAction.GoAway())) { live in
            let push = try #require(live.pushes.last)
            #expect(push.answer.status == 200 && push.delivery?.state == .delivered)
            #expect(push.sentPacket == .shutdown)
        }
        #expect(answer == GatewayFrame.packet(10, 2))
    }

    @Test func `a stream that is reset ends the connection without a packet`() async throws {
        #expect(try await answer(to: .resetStream(.refusedStream)).isEmpty)
    }

    @Test func `a packet comes late, and all that was sent meanwhile is discarded`() async throws {
        try await withGateway { live in
            _ = try live.world.faults.add(FaultDraft(action: .delay(FaultAction.Delay(1_000))))
            let client = try await live.connect(to: .gateway)
            let bad = GatewayFrame.enhanced(identifier: 5, token: [1], payload: Self.payload)
            try await client.send(Self.frame(1) + bad + Self.frame(6))
            #expect(try await client.rest() == GatewayFrame.packet(5, 5))
            #expect(live.pushes.count == 2)
        }
    }

    @Test func `an idle connection is shut down`() async throws {
        try await withGateway({ $0.transport.tickInterval = .milliseconds(1) }) { live in
            var trigger = FaultTrigger()
            trigger.afterIdle = 1
            _ = try live.world.faults.add(FaultDraft(when: trigger, action: .goAway(FaultAction.GoAway())))
            let client = try await live.connect(to: .gateway)
            #expect(try await client.rest() == GatewayFrame.packet(10, 0))
        }
    }
}

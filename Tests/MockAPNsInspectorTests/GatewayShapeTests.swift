import MockAPNsFormats
import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsWorld

/// What the API says of pushes by the binary interface.
@Suite struct GatewayShapeTests {
    /// Publishes a notification that gets this status, or is accepted.
    private static func publish(_ packet: GatewayStatus? = nil, command: UInt8 = 1, on fixture: Fixture) {
        var notification = GatewayNotification(command: command)
        notification.identifier = 42
        notification.expiration = 0
        notification.token = [UInt8](repeating: 0xab, count: 32)
        notification.payload = Array(#"{"aps":{"alert":"Hi"}}"#.utf8)
        notification.payloadLength = notification.payload.count
        var facts = RecordHead()
        facts.receivedAt = Fixture.now
        facts.clockTime = Fixture.now
        facts.connectionID = 7
        facts.requestOnConnection = 1
        facts.isBinary = true
        facts.packet = packet
        if packet != nil {
            facts.verdict = Verdict(reason: .badDeviceToken, decidedBy: 22)
            facts.status = 400
        }
        let batch = RecordBatch()
        batch.begin(by: fixture.server.world.ruleset)
        notification.withRequest(topic: "com.example.app") { batch.append($0, facts) }
        fixture.journal.publish(batch)
    }

    @Test func `a record has the fields of the frame in place of headers`() async throws {
        try await withFixture { fixture in
            Self.publish(on: fixture)
            let push = await fixture.get("/api/v1/pushes/seq:1")
            #expect(push.text("protocol") == "binary")
            let headers = try #require(push.json["request"]?["headers"])
            let expected: JSONValue = [
                ["device-token", .string(String(repeating: "ab", count: 32))], ["command", "1"], ["identifier", "42"],
                ["topic", "com.example.app"], ["expiration", "0"],
            ]
            #expect(headers.text == expected.text)
            #expect(push.text("apns", "topic") == "com.example.app")
            #expect(push.json["response"]?["packet"] == .null)
            #expect(push.text("response", "body") == "")
            #expect(push.json["lints"]?.text == JSONValue.array([]).text)
        }
    }

    @Test func `a rejected notification has its packet, except of command 0`() async throws {
        try await withFixture { fixture in
            Self.publish(.invalidToken, on: fixture)
            Self.publish(.invalidToken, command: 0, on: fixture)
            let push = await fixture.get("/api/v1/pushes/seq:1")
            #expect(push.text("response", "packet", "status") == "8")
            #expect(push.text("response", "packet", "meaning") == "invalid token")
            #expect(push.text("verdict", "reason") == "BadDeviceToken")
            let simple = await fixture.get("/api/v1/pushes/seq:3")
            #expect(simple.json["response"]?["packet"] == .null)
        }
    }

    @Test func `a search finds notifications of the binary interface`() async throws {
        try await withFixture { fixture in
            Self.publish(on: fixture)
            fixture.publish(PushDraft())
            for name in ["binary", "http2"] {
                let found = await fixture.get("/api/v1/pushes?q=protocol:\(name)")
                #expect(found.text("pushes", "0", "protocol") == name && found.text("matched") == "1")
            }
            #expect(await fixture.get("/api/v1/pushes?q=protocol:h3").status == 400)
        }
    }

    @Test func `the command to resend uses HTTP/2`() async throws {
        try await withFixture { fixture in
            Self.publish(on: fixture)
            let text = String(decoding: await fixture.get("/api/v1/pushes/seq:1/curl").bytes, as: UTF8.self)
            #expect(text.contains("/3/device/abab") && text.contains("-H 'apns-topic: com.example.app'"))
            #expect(text.contains("authorization: bearer $(mock-apns token)"))
            #expect(!text.contains("identifier") && !text.contains("device-token"))
        }
    }
}

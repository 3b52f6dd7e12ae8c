import MockAPNs
import MockAPNsFormats
import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsWorld

/// Being many devices with one stream, over a real connection.
struct ConnectManyRouteTests {
    private static let path = "/api/v1/devices/connect"

    /// Lends a server with the offline devices load-0, load-1 and alice, of which load-1 gets the pushes of the tests.
    private func withFleet(_ use: (Fixture, Inspector, Int) async throws -> Void) async throws {
        let settings = APISettings(idle: .seconds(60), heartbeat: .seconds(3_600))
        try await withInspector(settings: settings) { server, inspector, port in
            _ = server.world.stopClock(at: Fixture.now)
            for label in ["load-0", "load-1", "alice"] {
                let token = label == "load-1" ? DeviceToken(hex: Fixture.token) : nil
                let app = DeviceDraft.Registration(token: token, topic: "com.example.app")
                let draft = DeviceDraft(label: label, isOnline: false, registrations: [app])
                _ = try server.world.devices.add(draft)
            }
            try await use(Fixture(of: server), inspector, port)
        }
    }

    private func online(_ fixture: Fixture) -> [String] {
        var query = DeviceQuery()
        query.isOnline = true
        return fixture.server.world.devices.devices(query).devices.compactMap(\.label)
    }

    @Test func `matching devices are online, and each push names its device`() async throws {
        try await withFleet { fixture, _, port in
            fixture.publish(PushDraft())
            let client = try await EventClient(Self.path + "?q=load-", port: port)
            #expect(try await client.next() == .event("connected", id: nil, data: ["devices": 2]))
            #expect(online(fixture) == ["load-0", "load-1"])
            let device = await fixture.get("/api/v1/devices/@load-1")
            for state in ["delivered-from-storage", "delivered"] {
                guard case .event("push", let seq?, let data?)? = try await client.next() else {
                    Issue.record("the push did not come")
                    return
                }
                #expect(data.text(["label"]) == "load-1")
                #expect(data.text(["device"]) == device.text("id"))
                #expect(data.text(["push", "delivery", "state"]) == state)
                let known = try await HTTPClient.ask("/api/v1/pushes/seq:\(seq)", port: port)
                #expect(JSONParser.value(of: Array(known.body.utf8)) == data["push"])
                fixture.publish(PushDraft())
            }
            await client.leave()
            for _ in 0..<2_000 where !online(fixture).isEmpty { _ = try await HTTPClient.ask("/livez", port: port) }
            #expect(online(fixture).isEmpty)
        }
    }

    @Test func `a summary of each push`() async throws {
        try await withFleet { fixture, _, port in
            let client = try await EventClient(Self.path + "?fields=summary&count=2", port: port)
            #expect(try await client.next() == .event("connected", id: nil, data: ["devices": 2]))
            fixture.publish(PushDraft())
            guard case .event("push", let seq?, let data?)? = try await client.next() else {
                Issue.record("the push did not come")
                return
            }
            #expect(data.text(["push", "seq"]) == seq)
            #expect(data["push"]?["request"] == nil)
        }
    }

    @Test func `the stream ends with its last device, and when the server stops`() async throws {
        try await withFleet { fixture, inspector, port in
            let some = try await EventClient(Self.path + "?q=load-", port: port)
            let all = try await EventClient(Self.path, port: port)
            #expect(try await some.next() == .event("connected", id: nil, data: ["devices": 2]))
            #expect(try await all.next() == .event("connected", id: nil, data: ["devices": 3]))
            for label in ["load-0", "load-1"] { try fixture.server.world.devices.forget(.label(label)) }
            #expect(try await some.next() == .event("closed", id: nil, data: ["reason": "forgotten"]))
            #expect(online(fixture) == ["alice"])
            try await inspector.stop(grace: .seconds(3_600))
            #expect(try await all.next() == .event("closed", id: nil, data: ["reason": "shutdown"]))
            #expect(online(fixture).isEmpty)
        }
    }

    @Test(arguments: [
        ("?q=nothing", 404, "there are no matching devices"), ("?count=4", 404, "expected 4"),
        ("?count=0", 400, "count"), ("?count=100001", 400, "count"), ("?limit=2", 400, "limit"),
        ("?fields=short", 400, "fields"),
    ]) func `refuses what it cannot be`(query: String, status: Int, text: String) async throws {
        try await withFleet { fixture, _, port in
            let answer = try await HTTPClient.ask(Self.path + query, port: port)
            #expect(answer.status == status)
            #expect(answer.body.lowercased().contains(text), "\(answer.body)")
            #expect(online(fixture).isEmpty)
        }
    }

    @Test func `HEAD connects no device`() async throws {
        try await withFleet { fixture, _, port in
            let answer = try await HTTPClient.ask(Self.path, port: port, method: "HEAD")
            #expect(answer.status == 200 && answer["content-type"] == "text/event-stream")
            #expect(online(fixture).isEmpty)
        }
    }
}

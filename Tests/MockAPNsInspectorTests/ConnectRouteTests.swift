import MockAPNs
import MockAPNsFormats
import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsWorld

/// Being a device, over a real connection.
struct ConnectRouteTests {
    /// Lends a server with a device called alice.
    private func withAlice(isOnline: Bool = false, _ use: (Fixture, Inspector, Int) async throws -> Void) async throws {
        let settings = APISettings(idle: .seconds(60), heartbeat: .seconds(3_600))
        try await withInspector(settings: settings) { server, inspector, port in
            // Where the pushes of the tests are, too.
            _ = server.world.stopClock(at: Fixture.now)
            let token = try #require(DeviceToken(hex: Fixture.token))
            let app = DeviceDraft.Registration(token: token, topic: "com.example.app")
            _ = try server.world.devices.add(DeviceDraft(label: "alice", isOnline: isOnline, registrations: [app]))
            try await use(Fixture(of: server), inspector, port)
        }
    }

    private func alice(_ fixture: Fixture) throws -> Device { try fixture.server.world.devices.device(.label("alice")) }

    /// Asks until the device is as expected; every question goes over the event loop of the stream.
    private func expect(
        _ fixture: Fixture, _ port: Int, sourceLocation: SourceLocation = #_sourceLocation,
        _ condition: (Device) -> Bool
    ) async throws {
        for _ in 0..<2_000 where !condition(try alice(fixture)) { _ = try await HTTPClient.ask("/livez", port: port) }
        #expect(condition(try alice(fixture)), sourceLocation: sourceLocation)
    }

    private func name(_ block: EventClient.Block?) -> String? {
        guard case .event(let name, _, _)? = block else { return nil }
        return name
    }

    @Test func `a device is online while a client is connected as it`() async throws {
        try await withAlice { fixture, _, port in
            #expect(try !alice(fixture).isOnline)
            let client = try await EventClient("/api/v1/devices/@alice/connect", port: port)
            guard case .event("connected", nil, let device?)? = try await client.next() else {
                Issue.record("the stream does not begin with the device")
                return
            }
            #expect(device.text(["label"]) == "alice")
            #expect(device.text(["state"]) == "online")
            #expect(device.text(["connectedClients"]) == "1")
            #expect(device.text(["registrations", "0", "token"]) == Fixture.token.lowercased())
            #expect(try alice(fixture).isOnline)
            await client.leave()
            try await expect(fixture, port) { !$0.isOnline && $0.connectedClients == 0 }
        }
    }

    @Test func `a summary of each push`() async throws {
        try await withAlice { fixture, _, port in
            let client = try await EventClient("/api/v1/devices/@alice/connect?fields=summary", port: port)
            #expect(name(try await client.next()) == "connected")
            fixture.publish(PushDraft())
            guard case .event("push", let seq?, let push?)? = try await client.next() else {
                Issue.record("the push did not come")
                return
            }
            let list = try await HTTPClient.ask("/api/v1/pushes?fields=summary", port: port)
            #expect(JSONParser.value(of: Array(list.body.utf8))?["pushes"].entries == [push])
            #expect(push.text(["seq"]) == seq)
            let refusal = try await HTTPClient.ask("/api/v1/devices/@alice/connect?fields=short", port: port)
            #expect(refusal.status == 400)
            await client.leave()
        }
    }

    @Test func `stored notifications come first, then new ones`() async throws {
        try await withAlice { fixture, _, port in
            fixture.publish(PushDraft().setting("apns-id", to: "123e4567-e89b-12d3-a456-42665544000a"))
            let client = try await EventClient("/api/v1/devices/\(Fixture.token)/connect", port: port)
            #expect(name(try await client.next()) == "connected")
            guard case .event("push", let first?, let stored?)? = try await client.next() else {
                Issue.record("the notification that was stored did not come")
                return
            }
            #expect(stored.text(["apns", "id"]) == "123e4567-e89b-12d3-a456-42665544000a")
            #expect(stored.text(["seq"]) == first)
            #expect(stored.text(["delivery", "state"]) == "delivered-from-storage")
            let known = try await HTTPClient.ask("/api/v1/pushes/seq:\(first)", port: port)
            #expect(JSONParser.value(of: Array(known.body.utf8)) == stored)

            fixture.publish(PushDraft())
            guard case .event("push", let second?, let push?)? = try await client.next() else {
                Issue.record("the notification did not come")
                return
            }
            #expect(UInt64(second) ?? 0 > UInt64(first) ?? .max)
            #expect(push.text(["delivery", "state"]) == "delivered")
        }
    }

    @Test func `a device with two clients stays online when one leaves`() async throws {
        try await withAlice { fixture, _, port in
            let clients = [
                try await EventClient("/api/v1/devices/@alice/connect", port: port),
                try await EventClient("/api/v1/devices/@alice/connect", port: port),
            ]
            for client in clients { #expect(name(try await client.next()) == "connected") }
            #expect(try alice(fixture).connectedClients == 2)
            await clients[0].leave(.reset)
            try await expect(fixture, port) { $0.connectedClients == 1 }
            #expect(try alice(fixture).isOnline)
            fixture.publish(PushDraft())
            #expect(name(try await clients[1].next()) == "push")
        }
    }

    @Test func `a client that does not read gets the number of pushes missed`() async throws {
        try await withAlice { fixture, _, port in
            let client = try await EventClient("/api/v1/devices/@alice/connect", port: port, readsLate: true)
            // More than the link, the connection and both sockets hold.
            for _ in 0..<15 { fixture.publish(Array(repeating: PushDraft(), count: 200)) }
            try fixture.server.world.devices.forget(.label("alice"))

            var (seen, missed, gaps) = (0, 0, 0)
            var last: EventClient.Block?
            var lastID: UInt64 = 0
            while let block = try await client.next() {
                last = block
                guard case .event(let name, let id, let data) = block else { continue }
                if name == "push" {
                    seen += 1
                    let seq = id.flatMap { UInt64($0) } ?? 0
                    #expect(seq > lastID)
                    lastID = seq
                }
                if name == "gap" {
                    gaps += 1
                    #expect(id == nil)
                    missed += data?.text(["missed"]).flatMap { Int($0) } ?? 0
                }
            }
            #expect(seen + missed == 3_000)
            #expect(gaps > 0)
            #expect(seen >= 1_000)
            #expect(last == .event("closed", id: nil, data: ["reason": "forgotten"]))
        }
    }

    @Test(arguments: ["DELETE /api/v1/devices/@alice", "POST /api/v1/reset"])
    func `removing a device disconnects its clients`(request: String) async throws {
        try await withAlice { _, _, port in
            let client = try await EventClient("/api/v1/devices/@alice/connect", port: port)
            #expect(name(try await client.next()) == "connected")
            let words = request.split(separator: " ").map(String.init)
            _ = try await HTTPClient.ask(words[1], port: port, method: words[0])
            #expect(try await client.next() == .event("closed", id: nil, data: ["reason": "forgotten"]))
            #expect(try await client.next() == nil)
        }
    }

    @Test func `a server that stops takes its devices offline`() async throws {
        try await withAlice { fixture, inspector, port in
            let client = try await EventClient("/api/v1/devices/@alice/connect", port: port)
            #expect(name(try await client.next()) == "connected")
            try await inspector.stop(grace: .seconds(3_600))
            #expect(try await client.next() == .event("closed", id: nil, data: ["reason": "shutdown"]))
            #expect(try !alice(fixture).isOnline)
        }
    }

    @Test func `HEAD does not connect as the device`() async throws {
        try await withAlice { fixture, _, port in
            fixture.publish(PushDraft())
            let target = "/api/v1/devices/@alice/connect"
            let answer = try await HTTPClient.ask(target, port: port, method: "HEAD")
            #expect(answer.status == 200)
            #expect(answer["content-type"] == "text/event-stream")
            #expect(answer.body.isEmpty)
            #expect(try !alice(fixture).isOnline)
            #expect(try alice(fixture).registrations[0].stored != nil)
        }
    }

    @Test(arguments: ["GET", "HEAD"]) func `connecting as an unknown device is refused`(method: String) async throws {
        try await withAlice { _, _, port in
            for (device, status) in [("@bob", 404), ("aabb", 404), ("alice", 400)] {
                let target = "/api/v1/devices/\(device)/connect"
                let answer = try await HTTPClient.ask(target, port: port, method: method)
                #expect(answer.status == status)
            }
        }
    }

    @Test func `missing arrivals are counted`() {
        var numbers = ArrivalNumbers()
        #expect([1, 2, 5, 6, 1_007].map { numbers.missed(before: $0) } == [0, 0, 2, 0, 1_000])
        var late = ArrivalNumbers()
        #expect(late.missed(before: 4) == 3)
    }
}

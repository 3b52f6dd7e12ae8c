import MockAPNs
import MockAPNsAPI
import MockAPNsFormats
import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsWorld

/// What happens, as a stream tells it, without a socket.
struct EventTests {
    private static let app = DeviceDraft.Registration(token: DeviceToken(hex: Fixture.token), topic: "com.example.app")

    /// Opens a stream.
    private func open(_ query: String = "", _ fixture: Fixture) async throws -> any EventSource {
        let answer = await fixture.get("/api/v1/events" + query)
        guard case .events(let source) = answer.body else {
            throw HTTPClient.Failure("no stream: \(answer.status) \(answer.text("detail") ?? "")")
        }
        #expect(answer.contentType == "text/event-stream")
        return source
    }

    /// The next events, at least so many, as `name id`.
    private func names(_ count: Int, from source: any EventSource) async -> [String] {
        var names: [String] = []
        while names.count < count, let events = await source.next()?.events {
            names += events.map { "\($0.name) \($0.id.map(String.init) ?? "-")" }
        }
        return names
    }

    // MARK: What is told

    @Test func `a push has events for its arrival, its answer and its delivery`() async throws {
        try await withFixture { fixture in
            let live = try await open("", fixture)
            fixture.publish(PushDraft())
            let expected = ["push.received 1", "push.responded 2", "device.changed 2", "push.delivered 3"]
            #expect(await names(4, from: live) == expected)
            let replay = try await open("?after=0", fixture)
            #expect(await names(4, from: replay) == expected)
            // What stands behind the number is told again.
            let rest = try await open("?after=2", fixture)
            #expect(await names(2, from: rest) == ["device.changed 2", "push.delivered 3"])
            for source in [live, replay, rest] { source.close() }
        }
    }

    @Test func `a stream of past events ends by itself`() async throws {
        try await withFixture { fixture in
            /// All events until the source ends; a push arrives before each page is read.
            func all(_ query: String) async throws -> [String] {
                let source = try await open(query, fixture)
                defer { source.close() }
                #expect(source.ending == "complete")
                var names: [String] = []
                while true {
                    fixture.publish(PushDraft())
                    guard let events = await source.next()?.events else { return names }
                    names += events.map { "\($0.name) \($0.id.map(String.init) ?? "-")" }
                }
            }
            #expect(try await all("?past=true") == [])
            let seq = fixture.journal.extent.lastSeq
            fixture.publish(Array(repeating: PushDraft(), count: 100))
            let named = try await all("?after=\(seq)&past=true&types=push.received")
            #expect(named.count >= 100 && named.first == "push.received \(seq + 1)")
            // The last event has no number of its own.
            _ = try fixture.server.world.devices.put([DeviceDraft(registrations: [Self.app])])
            let last = fixture.journal.extent.lastSeq
            #expect(try await all("?after=\(last)&past=true").first == "device.changed \(last)")
            // Nothing of what is asked for has happened.
            #expect(try await all("?after=0&past=true&types=channel.changed") == [])
        }
    }

    @Test func `streams that ask for the same share its bytes`() async throws {
        try await withFixture { fixture in
            fixture.publish(PushDraft(), PushDraft())
            func address(_ query: String) async throws -> UnsafeRawPointer? {
                let source = try await open(query, fixture)
                defer { source.close() }
                let batch = try #require(await source.next())
                return batch.buffer.withUnsafeReadableBytes { $0.baseAddress }
            }
            let first = try await open("?after=0", fixture)
            let batch = try #require(await first.next())
            #expect(Array(batch.buffer.readableBytesView) == batch.events.flatMap(\.bytes))
            let shared = batch.buffer.withUnsafeReadableBytes { $0.baseAddress }
            #expect(try await address("?after=0") == shared)
            for other in ["?after=1", "?after=0&fields=summary", "?after=0&types=push.*", "?after=0&q=type:alert"] {
                #expect(try await address(other) != shared, "\(other)")
            }
            // A stream that listened from the beginning continues where the others are.
            let live = try await open("", fixture)
            fixture.publish(PushDraft())
            let next = [await first.next(), await live.next()].map { batch in
                batch?.buffer.withUnsafeReadableBytes { $0.baseAddress }
            }
            #expect(next[0] == next[1])
            for source in [first, live] { source.close() }
        }
    }

    @Test func `pushes are sent in short form if that is asked for`() async throws {
        try await withFixture { fixture in
            fixture.publish(PushDraft())
            let source = try await open("?after=0&types=push.received&fields=summary", fixture)
            let events = try #require(await source.next()).events
            source.close()
            let page = await fixture.get("/api/v1/pushes?fields=summary").json
            #expect(JSONValue.array(events.map(\.data.read)) == page["pushes"])
            #expect(events.first?.data["outcome"] == "accepted")
        }
    }

    @Test func `the data of an event are those of the API`() async throws {
        try await withFixture { fixture in
            fixture.open(7)
            fixture.publish(PushDraft())
            let source = try await open("?after=0", fixture)
            var events: [ServerSentEvent] = []
            while events.count < 5, let next = await source.next() { events += next.events }
            source.close()
            #expect(events.map(\.name).first == "connection.opened")
            #expect(events[0].data["id"] == "c7")
            let push = await fixture.get("/api/v1/pushes/seq:1").json
            // As text: what is read has numbers of another kind.
            for position in [1, 2, 4] { #expect(events[position].data.read.text == push.text) }
            let devices = await fixture.get("/api/v1/devices").json
            #expect(events[3].data.read == devices["devices"].flatMap { JSONPointer("/0")?.value(in: $0) })
            let checker = SchemaCheck.strict
            #expect(checker.complaints(events[3].data.read, as: "Device") == [])
        }
    }

    @Test func `a stored notification has an event when it is delivered or discarded`() async throws {
        try await withFixture { fixture in
            _ = fixture.server.world.stopClock(at: Fixture.now)
            let devices = fixture.server.world.devices
            var draft = DeviceDraft(registrations: [Self.app])
            draft.label = "alice"
            draft.isOnline = false
            _ = try devices.add(draft)
            let source = try await open("?types=push.stored,push.discarded,push.delivered", fixture)
            fixture.publish(PushDraft())
            #expect(await names(1, from: source) == ["push.stored 3"])
            fixture.publish(PushDraft())
            #expect(await names(2, from: source) == ["push.discarded 6", "push.stored 7"])
            _ = try devices.change(.label("alice"), DeviceChange.online)
            #expect(await names(1, from: source) == ["push.delivered 8"])
            let replay = try await open("?types=push.*&after=7", fixture)
            #expect(await names(1, from: replay) == ["push.delivered 8"])
            for source in [source, replay] { source.close() }
        }
    }

    @Test func `devices, feedback, connections, the clock and resets have events`() async throws {
        try await withFixture { fixture in
            let source = try await open("", fixture)
            let checker = SchemaCheck.strict
            func expect(_ events: [(name: String, schema: String?)]) async {
                var seen: [ServerSentEvent] = []
                while seen.count < events.count, let next = await source.next() { seen += next.events }
                #expect(seen.map(\.name) == events.map(\.name))
                for (event, expected) in zip(seen, events) {
                    #expect(event.id != nil)
                    guard let schema = expected.schema else { continue }
                    #expect(checker.complaints(event.data.read, as: schema) == [], "\(event.name)")
                }
            }
            let connection = fixture.open(1)
            await expect([("connection.opened", "Connection")])
            fixture.journal.connectionClosed(connection, at: Fixture.now, code: "x", detail: "y")
            await expect([("connection.closed", "Connection")])
            let device = #"{"label":"alice","registrations":[{"token":"abcd","topic":"com.example.app"}]}"#
            _ = await fixture.send("POST", "/api/v1/devices", device)
            await expect([("device.changed", "Device")])
            _ = await fixture.send("PATCH", "/api/v1/devices/@alice", #"{"state":"offline"}"#)
            await expect([("device.changed", "Device")])
            _ = await fixture.send("PATCH", "/api/v1/registrations/abcd", #"{"appState":"foreground"}"#)
            await expect([("device.changed", "Device")])
            _ = await fixture.send("PATCH", "/api/v1/registrations/abcd", #"{"state":"uninstalled"}"#)
            await expect([("feedback.added", "Feedback"), ("device.changed", "Device")])
            let app = #"{"topic":"com.example.b","token":"ef"}"#
            _ = await fixture.send("POST", "/api/v1/devices/@alice/registrations", app)
            await expect([("device.changed", "Device")])
            _ = await fixture.send("POST", "/api/v1/registrations/ef/rotate", "{}")
            await expect([("feedback.added", "Feedback"), ("device.changed", "Device")])
            _ = await fixture.send("PUT", "/api/v1/clock", #"{"mode":"frozen","now":"2030-01-01T00:00:00Z"}"#)
            // Four years offline: the device is given up.
            await expect([("clock.changed", "Clock"), ("feedback.added", "Feedback"), ("device.changed", "Device")])
            _ = await fixture.send("DELETE", "/api/v1/devices/@alice")
            await expect([("device.changed", nil)])
            _ = await fixture.send("POST", "/api/v1/reset")
            await expect([("reset", nil)])
            fixture.publish(PushDraft())
            await expect([
                ("push.received", "Push"), ("push.responded", "Push"), ("device.changed", "Device"),
                ("push.delivered", "Push"),
            ])
            source.close()
        }
    }

    @Test func `notes, pins, apps and saved pushes have events`() async throws {
        try await withFixture { fixture in
            fixture.publish(PushDraft())
            let source = try await open("?fields=summary", fixture)
            func expect(_ name: String, _ data: JSONValue, _ member: String? = nil) async {
                guard let event = await source.next()?.events.first else { return }
                let seen = member.flatMap { event.data.read[$0] } ?? event.data.read
                #expect(event.name == name && event.id == 3 && seen == data)
            }
            _ = await fixture.send("PATCH", "/api/v1/pushes/seq:1", #"{"pinned":true}"#)
            await expect("push.changed", true, "pinned")
            _ = await fixture.send("PATCH", "/api/v1/pushes/seq:1", #"{"note":"late"}"#)
            await expect("push.changed", "psh_0000010000000001", "id")
            _ = await fixture.send("PUT", "/api/v1/apps/com.example.app", #"{"name":"Shop"}"#)
            await expect("app.changed", ["topic": "com.example.app", "name": "Shop", "icon": .null])
            _ = await fixture.send("DELETE", "/api/v1/apps/com.example.app")
            await expect("app.changed", ["topic": "com.example.app", "forgotten": true])
            _ = await fixture.send("PUT", "/api/v1/saved-pushes/A", "{}")
            await expect("saved-pushes.changed", ["count": 1])
            _ = await fixture.send("DELETE", "/api/v1/saved-pushes/A")
            await expect("saved-pushes.changed", ["count": 0])

            let pushes = try await open("?types=push.changed&after=0", fixture)
            #expect(await names(2, from: pushes) == ["push.changed 3", "push.changed 3"])
            let others = try await open("?types=push.*&q=is:rejected&after=0", fixture)
            fixture.publish(PushDraft().setting("apns-topic", to: nil))
            #expect(await names(2, from: others) == ["push.received 4", "push.responded 5"])
            _ = await fixture.send("DELETE", "/api/v1/pushes/seq:1")
            let rest = try await open("?types=push.changed,app.*&after=0", fixture)
            #expect(await names(2, from: rest) == ["app.changed 3", "app.changed 3"])
            for source in [source, pushes, others, rest] { source.close() }
        }
    }

    @Test func `a device has an event when a client connects as it or leaves`() async throws {
        try await withFixture { fixture in
            let devices = fixture.server.world.devices
            var draft = DeviceDraft()
            draft.label = "alice"
            draft.isOnline = false
            _ = try devices.add(draft)
            let source = try await open("?types=device.*", fixture)
            let link = try devices.connect(.label("alice")).link
            #expect(await names(1, from: source) == ["device.changed 0"])
            link.close()
            #expect(await names(1, from: source) == ["device.changed 0"])
            source.close()
        }
    }

    // MARK: What is chosen

    @Test func `events are selected by kind, group and search`() async throws {
        try await withFixture { fixture in
            fixture.publish(PushDraft(), PushDraft.background)
            fixture.publish(PushDraft().setting("apns-topic", to: nil))
            for (query, expected) in [
                ("types=push.received&after=0", ["push.received 1", "push.received 4", "push.received 7"]),
                (
                    "types=push.received,push.delivered&after=3",
                    ["push.received 4", "push.delivered 6", "push.received 7"]
                ), ("types=device.*&types=push.received&after=3", ["push.received 4", "push.received 7"]),
                ("types=push.*&q=is:rejected&after=0", ["push.received 7", "push.responded 8"]),
                (
                    "types=push.received&q=is:rejected&q=type:background&after=0",
                    ["push.received 4", "push.received 7"]
                ), ("q=type:background&after=3", ["push.received 4", "push.responded 5", "push.delivered 6"]),
            ] {
                let source = try await open("?" + query, fixture)
                let seen = await names(expected.count, from: source)
                #expect(seen == expected, "\(query)")
                source.close()
            }
        }
    }

    @Test(arguments: [
        ("types=push.recieved", "types", "push.received"), ("types=push.*,devices.*", "types", "device.*"),
        ("types=", "types", nil), ("type=push.*", "type", "types"), ("q=is:nonsense", "q", nil),
        ("after=x", "after", nil),
    ]) func `an invalid selection is refused`(query: String, place: String, suggestion: String?) async throws {
        try await withFixture { fixture in
            let answer = await fixture.get("/api/v1/events?" + query)
            #expect(answer.status == 400)
            #expect(answer.text("errors", "0", "path") == place)
            if let suggestion { #expect(answer.text("errors", "0", "suggestion") == suggestion) }
        }
    }

    @Test func `Last-Event-ID takes precedence over the address`() async throws {
        try await withFixture { fixture in
            fixture.publish(PushDraft(), PushDraft())
            var request = APIRequest(target: "/api/v1/events?types=push.*&after=0")
            request.set("Host", "localhost")
            request.set("Last-Event-ID", "4")
            let answer = await fixture.api.answer(request)
            guard case .events(let source) = answer.body else { throw HTTPClient.Failure("no stream") }
            #expect(await names(2, from: source) == ["push.responded 5", "push.delivered 6"])
            source.close()
            request.set("Last-Event-ID", "four")
            #expect(await fixture.api.answer(request).text("errors", "0", "path") == "Last-Event-ID")
        }
    }

    // MARK: What is not kept

    @Test func `events that the journal has dropped are one gap`() async throws {
        try await withFixture(configure: { $0.journal.records = 2 }) { fixture in
            let late = try await open("?types=push.*", fixture)
            for _ in 0..<4 { fixture.publish(PushDraft()) }
            let middle = try await open("?types=push.*&after=4", fixture)
            for (source, from) in [(late, 1), (middle, 5)] {
                let events = await source.next()?.events ?? []
                #expect(events.map { $0.id ?? 0 } == [0, 7, 8, 9, 10, 11, 12])
                #expect(events.first?.name == "gap")
                #expect(events.first?.data == ["from": JSONValue(from), "to": 6])
            }
            fixture.publish(PushDraft())
            for source in [late, middle] {
                #expect(await names(3, from: source).first == "push.received 13")
                source.close()
            }
            let known = try await open("?types=push.*&after=12", fixture)
            #expect(await names(3, from: known).first == "push.received 13")
            known.close()
        }
    }

    @Test func `events removed by a reset are a gap for a stream that had not read them`() async throws {
        try await withFixture { fixture in
            fixture.publish(PushDraft())
            let behind = try await open("?after=1&types=reset,push.*", fixture)
            let upToDate = try await open("?types=reset", fixture)
            _ = await fixture.send("POST", "/api/v1/reset")
            #expect(await names(2, from: behind) == ["gap -", "reset 3"])
            #expect(await names(1, from: upToDate) == ["reset 3"])
            for source in [behind, upToDate] { source.close() }
        }
    }

    // MARK: Nobody listens

    @Test func `streams share one listener, which ends with the last of them`() async throws {
        try await withFixture { fixture in
            let watch = fixture.api.subject.pushes.watch
            #expect(watch.listeners == 0)
            let sources = [try await open("", fixture), try await open("", fixture)]
            #expect(watch.listeners == 2)
            fixture.publish(PushDraft())
            for source in sources { #expect(await names(1, from: source).first == "push.received 1") }
            for source in sources { source.close() }
            #expect(watch.listeners == 0)
        }
    }

    @Test func `a cancelled stream has no more events`() async throws {
        try await withFixture { fixture in
            let source = try await open("", fixture)
            let task = Task { await source.next() == nil }
            task.cancel()
            #expect(await task.value)
            source.close()
        }
    }
}

extension PushDraft {
    fileprivate static var background: PushDraft {
        PushDraft().setting("apns-push-type", to: "background").setting("apns-priority", to: "5")
    }
}

extension DeviceChange {
    fileprivate static var online: DeviceChange {
        var change = DeviceChange()
        change.isOnline = true
        return change
    }
}

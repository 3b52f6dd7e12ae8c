import Foundation
import MockAPNsAPI
import MockAPNsFormats
import MockAPNsRules
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsInspector

@Suite struct ActivityRoutesTests {
    private static let topic = "com.example.app.push-type.liveactivity"
    private static let volatile = ["device", "token", "push", "lastPush"]
    /// The clock of a fixture, in UNIX seconds.
    private static let now = PushDraft.now.microseconds / 1_000_000

    private static func token(_ number: Int) -> String { String(repeating: "0", count: 60) + "\(1_000 + number)" }

    /// Adds a device called alice, whose app has the push-to-start token number 1.
    private func addAlice(_ fixture: Fixture, os: String? = nil, state: String = "online") async {
        let os = os.map { #","os":"\#($0)""# } ?? ""
        let body =
            #"{"label":"alice","state":"\#(state)"\#(os),"registrations":[{"topic":"\#(Self.topic)","token":"\#(Self.token(1))"}]}"#
        #expect(await fixture.send("POST", "/api/v1/devices", body).status == 201)
    }

    /// Sends a push to a Live Activity; returns the response of the API.
    @discardableResult private func push(
        _ fixture: Fixture, to token: String, _ event: String, at timestamp: Int64 = now, _ more: String = ""
    ) async -> APIResponse {
        let aps = #"{"event":"\#(event)","timestamp":\#(timestamp),"content-state":{"minutes":5}\#(more)}"#
        let body = #"{"token":"\#(token)","pushType":"liveactivity","payload":{"aps":\#(aps)}}"#
        return await fixture.send("POST", "/api/v1/pushes/send", body)
    }

    private static let start =
        #","attributes-type":"Ride","attributes":{"ride":1},"input-push-token":1,"alert":{"title":"a","body":"b"}"#

    @Test func `a push starts a Live Activity, which is shown with the push that it ignores`() async throws {
        try await withFixture { fixture in
            _ = fixture.server.world.stopClock(at: PushDraft.now)
            await addAlice(fixture)
            #expect(await fixture.get("/api/v1/devices/@alice/activities").text("activities") == "[]")
            let started = await push(fixture, to: Self.token(1), "start", Self.start)
            #expect(started.text("push", "delivery", "activity") == "act_1")
            #expect(started.text("push", "delivery", "ignored") == "null")
            let path = "/api/v1/devices/@alice/activities/act_1"
            let token = try #require(await fixture.get(path).text("token"))
            let ignored = await push(fixture, to: token, "update", at: Self.now - 60)
            #expect(ignored.text("push", "verdict", "status") == "200")
            #expect(ignored.text("push", "delivery", "ignored", "code") == "stale-timestamp")
            let summary = ignored.text("push", "delivery", "reaction", "summary") ?? ""
            #expect(summary.hasSuffix(ActivityRefusal.timestampStale.text), "\(summary)")
            try Golden.expect(await fixture.get(path), is: "activity", volatile: Self.volatile)
            try Golden.expect(
                await fixture.get("/api/v1/devices/@alice/activities"), is: "activities", volatile: ["activities"])
            #expect(await fixture.get("/api/v1/devices/@alice").text("activities") == "1")

            for (query, count) in [
                ("is:ignored", "1"), ("ignored:stale-timestamp", "1"), ("ignored:missing-alert", "0"),
                ("activity:act_1", "2"), ("!is:ignored", "1"),
            ] {
                let escaped = query.replacing("!", with: "%21").replacing(":", with: "%3A")
                #expect(await fixture.get("/api/v1/pushes?q=\(escaped)").text("matched") == count, "\(query)")
            }
            let list = await fixture.get("/api/v1/pushes?fields=summary&q=is:ignored")
            #expect(list.text("pushes", "0", "ignored") == "stale-timestamp")
            let preview = await fixture.get("/api/v1/pushes/\(ignored.text("push", "id") ?? "")/preview")
            #expect(preview.text("headline") == "No Live Activity changes")
            #expect(preview.text("isShown") == "false")
            #expect(preview.text("summary")?.hasSuffix(ActivityRefusal.timestampStale.text) == true)
        }
    }

    @Test func `a failed verification names the push that the device ignored`() async throws {
        try await withFixture { fixture in
            _ = fixture.server.world.stopClock(at: PushDraft.now)
            await addAlice(fixture)
            await push(fixture, to: Self.token(1), "update")
            let match = #"{"match":{"pushType":"liveactivity","ignored":{"absent":true}}}"#
            let answer = await fixture.send("POST", "/api/v1/pushes/verify", match)
            #expect(answer.status == 409)
            let hints = answer.text("hints") ?? ""
            #expect(hints.contains("(push-to-start-token): \(ActivityRefusal.pushToStartToken.text)"), "\(hints)")
            let passes = #"{"match":{"ignored":"push-to-start-token"},"count":1}"#
            #expect(await fixture.send("POST", "/api/v1/pushes/verify", passes).status == 200)
            let unknown = #"{"match":{"ignored":"push-to-start"}}"#
            #expect(await fixture.send("POST", "/api/v1/pushes/verify", unknown).status == 400)
        }
    }

    @Test func `the app starts one itself; it is rotated and dismissed`() async throws {
        try await withFixture { fixture in
            _ = fixture.server.world.stopClock(at: PushDraft.now)
            await addAlice(fixture)
            let path = "/api/v1/devices/@alice/activities"
            let draft =
                #"{"topic":"com.example.app","attributesType":"Ride","attributes":{"ride":1},"staleAt":"2026-01-05T11:00:00Z"}"#
            let made = await fixture.send("POST", path, draft)
            #expect(made.status == 201 && made.text("startedBy") == "app" && made.text("state") == "active")
            #expect(made[header: "Location"] == "/api/v1/devices/\(made.text("device") ?? "")/activities/act_1")
            let first = try #require(made.text("token"))
            let rotated = await fixture.send("POST", path + "/act_1/rotate")
            let second = try #require(rotated.text("token"))
            #expect(rotated.status == 200 && second != first)
            #expect(await push(fixture, to: first, "update").text("push", "verdict", "reason") == "ExpiredToken")
            #expect(await push(fixture, to: second, "update").text("push", "delivery", "activity") == "act_1")
            let dismissed = await fixture.send("POST", path + "/act_1/dismiss")
            #expect(dismissed.text("state") == "dismissed")
            #expect(await push(fixture, to: second, "update").text("push", "verdict", "reason") == "ExpiredToken")
            #expect(
                await fixture.send("POST", path + "/act_1/rotate").text("type")
                    == "urn:mock-apns:problem:unusable-value")
            #expect(await fixture.send("POST", path + "/act_1/dismiss").status == 200)
        }
    }

    @Test(arguments: [
        ("POST", "@alice/activities", #"{"topic":"com.example.app"}"#, 400, "bad-body"),
        ("POST", "@alice/activities", #"{"topic":"com.example.b","attributesType":"R"}"#, 422, "unusable-value"),
        (
            "POST", "@alice/activities", #"{"topic":"com.example.app","attributesType":"R","contentState":[]}"#, 400,
            "bad-body"
        ),
        (
            "POST", "@alice/activities",
            #"{"topic":"com.example.app","attributesType":"R","channel":"ASNFZ4mrze/+3LqYdlQyEA=="}"#, 404,
            "unknown-channel"
        ), ("POST", "@bob/activities", #"{"topic":"com.example.app","attributesType":"R"}"#, 404, "unknown-device"),
        ("GET", "@bob/activities", "", 404, "unknown-device"), ("GET", "@alice/activities/1", "", 400, "bad-path"),
        ("GET", "@alice/activities/act_01", "", 400, "bad-path"),
        ("GET", "@alice/activities/act_7", "", 404, "unknown-activity"),
        ("POST", "@alice/activities/act_7/dismiss", "", 404, "unknown-activity"),
        ("POST", "@alice/activities/act_7/rotate", "", 404, "unknown-activity"),
    ]) func `a mistake has a problem`(
        _ method: String, _ path: String, _ body: String, _ status: Int, _ code: String
    ) async throws {
        try await withFixture { fixture in
            await addAlice(fixture)
            let answer = await fixture.send(method, "/api/v1/devices/\(path)", body)
            #expect(
                answer.status == status && answer.text("type") == "urn:mock-apns:problem:\(code)",
                "\(answer.text("detail") ?? "")")
        }
    }

    @Test func `a sixth one of an app is too many, and an activity is found on its device only`() async throws {
        try await withFixture { fixture in
            await addAlice(fixture)
            let draft = #"{"topic":"com.example.app","attributesType":"R"}"#
            for _ in 0..<Activity.mostPerApp {
                #expect(await fixture.send("POST", "/api/v1/devices/@alice/activities", draft).status == 201)
            }
            let refused = await fixture.send("POST", "/api/v1/devices/@alice/activities", draft)
            #expect(refused.status == 422 && refused.text("type")?.hasSuffix(":too-many-activities") == true)
            #expect(refused.text("detail")?.hasSuffix("which is the most; end or dismiss one first.") == true)
            #expect(await fixture.send("POST", "/api/v1/devices", #"{"label":"bob"}"#).status == 201)
            #expect(
                await fixture.get("/api/v1/devices/@bob/activities/act_1").text("type")
                    == "urn:mock-apns:problem:unknown-activity")
        }
    }

    @Test func `a device has a system, and an unknown version is named`() async throws {
        try await withFixture { fixture in
            await addAlice(fixture, os: "17.1")
            #expect(await fixture.get("/api/v1/devices/@alice").text("os") == "17.1")
            await push(fixture, to: Self.token(1), "start", Self.start)
            #expect(
                await fixture.get("/api/v1/pushes/latest").text("delivery", "ignored", "code") == "os-without-start")
            let changed = await fixture.send("PATCH", "/api/v1/devices/@alice", #"{"os":"26"}"#)
            #expect(changed.text("device", "os") == "26.0")
            let put = await fixture.send("PUT", "/api/v1/devices", #"[{"label":"alice","os":"18.1"},{"label":"bob"}]"#)
            #expect(put.status == 200)
            #expect(await fixture.get("/api/v1/devices/@alice").text("os") == "18.1")
            #expect(await fixture.get("/api/v1/devices/@bob").text("os") == DeviceOS.newest.description)
            for os in ["19.0", "17.4.1", "", "iOS 17"] {
                let refused = await fixture.send("PATCH", "/api/v1/devices/@alice", #"{"os":"\#(os)"}"#)
                #expect(refused.status == 400, "\(os)")
                #expect(refused.text("detail")?.contains(DeviceOS.expected) == true)
            }
        }
    }

    @Test func `events tell the life of an activity, and what the clock did is in the response`() async throws {
        try await withFixture { fixture in
            let world = fixture.server.world
            _ = world.stopClock(at: PushDraft.now)
            await addAlice(fixture)
            let types = Set(EventType.allCases.filter { $0.rawValue.hasPrefix("activity.") })
            let feed = EventFeed(.init(types: types), after: nil, in: fixture.subject)
            defer { feed.close() }
            await push(fixture, to: Self.token(1), "start", Self.start + #","stale-date":\#(Self.now + 60)"#)
            let token = try #require(await fixture.get("/api/v1/devices/@alice/activities/act_1").text("token"))
            let advanced = await fixture.send("POST", "/api/v1/clock/advance", #"{"by":"2m"}"#)
            #expect(advanced.text("activities", "0", "event") == "stale" && advanced.text("activityCount") == "1")
            await push(fixture, to: token, "update", at: Self.now + 120)
            #expect(await fixture.send("POST", "/api/v1/devices/@alice/activities/act_1/rotate").status == 200)
            #expect(await fixture.send("POST", "/api/v1/devices/@alice/activities/act_1/dismiss").status == 200)
            var seen: [String] = []
            while seen.count < 6, let batch = await feed.next() {
                for event in batch.events {
                    seen.append("\(event.name) \(event.data["reason"]?.string ?? "")")
                    #expect(event.data["activity"]?["id"] == "act_1" && event.data["label"] == "alice")
                }
            }
            #expect(
                seen == [
                    "activity.started push", "activity.stale stale-date", "activity.updated push",
                    "activity.token rotation", "activity.ended user", "activity.dismissed user",
                ])
        }
    }

    @Test func `a client that is connected as the device gets them after their push`() async throws {
        try await withFixture { fixture in
            _ = fixture.server.world.stopClock(at: PushDraft.now)
            await addAlice(fixture)
            let (device, link) = try fixture.server.world.devices.connect(.label("alice"))
            let events = DeviceEvents(link, of: device, .full, in: fixture.subject)
            defer { events.close() }
            await push(fixture, to: Self.token(1), "start", Self.start)
            var shown: [ServerSentEvent] = []
            while shown.count < 2, let batch = await events.next() { shown += batch.events }
            let (first, second) = (try #require(shown.first), try #require(shown.last))
            #expect(first.name == "push" && first.data.read["delivery"]?["activity"] == "act_1")
            #expect(second.name == "activity.started" && second.data.read["activity"]?["state"] == "active")
        }
    }

    @Test func `a channel shows the activities that follow it, and a broadcast what they did`() async throws {
        try await withFixture { fixture in
            let world = fixture.server.world
            _ = world.stopClock(at: PushDraft.now)
            await addAlice(fixture)
            let app = ChannelApp(bundleID: "com.example.app", environment: .sandbox)
            let channel = try #require(world.channels.add(app, .newest)).id
            let path = "/api/v1/channels/\(ChannelIDText.part(channel))"
            #expect(await fixture.get(path).text("activities") == "[]")
            let draft = #"{"topic":"com.example.app","attributesType":"Ride","channel":"\#(channel.text)"}"#
            let made = await fixture.send("POST", "/api/v1/devices/@alice/activities", draft)
            #expect(made.status == 201 && made.text("token") == "null" && made.text("channel") == channel.text)
            #expect(await fixture.get(path).text("activities", "0", "id") == "act_1")
        }
    }

    @Test func `the documentation has every reason why a device ignores a push`() throws {
        for refusal in ActivityRefusal.allCases {
            #expect(Self.document.contains("| `\(refusal.code)` | \(refusal.text) |"), "\(refusal)")
        }
    }

    private static var document: String {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../docs/live-activities.md")
        return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }

    @Test func `the app's start is checked by the app's schema`() async throws {
        try await withFixture { fixture in
            await addAlice(fixture)
            let schema = #"{"properties":{"minutes":{"type":"integer"}}}"#
            let path = "/api/v1/apps/com.example.app/schemas/content-state%3AR"
            #expect(await fixture.send("PUT", path, schema).status == 201)
            func start(_ minutes: String, type: String = "R") async -> APIResponse {
                let state = #""contentState":{"minutes":\#(minutes)}"#
                let body = #"{"topic":"com.example.app","attributesType":"\#(type)",\#(state)}"#
                return await fixture.send("POST", "/api/v1/devices/@alice/activities", body)
            }
            let refused = await start(#""soon""#)
            #expect(refused.status == 422)
            #expect(refused.text("type") == "urn:mock-apns:problem:unusable-value")
            #expect(refused.text("detail")?.contains("schema") == true)
            #expect(await start(#""soon""#, type: "Other").status == 201)
            #expect(await start("5").status == 201)
            #expect(await fixture.get("/api/v1/devices/@alice/activities").json["activities"].entries.count == 2)
        }
    }
}

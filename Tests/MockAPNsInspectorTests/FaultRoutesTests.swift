import MockAPNs
import MockAPNsFormats
import MockAPNsRules
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsAPI
@testable import MockAPNsInspector

struct FaultRoutesTests {
    private static let path = "/api/v1/faults"
    private static let whole = """
        {"name":"two 503 then fine","enabled":true,
         "match":{"topic":"com.example.app","payload":{"at":"/aps/alert/title","equals":"Hi"},
                  "connection":{"remote":"127.0.0.1","environment":"sandbox"}},
         "when":{"skip":1,"times":2,"every":3,"probability":0.25,"from":"2030-01-01T00:00:00Z",
                 "until":"2030-01-02T00:00:00Z","afterIdle":"90s","afterRequests":4},
         "do":{"respond":{"status":503,"headers":{"Retry-After":"2"}}}}
        """

    private func id(_ answer: APIResponse) -> String { answer.text("id") ?? "" }

    private func ids(_ fixture: Fixture) async -> [String?] {
        guard case .array(let faults)? = await fixture.get(Self.path).json["faults"] else { return [] }
        return faults.map { $0.text(["id"]) }
    }

    private func add(_ fixture: Fixture, _ body: String = #"{"do":{"lose":true}}"#) async -> APIResponse {
        await fixture.send("POST", Self.path, body)
    }

    // MARK: Shapes

    @Test func `a fault has its shape`() async throws {
        try await withFixture { fixture in
            let answer = await add(fixture, Self.whole)
            #expect(answer.status == 201 && answer[header: "Location"] == "/api/v1/faults/flt_1")
            try Golden.expect(answer, is: "fault")
            try Golden.expect(await fixture.get(Self.path), is: "faults")
            #expect(await fixture.get("\(Self.path)/flt_1").bytes == answer.bytes)
        }
    }

    @Test func `presets are listed`() async throws {
        try await withFixture { fixture in
            try Golden.expect(await fixture.get("\(Self.path)/presets"), is: "fault-presets")
        }
    }

    /// Every action, as it is sent and as it comes back.
    static let actions: [(sent: String, shown: String)] = [
        (#"{"respond":{"status":429}}"#, #"{"respond":{"reason":"TooManyRequests","status":429}}"#),
        (
            #"{"respond":{"reason":"ExpiredToken","body":"huge"}}"#,
            #"{"respond":{"body":"huge","reason":"ExpiredToken","status":410}}"#
        ), (#"{"respond":{"status":502}}"#, #"{"respond":{"status":502}}"#),
        (
            #"{"delay":{"for":"60s","jitter":"1500ms","distribution":"normal"}}"#,
            #"{"delay":{"distribution":"normal","for":"1m","jitter":"1500ms"}}"#
        ), (#"{"stream":{"reset":"ENHANCE_YOUR_CALM"}}"#, #"{"stream":{"reset":"ENHANCE_YOUR_CALM"}}"#),
        (#"{"goaway":{}}"#, #"{"goaway":{"close":"drain","code":"NO_ERROR","debug":"","lastStream":"answered"}}"#),
        (
            #"{"goaway":{"code":"CANCEL","lastStream":"max","debug":"x","close":"never","then":"refuse","respond":{"reason":"Shutdown"}}}"#,
            #"{"goaway":{"close":"never","code":"CANCEL","debug":"x","lastStream":"max","respond":{"reason":"Shutdown","status":503},"then":"refuse"}}"#
        ), (#"{"connection":"blackhole"}"#, #"{"connection":"blackhole"}"#),
        (
            #"{"settings":{"maxConcurrentStreams":0,"initialWindow":9,"delay":"2s","replaceWithGoaway":{"close":"now"}}}"#,
            #"{"settings":{"delay":"2s","initialWindow":9,"maxConcurrentStreams":0,"replaceWithGoaway":{"close":"now","code":"NO_ERROR","debug":"","lastStream":"answered"}}}"#
        ), (#"{"handshake":"refuse"}"#, #"{"handshake":"refuse"}"#),
        (#"{"handshake":"delay:120s"}"#, #"{"handshake":"delay:2m"}"#),
        (#"{"handshake":"expired-cert"}"#, #"{"handshake":"expired-cert"}"#),
        (#"{"handshake":"wrong-host"}"#, #"{"handshake":"wrong-host"}"#),
        (#"{"handshake":"no-alpn"}"#, #"{"handshake":"no-alpn"}"#),
        (#"{"handshake":"alert:40"}"#, #"{"handshake":"alert:40"}"#),
        (#"{"body":"truncated"}"#, #"{"body":"truncated"}"#), (#"{"lose":true}"#, #"{"lose":true}"#),
        (#"{"duplicate":true}"#, #"{"duplicate":true}"#),
        (#"{"slow":{"bytesPerSecond":100}}"#, #"{"slow":{"bytesPerSecond":100}}"#),
    ]

    @Test func `every action can be sent, and is shown as it was sent`() async throws {
        try await withFixture { fixture in
            for (sent, shown) in Self.actions {
                let answer = await add(fixture, #"{"do":\#(sent)}"#)
                #expect(answer.status == 201, "\(sent) \(answer.text("detail") ?? "")")
                #expect(answer.text("do") == shown)
                // What is shown describes the same fault.
                let parts = ["name", "enabled", "match", "when", "do"].map { name in (name, answer.json[name] ?? .null)
                }
                let body = JSONValue.object(Dictionary(parts) { first, _ in first }).text
                let again = await fixture.send(
                    "PUT", "\(Self.path)/\(id(answer))", String(decoding: body, as: UTF8.self))
                #expect(again.status == 200 && again.bytes == answer.bytes, "\(sent)")
            }
            #expect(
                Set(
                    Self.actions.compactMap { JSONParser.value(of: Array($0.sent.utf8)) }.flatMap {
                        action -> [String] in if case .object(let members) = action { Array(members.keys) } else { [] }
                    }) == Set(FaultAction.names))
        }
    }

    // MARK: Changes

    @Test func `null is a missing member in a new fault, and clears it in a change`() async throws {
        try await withFixture { fixture in
            let body = """
                {"name":null,"enabled":null,"match":{"connection":{"id":null,"remote":"127.0.0.1"}},
                 "when":{"times":null},"do":{"respond":{"status":null,"reason":"Shutdown"}}}
                """
            let made = await fixture.send("POST", Self.path, body)
            #expect(made.status == 201 && made.text("do", "respond", "status") == "503")
            #expect(made.json["match"] == ["connection": ["remote": ["127.0.0.1"]]])
            for part in [#""do":null"#, #""do":{"lose":null}"#, #""when":{"times":null}"#] {
                #expect(await fixture.send("PATCH", "\(Self.path)/flt_1", "{\(part)}").status == 400, "\(part)")
            }
        }
    }

    @Test func `faults are changed, moved and removed`() async throws {
        try await withFixture { fixture in
            for _ in 0..<3 { #expect(await add(fixture).status == 201) }
            let changed = await fixture.send(
                "PATCH", "\(Self.path)/flt_2",
                #"{"enabled":false,"name":"b","when":{"times":1},"match":{"topic":"t"},"do":{"duplicate":true}}"#)
            #expect(changed.status == 200 && changed.text("enabled") == "false" && changed.text("name") == "b")
            #expect(changed.text("when", "times") == "1" && changed.text("match", "topic") == "t")
            #expect(changed.text("do", "duplicate") == "true")
            // What is not named stays.
            let again = await fixture.send("PATCH", "\(Self.path)/flt_2", #"{"enabled":true}"#)
            #expect(again.text("match", "topic") == "t" && again.text("when", "times") == "1")

            let order = #"{"order":["flt_3","flt_1","flt_2"]}"#
            let moved = await fixture.send("PUT", "\(Self.path)/order", order)
            #expect(moved.status == 200 && moved.text("faults", "0", "position") == "1")
            #expect(await ids(fixture) == ["flt_3", "flt_1", "flt_2"])
            #expect(await fixture.send("DELETE", "\(Self.path)/flt_1").status == 204)
            #expect(await fixture.get("\(Self.path)/flt_1").status == 404)
            #expect(await ids(fixture) == ["flt_3", "flt_2"])
        }
    }

    @Test func `faults are removed by name, by preset, or all`() async throws {
        try await withFixture { fixture in
            func fill() async {
                _ = await fixture.send("DELETE", "\(Self.path)?all=true")
                for name in ["a", "a", "b"] { _ = await add(fixture, #"{"name":"\#(name)","do":{"lose":true}}"#) }
                _ = await fixture.send("POST", "\(Self.path)/presets/slow-1s", #"{"name":"a"}"#)
            }
            for (query, deleted) in [
                ("name=a", "3"), ("name=a&name=b", "4"), ("preset=slow-1s", "1"), ("name=b&preset=slow-1s", "0"),
                ("name=c", "0"), ("all=true", "4"),
            ] {
                await fill()
                let answer = await fixture.send("DELETE", "\(Self.path)?\(query)")
                #expect(answer.status == 200 && answer.text("deleted") == deleted, "\(query)")
            }
            await fill()
            for query in ["", "?all=false", "?name=", "?preset=slow", "?nme=a"] {
                #expect(await fixture.send("DELETE", "\(Self.path)\(query)").status == 400, "\(query)")
            }
            #expect(await ids(fixture).count == 4)
        }
    }

    @Test func `presets take parameters`() async throws {
        try await withFixture { fixture in
            let body = """
                {"name":"n","enabled":false,"idle":"5s","times":2,"skip":1,"probability":0.5,
                 "match":{"connection":{"remote":["127.0.0.1"]}}}
                """
            let answer = await fixture.send("POST", "\(Self.path)/presets/idle-rst", body)
            #expect(answer.status == 201 && answer.text("preset") == "idle-rst")
            #expect(answer.text("when", "afterIdle") == "5s" && answer.text("when", "times") == "2")
            #expect(answer.text("match", "connection", "remote", "0") == "127.0.0.1")
            for preset in FaultPreset.all {
                let answer = await fixture.send("POST", "\(Self.path)/presets/\(preset.name)")
                #expect(answer.status == 201, "\(preset.name)")
            }
            let unknown = await fixture.send("POST", "\(Self.path)/presets/slow")
            #expect(unknown.status == 404 && unknown.text("errors", "0", "suggestion") == "slow-1s")
        }
    }

    // MARK: What pushes show

    @Test func `a dry run counts the pushes that would match`() async throws {
        try await withFixture { fixture in
            fixture.open(7)
            fixture.publish((0..<6).map { PushDraft().setting("apns-topic", to: $0 < 4 ? "a" : "b") })
            func rehearse(_ body: String) async -> APIResponse {
                await fixture.send("POST", "\(Self.path)/dry-run", body)
            }
            try Golden.expect(await rehearse(#"{"match":{"topic":"a"},"when":{"skip":1}}"#), is: "fault-dry-run")
            for (body, matched, hits) in [
                ("{}", "6", "6"), (#"{"match":{"topic":"b"}}"#, "2", "2"),
                (#"{"match":{"topic":"a"},"when":{"every":2}}"#, "4", "2"), (#"{"when":{"probability":0}}"#, "6", "0"),
                (#"{"match":{"connection":{"id":"c8"}}}"#, "0", "0"),
                (#"{"match":{"connection":{"id":["c7"]}}}"#, "6", "6"), (#"{"match":{"connection":"c7"}}"#, "6", "6"),
                (#"{"when":{"afterRequests":8}}"#, "6", "0"),
            ] {
                let answer = await rehearse(body)
                #expect(answer.text("matched") == matched && answer.text("hits") == hits, "\(body)")
            }
            #expect(await ids(fixture).isEmpty)
        }
    }

    @Test func `a push is shown with the fault that applied to it`() async throws {
        try await withFixture { fixture in
            _ = await add(fixture, #"{"do":{"respond":{"status":503}}}"#)
            var draft = PushDraft()
            draft.fault = (FaultMark(FaultID(number: 1), .decides), .serviceUnavailable)
            fixture.publish(draft)
            let push = await fixture.get("/api/v1/pushes/seq:1")
            try Golden.expect(push, is: "push-faulted", volatile: ["deletedAt"])
            #expect(push.text("faults", "0") == "flt_1" && push.text("verdict", "decidedBy") == "fault:flt_1")
            #expect(push.text("verdict", "checks", "0", "ok") == "true" && push.text("verdict", "check") == "null")
            #expect(await fixture.get("\(Self.path)/flt_1").text("stats", "firedFor", "0") == push.text("id"))
        }
    }

    @Test func `a reset brings the faults of the start back`() async throws {
        let preset = try FaultArgument.draft("unregistered:times=1,topic=com.a")
        try await withFixture(configure: { $0.faults = [preset] }) { fixture in
            #expect(await fixture.get("\(Self.path)/flt_1").text("match", "topic") == "com.a")
            _ = await add(fixture)
            let answer = await fixture.send("POST", "/api/v1/reset", #"{"only":["faults"]}"#)
            #expect(answer.text("cleared", "faults") == "2" && answer.text("cleared", "pushes") == "0")
            #expect(await ids(fixture) == ["flt_1"])
        }
    }

    // MARK: Mistakes

    static let mistakes: [(body: String, status: Int, pointer: String, suggestion: String?)] = [
        ("{", 400, "", nil), ("{}", 400, "/do", nil), (#"{"do":{}}"#, 422, "/do", nil),
        (#"{"do":null}"#, 400, "/do", nil), (#"{"do":{"respond":null}}"#, 400, "/do/respond", nil),
        (#"{"do":{"respond":{"status":null,"reason":null}}}"#, 400, "/do/respond/status", nil),
        (#"{"do":{"lose":true,"duplicate":true}}"#, 422, "/do", nil),
        (#"{"do":{"lose":true,"duplicate":null}}"#, 422, "/do", nil),
        (#"{"do":{"lsoe":true}}"#, 400, "/do/lsoe", "lose"), (#"{"do":{"lose":false}}"#, 400, "/do/lose", nil),
        (#"{"do":"lose"}"#, 400, "/do", nil), (#"{"doo":{"lose":true},"do":{"lose":true}}"#, 400, "/doo", "do"),
        (#"{"do":{"respond":{}}}"#, 400, "/do/respond/status", nil),
        (#"{"do":{"respond":{"status":99}}}"#, 400, "/do/respond/status", nil),
        (#"{"do":{"respond":{"reason":"Unregisterd"}}}"#, 400, "/do/respond/reason", "Unregistered"),
        (#"{"do":{"respond":{"status":503,"headers":{"a b":"c"}}}}"#, 422, "/do/respond/headers", nil),
        (#"{"do":{"respond":{"status":503,"headers":["a"]}}}"#, 400, "/do/respond/headers", nil),
        (#"{"do":{"stream":{}}}"#, 400, "/do/stream/reset", nil),
        (#"{"do":{"stream":{"reset":"REFUSE_STREAM"}}}"#, 400, "/do/stream/reset", "REFUSED_STREAM"),
        (#"{"do":{"delay":{"for":"soon"}}}"#, 400, "/do/delay/for", nil),
        (#"{"do":{"delay":{"for":"2h"}}}"#, 422, "/do/delay/for", nil),
        (#"{"do":{"connection":"reset"}}"#, 400, "/do/connection", nil),
        (#"{"do":{"goaway":{"close":"nevr"}}}"#, 400, "/do/goaway/close", "never"),
        (#"{"do":{"handshake":"alert:256"}}"#, 400, "/do/handshake", "alert:40"),
        (#"{"do":{"handshake":"no-apln"}}"#, 400, "/do/handshake", "no-alpn"),
        (#"{"do":{"slow":{"bytesPerSecond":0}}}"#, 400, "/do/slow/bytesPerSecond", nil),
        (#"{"do":{"lose":true},"when":{"tmes":1}}"#, 400, "/when/tmes", "times"),
        (#"{"do":{"lose":true},"when":{"times":0}}"#, 400, "/when/times", nil),
        (#"{"do":{"lose":true},"when":{"probability":2}}"#, 400, "/when/probability", nil),
        (#"{"do":{"lose":true},"match":{"topc":"a"}}"#, 400, "/match/topc", "topic"),
        // What is known only after the answer.
        (#"{"do":{"lose":true},"match":{"delivery":"delivered"}}"#, 400, "/match/delivery", nil),
        (#"{"do":{"lose":true},"match":{"lint":"same-push-twice"}}"#, 400, "/match/lint", nil),
        (#"{"do":{"lose":true},"match":{"lint":{"in":["sound-shape","apns-id-reused"]}}}"#, 400, "/match/lint", nil),
        (#"{"do":{"lose":true},"match":{"q":"topic:a !is:verified"}}"#, 400, "/match/q", nil),
        (#"{"do":{"lose":true},"match":{"q":"is:stored"}}"#, 400, "/match/q", nil),
        (#"{"do":{"lose":true},"match":{"q":"lint:same-push-twice"}}"#, 400, "/match/q", nil),
        (#"{"do":{"lose":true},"match":{"q":"after:seq:5"}}"#, 400, "/match/q", nil),
        (#"{"do":{"lose":true},"match":{"payload":{"at":"/x","eqals":1}}}"#, 400, "/match/payload/eqals", "equals"),
        (#"{"do":{"lose":true},"match":{"connection":{"id":"7"}}}"#, 400, "/match/connection/id", nil),
        (
            #"{"do":{"lose":true},"match":{"connection":{"id":"c7","remot":"x"}}}"#, 400, "/match/connection/remot",
            "remote"
        ), (#"{"do":{"handshake":"refuse"},"match":{"topic":"a"}}"#, 422, "/match", nil),
        (#"{"name":"","do":{"lose":true}}"#, 400, "/name", nil),
    ]

    @Test func `a mistake is reported with its path`() async throws {
        try await withFixture { fixture in
            for (body, status, pointer, suggestion) in Self.mistakes {
                let answer = await add(fixture, body)
                #expect(answer.status == status, "\(body)")
                #expect(answer.text("errors", "0", "path") == pointer, "\(body)")
                #expect(answer.text("errors", "0", "suggestion") == suggestion ?? "null", "\(body)")
            }
            _ = await add(fixture)
            for (method, path, body, status) in [
                ("GET", "flt_9", "", 404), ("GET", "flt_x", "", 400), ("GET", "flt_0", "", 400),
                ("PUT", "flt_9", #"{"do":{"lose":true}}"#, 404), ("PATCH", "flt_1", #"{"name":null}"#, 400),
                ("PATCH", "flt_1", #"{"do":{}}"#, 422), ("PATCH", "flt_9", "{}", 404), ("DELETE", "flt_9", "", 404),
                ("PUT", "order", "{}", 400), ("PUT", "order", #"{"order":["flt_2"]}"#, 404),
                ("PUT", "order", #"{"order":["x"]}"#, 400), ("PUT", "order", #"{"order":[]}"#, 422),
                ("POST", "presets/slow-1s", #"{"dlay":"1s"}"#, 400),
                ("POST", "presets/slow-1s", #"{"delay":"2h"}"#, 422),
                ("POST", "presets/one-stream", #"{"match":{"topic":"a"}}"#, 422),
                ("POST", "dry-run", #"{"do":{"lose":true}}"#, 400),
            ] {
                let answer = await fixture.send(method, "\(Self.path)/\(path)", body)
                #expect(answer.status == status, "\(method) \(path) \(body)")
            }
            #expect(await ids(fixture) == ["flt_1"])
        }
    }

    // MARK: The command line

    @Test func `an option is a preset with its parameters`() throws {
        let draft = try FaultArgument.draft("slow-1s:delay=2s,jitter=100ms,times=3,probability=0.5,token=AABB")
        #expect(draft.preset == "slow-1s" && draft.when.times == 3 && draft.when.probability == 0.5)
        #expect(draft.action == .delay(FaultAction.Delay(2_000_000, jitter: 100_000)))
        #expect(draft.match?.text == #"{"token":"aabb"}"#)
        for (path, isMeant) in [("/3/device/AAbb", true), ("/3/device/aabbcc", false)] {
            let holds = RequestView.withRequest(headers: [(":path", path)], body: []) { request in
                draft.match?.condition(request, PushOutline())
            }
            #expect(holds == isMeant)
        }
        let request = try FaultArgument.request("unregistered:topic=a,times=2")
        #expect(request.preset == "unregistered")
        #expect(String(decoding: request.body, as: UTF8.self) == #"{"match":{"topic":"a"},"times":2}"#)
        for (text, message) in [
            ("slow", "preset 'slow' not found; did you mean slow-1s?"), ("", "preset '' not found; there are"),
            ("slow-1s:", "should be preset:name=value"), ("slow-1s:delay", "should be preset:name=value"),
            ("slow-1s:dlay=1s", "did you mean delay?"), ("slow-1s:delay=soon", "expected a duration"),
            ("slow-1s:times=x", "expected a whole number"), ("slow-1s:times=1,times=2", "says times twice"),
            ("one-stream:topic=a", "is about pushes"),
            ("one-stream:nope=1", "unknown parameter 'nope'; one-stream takes streams"),
            ("unregistered:token=x", "'x' is not a device token"),
        ] {
            let error = #expect(throws: ArgumentError.self) { try FaultArgument.draft(text) }
            #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
        }
        // A request says what is wrong before it is sent, but a name is for the API alone.
        for text in ["slow-1s:dlay=1s", "unregistered:token=x"] {
            #expect(throws: ArgumentError.self) { try FaultArgument.request(text) }
        }
        let named = try FaultArgument.request("slow-1s:name=a").body
        #expect(String(decoding: named, as: UTF8.self) == #"{"name":"a"}"#)
    }

    @Test(arguments: [#"{"do":null}"#, #"{"do":{"goaway":null}}"#, #"{"do":{"stream":null}}"#])
    func `an action that is null is missing`(body: String) async throws {
        try await withFixture { fixture in
            let answer = await fixture.send("POST", "/api/v1/faults", body)
            #expect(answer.status == 400)
            #expect(answer.text("errors", "0", "path")?.hasPrefix("/do") == true)
        }
    }
}

import MockAPNsRules
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsPreview

@Suite struct PreviewRoutesTests {
    @Test func `a preview has its shape`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            let texts = #"{"T": "Order %@", "B": "On its way to %2$@, %1$@"}"#
            #expect(await fixture.send("PUT", "/api/v1/strings/com.example.app/en", texts).status == 201)
            let buttons = #"{"actions":[{"identifier":"TRACK","title":"Track","foreground":true}]}"#
            let category = "/api/v1/categories/com.example.app/ORDER"
            #expect(await fixture.send("PUT", category, buttons).status == 201)
            let body = """
                {"aps":{"alert":{"title-loc-key":"T","title-loc-args":["7"],"subtitle":"Today","loc-key":"NOPE",
                "loc-args":["a",1],"launch-image":"Launch.png"},"badge":"3","sound":{"critical":1,"name":"a.caf",
                "volume":0.5},"thread-id":"orders","category":"ORDER","interruption-level":"critical",
                "relevance-score":0.75,"target-content-id":"window","mutable-content":1,"content-available":1}}
                """
            fixture.publish(DeviceRoutesTests.push(body).setting("apns-collapse-id", to: "o7"))
            try Golden.expect(await fixture.get("/api/v1/pushes/seq:1/preview?language=en-GB"), is: "preview-alert")
        }
    }

    @Test func `a preview of a Live Activity has its shape`() async throws {
        try await withFixture { fixture in
            let body = """
                {"aps":{"timestamp":1767607872,"event":"start","content-state":{"eta":{"minutes":7},"driver":"Ann"},
                "attributes-type":"Trip","attributes":{"id":1},"stale-date":1767608872,
                "alert":{"title":"On the way","body":"7 minutes","sound":"ding.caf"}}}
                """
            var draft = PushDraft().setting("apns-topic", to: "com.example.app.push-type.liveactivity").setting(
                "apns-push-type", to: "liveactivity")
            draft.body = Array(body.utf8)
            fixture.publish(draft)
            let answer = await fixture.get("/api/v1/pushes/seq:1/preview?appState=terminated")
            try Golden.expect(answer, is: "preview-live-activity")
        }
    }

    @Test func `a preview of a silent push has its shape`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            let body = #"{"aps":{"content-available":1},"id":7}"#
            fixture.publish(DeviceRoutesTests.push(body, type: "background"))
            try Golden.expect(await fixture.get("/api/v1/pushes/seq:1/preview"), is: "preview-silent")
        }
    }

    static let mistakes: [(target: String, status: Int, path: String?, suggestion: String?)] = [
        ("seq:1/preview?langauge=de", 400, "langauge", "language"), ("seq:1/preview?language=x", 400, "language", nil),
        ("seq:1/preview?appState=forground", 400, "appState", "foreground"),
        ("seq:1/preview?view=banner", 400, "view", nil), ("seq:1/preview.svg?view=baner", 400, "view", "banner"),
        ("seq:1/preview.svg?appearance=drak", 400, "appearance", "dark"),
        ("seq:1/preview.svg?crop=notifcation", 400, "crop", "notification"),
        ("seq:1/preview.svg?timeZone=Europe/Vienna", 400, "timeZone", nil), ("seq:9/preview", 404, nil, nil),
        ("seq:9/preview.svg", 404, nil, nil), ("nonsense/preview.svg", 400, nil, nil),
        ("seq:1/preview.svg?view=banner&view=watch", 400, "view", nil),
    ]

    @Test func `a mistake is reported with its parameter`() async throws {
        try await withFixture { fixture in
            fixture.publish(PushDraft())
            for (target, status, path, suggestion) in Self.mistakes {
                let answer = await fixture.get("/api/v1/pushes/\(target)")
                #expect(answer.status == status, "\(target)")
                #expect(answer.text("errors", "0", "path") == path, "\(target)")
                if path != nil {
                    #expect(answer.text("errors", "0", "suggestion") == suggestion ?? "null", "\(target)")
                }
            }
        }
    }

    @Test func `a picture is served as SVG that runs nothing`() async throws {
        try await withFixture { fixture in
            fixture.publish(PushDraft())
            let answer = await fixture.get("/api/v1/pushes/seq:1/preview.svg")
            #expect(answer.status == 200)
            #expect(answer.contentType == "image/svg+xml")
            #expect(answer[header: "Content-Security-Policy"]?.hasPrefix("default-src 'none';") == true)
            #expect(answer[header: "X-Content-Type-Options"] == "nosniff")
        }
    }

    @Test func `Notification Center is in groups, newest first`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            func push(_ text: String, _ thread: String?) -> PushDraft {
                let thread = thread.map { #","thread-id":"\#($0)""# } ?? ""
                return DeviceRoutesTests.push(#"{"aps":{"alert":"\#(text)"\#(thread)}}"#)
            }
            fixture.publish(
                push("one", "a"), push("two", "b"), push("three", "a"), push("four", nil), push("five", "a"))
            let answer = await fixture.get("/api/v1/pushes/seq:1/preview.svg?view=notification-center")
            let svg = String(decoding: answer.bytes, as: UTF8.self)
            let drawn = svg.matches(of: />([a-z0-9 ]+)<\/text>/).map { String($0.1) }
            #expect(drawn.filter { $0 != "now" } == ["one", "2 more notifications", "four", "two"])
        }
    }

    @Test func `Notification Center shows the previewed push, however many are newer`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            for number in 0..<12 {
                let aps = #"{"aps":{"alert":"text \#(number)","thread-id":"\#(number)"}}"#
                fixture.publish(DeviceRoutesTests.push(aps))
            }
            fixture.publish(DeviceRoutesTests.push(#"{"aps":{"alert":"newer","thread-id":"0"}}"#))
            let pushes = fixture.journal.pushes(PushQuery()).pushes.map(\.seq).sorted()
            for (number, seq) in pushes.prefix(12).enumerated() {
                for crop in PreviewCrop.allCases {
                    let target = "/api/v1/pushes/seq:\(seq)/preview.svg?view=notification-center&crop=\(crop)"
                    let reader = try PreviewPictureTests.read(await fixture.get(target))
                    #expect(reader.lines.contains("text \(number)"), "\(target)")
                    #expect(!reader.lines.contains("without this push"), "\(target)")
                    #expect(reader.lines.contains { $0.hasPrefix("and ") && $0.hasSuffix(" more groups") })
                }
            }
        }
    }

    @Test func `Notification Center says how many apps have no room`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            for number in 0..<12 {
                fixture.publish(DeviceRoutesTests.push(#"{"aps":{"alert":"Hi","thread-id":"\#(number)"}}"#))
            }
            let answer = await fixture.get("/api/v1/pushes/seq:1/preview.svg?view=notification-center")
            let svg = String(decoding: answer.bytes, as: UTF8.self)
            let shown = svg.matches(of: />Hi<\/text>/).count
            #expect((4...8).contains(shown))
            #expect(svg.contains("and \(12 - shown) more groups"))
        }
    }

    @Test func `Notification Center without notifications is empty`() async throws {
        try await withFixture { fixture in
            var draft = PushDraft()
            draft.path = "/3/device/zz"
            fixture.publish(draft)
            let answer = await fixture.get("/api/v1/pushes/seq:1/preview.svg?view=notification-center")
            #expect(String(decoding: answer.bytes, as: UTF8.self).contains("No notifications"))
        }
    }
}

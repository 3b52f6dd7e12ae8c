import Foundation
import MockAPNsFormats
import MockAPNsRules
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsPreview

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite struct PreviewPictureTests {
    /// Texts that want to be something else, or to break what they stand in.
    static let hostile = [
        "<script>alert(1)</script>", "</text></svg><script>alert(1)</script>", "]]>", "<!--", "--><x>", "<![CDATA[x",
        "&lt;script&gt;", "&amp", "&#0;", "&nbsp;", "\"'><image href=x onerror=alert(1)>", "' onload='alert(1)",
        "javascript:alert(1)", "url(#x)", "%00", "\0\u{1}\u{8}\u{b}\u{1f}\u{7f}\u{85}", Noncharacters.text,
        "\u{202e}dlrow\u{202d}", "\u{2066}\u{2067}\u{2068}", "\u{feff}\u{200b}\u{2060}",
        "Z" + String(repeating: "\u{300}\u{35c}\u{489}", count: 300), "👨‍👩‍👧‍👦🏳️‍🌈🇦🇹🇦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "مرحبا <b> بالعالم",
        "日本語" + String(repeating: "長", count: 500), String(repeating: "W", count: 3_000),
        String(repeating: " ", count: 500), String(repeating: "\n", count: 500), String(repeating: "a b", count: 1_000),
        "<?xml version=\"1.0\"?>", "<!DOCTYPE x [<!ENTITY y SYSTEM \"file:///etc/passwd\">]>&y;",
    ]

    /// The payload of a push in which each text is hostile.
    private static func payload(_ text: String, activity: Bool = false) -> [UInt8] {
        let text = JSONValue.string(text)
        let alert: JSONValue = [
            "title": text, "subtitle": text, "body": text, "launch-image": text, "loc-args": [text],
        ]
        var aps: [String: JSONValue] = [
            "alert": alert, "badge": 3, "sound": text, "thread-id": text, "category": text, "interruption-level": text,
            "target-content-id": text, "mutable-content": 1, "event": text,
        ]
        if activity, case .string(let name) = text {
            aps["content-state"] = .object([name: text, "b": [name: text]])
            aps["timestamp"] = 1_767_607_872
            aps["event"] = "update"
        }
        return JSONValue.object(["aps": .object(aps)]).text
    }

    @Test func `any push gives well-formed pictures that run nothing`() async throws {
        try await withFixture { fixture in
            var drafts: [PushDraft] = []
            for (number, text) in Self.hostile.enumerated() {
                var draft = PushDraft().setting("apns-collapse-id", to: "c\(number)")
                draft.body = Self.payload(text)
                drafts.append(draft)
                draft = draft.setting("apns-topic", to: text).setting("apns-collapse-id", to: "topic")
                draft.path = "/3/device/aa"
                drafts.append(draft)
                draft = draft.setting("apns-push-type", to: "liveactivity").setting(
                    "apns-topic", to: "com.example.<app>&\"'.push-type.liveactivity")
                draft.body = Self.payload(text, activity: true)
                drafts.append(draft)
            }
            fixture.publish(drafts)
            let records = fixture.journal.pushes(Self.everything).pushes
            #expect(records.count == drafts.count)
            for record in records {
                for view in Self.views(of: record) {
                    let target = "/api/v1/pushes/seq:\(record.seq)/preview.svg?view=\(view.rawValue)"
                    try Self.expectHarmless(await fixture.get(target), target)
                }
                #expect(await fixture.get("/api/v1/pushes/seq:\(record.seq)/preview").status == 200)
            }
        }
    }

    /// Every view is seen with every text, and no picture is drawn twice.
    private static func views(of record: PushRecord) -> [PreviewView] {
        if record.request[.apnsPushType] == "liveactivity" { return [.liveActivity] }
        return record.request[.apnsCollapseID] == "topic" ? [.banner] : [.lockScreen, .notificationCenter, .watch]
    }

    private static var everything: PushQuery {
        var query = PushQuery()
        query.limit = 1_000
        return query
    }

    @Test func `a picture has the words of the push, and says what it is`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            let body = """
                {"aps":{"alert":{"title":"A <b> & \\"c\\"","subtitle":"Sub","body":"Body"},"badge":12,"sound":"default",
                "thread-id":"t","category":"C","interruption-level":"time-sensitive","mutable-content":1}}
                """
            fixture.publish(DeviceRoutesTests.push(body))
            let answer = await fixture.get("/api/v1/pushes/seq:1/preview.svg?view=banner")
            let reader = try Self.read(answer)
            for words in [
                "A <b> & \"c\"", "Sub", "Body", "TIME SENSITIVE", "now", "12", "App", "sound: default", "badge: 12",
                "mutable-content", "category: C", "thread: t", "time-sensitive", "10:11",
            ] { #expect(reader.lines.contains(words), "\(words) in \(reader.lines)") }
            #expect(reader.lines.contains { $0.hasPrefix("Approximation of iOS") })
            #expect(reader.title == "Banner: App")
            #expect(reader.words.hasPrefix("App. A <b> & \"c\". Sub. Body. "))
            #expect(reader.root["role"] == "img")
            #expect(reader.root["aria-labelledby"] == "picture-title picture-description")
        }
    }

    /// What is drawn of a push, by the words in the picture.
    static let words: [(body: String, type: String, query: String, words: [String])] = [
        (#"{"aps":{"content-available":1}}"#, "background", "", ["No UI: the app is woken", "Monday, January 5"]),
        (#"{"aps":{"content-available":1}}"#, "background", "?appState=forceQuit", ["No UI: it is thrown away"]),
        (#"{"aps":{"content-available":1}}"#, "background", "?appState=terminated", ["No UI: it waits for the app"]),
        (#"{"aps":{}}"#, "background", "", ["No UI, and no app is woken"]),
        (#"{"aps":{"alert":"Hi"}}"#, "alert", "?appState=foreground", ["No banner: the app decides"]),
        (#"{"aps":{"alert":"Hi"}}"#, "alert", "", ["App", "Hi"]),
        (#"{"aps":{"alert":"Hi"}}"#, "alert", "?view=watch", ["APP"]),
        (#"{"aps":{"badge":7}}"#, "alert", "?view=banner", ["No banner", "7"]),
        (#"{"aps":{"badge":0}}"#, "alert", "?view=banner", ["badge: cleared"]),
        ("nonsense", "alert", "", ["Never shown"]), (#"{"aps":{}}"#, "alert", "", ["Nothing is shown"]),
        (#"{"aps":{"alert":{"loc-key":"KEY"}}}"#, "alert", "", ["KEY"]),
        (#"{"aps":{"alert":"Hi","interruption-level":"critical"}}"#, "alert", "", ["CRITICAL", "critical"]),
    ]

    @Test(arguments: words) func `a picture says what happens to the push`(
        body: String, type: String, query: String, words: [String]
    ) async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            fixture.publish(DeviceRoutesTests.push(body, type: type))
            let reader = try Self.read(await fixture.get("/api/v1/pushes/seq:1/preview.svg\(query)"))
            for word in words { #expect(reader.lines.contains(word), "\(word) in \(reader.lines)") }
        }
    }

    @Test func `a cropped picture is the notification alone, at most as wide as the screen`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            fixture.publish(
                DeviceRoutesTests.push(#"{"aps":{"alert":{"title":"T","body":"B"},"sound":"default"}}"#),
                DeviceRoutesTests.push(#"{"aps":{"content-available":1}}"#, type: "background"))
            for seq in fixture.journal.pushes(Self.everything).pushes.map(\.seq) {
                for view in PreviewView.allCases {
                    let target = "/api/v1/pushes/seq:\(seq)/preview.svg?view=\(view.rawValue)"
                    let whole = try Self.read(await fixture.get(target))
                    let cropped = try Self.read(await fixture.get(target + "&crop=notification"))
                    let (width, height) = (cropped.number("width"), cropped.number("height"))
                    #expect(height < whole.number("height") && width <= whole.number("width"), "\(target)")
                    #expect((80...400).contains(height), "\(target) is \(height) high")
                    #expect(cropped.lines.contains("Approximation of iOS by mock-apns"), "\(target)")
                    #expect(!cropped.lines.contains("sound: default"), "\(target)")
                    #expect(await fixture.get(target + "&crop=device").bytes == fixture.get(target).bytes)
                }
            }
            let card = try Self.read(await fixture.get("/api/v1/pushes/seq:1/preview.svg?crop=notification"))
            #expect(card.lines.contains("T") && card.lines.contains("B"))
            // A card of two lines, its margin and the line below.
            #expect((100...150).contains(card.number("height")), "\(card.number("height"))")
        }
    }

    static let calls: [(body: String, words: [String])] = [
        (#"{"callerName":"Ann","hasVideo":true}"#, ["Ann", "App Video", "caller: Ann"]),
        (#"{"data":{"handle":"+43 1 23"}}"#, ["+43 1 23", "App Audio"]),
        (#"{"aps":{},"callerName":"","handle":7}"#, ["Unknown", "App Audio", "caller: unknown"]),
    ]

    @Test(arguments: calls) func `a VoIP push is drawn as a call`(body: String, words: [String]) async throws {
        try await withFixture { fixture in
            var draft = PushDraft().setting("apns-topic", to: "com.example.app.voip").setting(
                "apns-push-type", to: "voip")
            draft.body = Array(body.utf8)
            fixture.publish(draft)
            for view in ["lock-screen", "banner"] {
                let reader = try Self.read(await fixture.get("/api/v1/pushes/seq:1/preview.svg?view=\(view)"))
                for word in words { #expect(reader.lines.contains(word), "\(word) in \(reader.lines)") }
                #expect(reader.lines.contains("Accept") == (view == "lock-screen"))
                #expect(reader.words.hasPrefix("App. Incoming call. \(words[0])."))
            }
        }
    }

    @Test func `a lock screen shows the reader's time zone`() async throws {
        try await withFixture { fixture in
            fixture.publish(PushDraft())
            for (query, time, date) in [
                ("", "10:11", "Monday, January 5"), ("?timeZone=Z", "10:11", "Monday, January 5"),
                ("?timeZone=%2B05:30", "15:41", "Monday, January 5"),
                ("?timeZone=+14:00", "0:11", "Tuesday, January 6"), ("?timeZone=-11:00", "23:11", "Sunday, January 4"),
            ] {
                let reader = try Self.read(await fixture.get("/api/v1/pushes/seq:1/preview.svg\(query)"))
                #expect(reader.lines.contains(time) && reader.lines.contains(date), "\(query) \(reader.lines)")
            }
        }
    }

    @Test func `a Live Activity is drawn as its state`() async throws {
        try await withFixture { fixture in
            var draft = PushDraft().setting("apns-topic", to: "com.example.app.push-type.liveactivity").setting(
                "apns-push-type", to: "liveactivity")
            let state = (0..<12).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
            draft.body = Array(
                #"{"aps":{"timestamp":1,"event":"end","dismissal-date":1767609000,"content-state":{"a":{"b":"deep"},\#(state)}}}"#
                    .utf8)
            fixture.publish(draft)
            let reader = try Self.read(await fixture.get("/api/v1/pushes/seq:1/preview.svg"))
            for word in ["Ended", "Removed at 10:30", "a.b", "deep", "k0", "0", "and 4 more"] {
                #expect(reader.lines.contains(word), "\(word) in \(reader.lines)")
            }
            #expect(reader.title == "Live Activity: App")
        }
    }

    @Test func `a push that is refused or not shown is drawn as such`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            let path = "/api/v1/registrations/\(DeviceRoutesTests.token)"
            _ = await fixture.send("PATCH", path, #"{"notificationsEnabled":false}"#)
            fixture.publish(DeviceRoutesTests.push())
            let disabled = try Self.read(await fixture.get("/api/v1/pushes/seq:1/preview.svg"))
            #expect(disabled.lines.contains("Nothing is shown"))
            #expect(!disabled.lines.contains("Hi"))
            fixture.publish(DeviceRoutesTests.push().setting("apns-topic", to: "com.example.other"))
            let last = fixture.journal.pushes(Self.everything).pushes.map(\.seq).max() ?? 0
            let refused = try Self.read(await fixture.get("/api/v1/pushes/seq:\(last)/preview.svg"))
            #expect(refused.lines.contains("REFUSED"))
            #expect(refused.lines.contains { $0.hasPrefix("Refused with 400 DeviceTokenNotForTopic") })
        }
    }

    @Test func `the same push is the same bytes, and appearances differ`() async throws {
        try await withFixture { fixture in
            fixture.publish(PushDraft())
            for view in PreviewView.allCases {
                let target = "/api/v1/pushes/seq:1/preview.svg?view=\(view.rawValue)"
                let first = await fixture.get(target).bytes
                #expect(await fixture.get(target).bytes == first)
                #expect(await fixture.get(target + "&appearance=light").bytes == first)
                #expect(await fixture.get(target + "&appearance=dark").bytes != first)
            }
        }
    }

    static let numbers: [(Double, String)] = [
        (0, "0"), (1, "1"), (-1, "-1"), (1.5, "1.5"), (-0.25, "-0.25"), (0.05, "0.05"), (2.999, "3"), (-0.001, "0"),
        (.infinity, "0"), (.nan, "0"), (1e300, "0"), (12.345, "12.35"),
    ]

    @Test(arguments: numbers) func `large numbers are shortened`(number: Double, text: String) {
        #expect(number.svg == text)
    }

    static let clocks: [(moment: String, time: String, date: String)] = [
        ("2026-01-05T10:11:12Z", "10:11", "Monday, January 5"), ("1970-01-01T00:00:00Z", "0:00", "Thursday, January 1"),
        ("1969-12-31T23:59:59.5Z", "23:59", "Wednesday, December 31"),
        ("2024-02-29T09:05:00Z", "9:05", "Thursday, February 29"),
        ("9999-12-31T23:59:59Z", "23:59", "Friday, December 31"), ("0001-01-01T00:00:00Z", "0:00", "Monday, January 1"),
    ]

    @Test(arguments: ["+14:00", "-14:00"]) func `a clock shows only years that can be written`(offset: String) throws {
        let offset = try #require(UTCOffset(offset))
        for microseconds in [RFC3339.writable.lowerBound, RFC3339.writable.upperBound, .min, .max] {
            let clock = PreviewClock(Timestamp(microseconds: microseconds), offset)
            #expect(clock.time.contains(":") && clock.date.contains(", "), "\(microseconds)")
        }
    }

    @Test(arguments: ["", "+2", "02:00", "+02:60", "+14:01", "+0x:00", "++2:00", "Europe/Vienna", "+02:00 "])
    func `an invalid offset is refused`(text: String) { #expect(UTCOffset(text) == nil) }

    @Test(arguments: clocks) func `a lock screen shows time and date`(moment: String, time: String, date: String) throws
    {
        let clock = PreviewClock(try #require(Timestamp(rfc3339: moment)))
        #expect(clock.time == time)
        #expect(clock.date == date)
    }

    static let ages: [(microseconds: Int64, text: String)] = [
        (-5, "now"), (59_999_999, "now"), (60_000_000, "1m ago"), (3_599_000_000, "59m ago"), (3_600_000_000, "1h ago"),
        (86_400_000_000, "1d ago"),
    ]

    @Test(arguments: ages) func `an age is written in one unit`(microseconds: Int64, text: String) {
        let now = Fixture.now
        let then = Timestamp(microseconds: now.microseconds - microseconds)
        #expect(PreviewClock.age(of: then, at: now) == text)
    }
}

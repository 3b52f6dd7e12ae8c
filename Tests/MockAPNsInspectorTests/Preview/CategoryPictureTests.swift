import Foundation
import MockAPNsFormats
import MockAPNsRules
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsPreview
@testable import MockAPNsQuery

/// The buttons of a category in previews and their pictures.
@Suite struct CategoryPictureTests {
    private static func push(_ text: String = "Hi", category: String = "ORDER", thread: String = "t") -> PushDraft {
        let aps: JSONValue = [
            "aps": [
                "alert": ["title": "Title", "body": .string(text)], "category": .string(category),
                "thread-id": .string(thread),
            ]
        ]
        return DeviceRoutesTests.push(String(decoding: aps.text, as: UTF8.self))
    }

    private static func describe(_ titles: [String], members: [String: JSONValue] = [:], _ fixture: Fixture) async {
        let actions = titles.map { title in
            JSONValue.object(members.merging(["title": .string(title)]) { first, _ in first })
        }
        let body: JSONValue = ["actions": .array(actions)]
        let path = "/api/v1/categories/com.example.app/ORDER"
        #expect(await fixture.send("PUT", path, String(decoding: body.text, as: UTF8.self)).status < 300, "\(titles)")
    }

    private static func lines(_ fixture: Fixture, _ view: PreviewView, seq: Int = 1) async throws -> [String] {
        let target = "/api/v1/pushes/seq:\(seq)/preview.svg?view=\(view.rawValue)"
        return try PreviewPictureTests.read(await fixture.get(target)).lines
    }

    private static func paths(_ svg: String) -> Int { svg.components(separatedBy: "<path").count - 1 }

    // MARK: As data

    @Test func `a preview has the buttons of its category, and says where they are described`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            fixture.publish(Self.push())
            let preview = "/api/v1/pushes/seq:1/preview"
            let unknown = await fixture.get(preview)
            #expect(unknown.text("categoryActions") == "null")
            #expect(
                unknown.text("category", "meaning")?.contains("Add them with PUT /api/v1/categories/{topic}/{category}")
                    == true)
            await Self.describe(["Accept", "Decline"], members: ["destructive": true], fixture)
            let known = await fixture.get(preview)
            #expect(known.json["categoryActions"].entries.count == 2)
            #expect(known.text("categoryActions", "1", "title") == "Decline")
            #expect(known.text("categoryActions", "1", "destructive") == "true")
            #expect(known.text("category", "meaning")?.contains("PUT") == false)
            await Self.describe([], fixture)
            #expect(await fixture.get(preview).text("categoryActions") == "[]")
            let meaning = await fixture.get(preview).text("category", "meaning")
            #expect(meaning == "The category was added without buttons.")
        }
    }

    @Test func `a category of another app, or none, has no buttons here`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            await Self.describe(["Accept"], fixture)
            fixture.publish(
                Self.push(category: "order"), DeviceRoutesTests.push(),
                DeviceRoutesTests.push(#"{"aps":{"alert":"Hi","category":["ORDER"]}}"#),
                Self.push().setting("apns-topic", to: "com.example.other"))
            for record in fixture.journal.pushes(PushQuery()).pushes {
                let answer = await fixture.get("/api/v1/pushes/seq:\(record.seq)/preview")
                #expect(answer.text("categoryActions") == "null", "seq:\(record.seq)")
            }
        }
    }

    // MARK: As pictures

    @Test func `buttons are below the words in every view, two of them in a banner`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            fixture.publish(Self.push())
            let titles = ["Reply", "Accept", "Later", "Decline"]
            let before = try await Self.lines(fixture, .lockScreen)
            #expect(Set(before).isDisjoint(with: titles))
            await Self.describe(titles, fixture)
            for view in [PreviewView.lockScreen, .notificationCenter, .watch, .banner] {
                let lines = try await Self.lines(fixture, view)
                let shown = view == .banner ? Array(titles.prefix(2)) : titles
                #expect(lines.filter { titles.contains($0) } == shown, "\(view)")
                let words = try #require(lines.firstIndex(of: "Hi"), "\(view)")
                #expect(words < (lines.firstIndex(of: "Reply") ?? 0), "\(view)")
            }
        }
    }

    @Test func `a destructive button is red, and a text button has a field`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            fixture.publish(Self.push())
            await Self.describe(["Plain"], fixture)
            for (view, red) in [(PreviewView.lockScreen, PreviewAppearance.light.destructive), (.watch, "#ff6961")] {
                let target = "/api/v1/pushes/seq:1/preview.svg?view=\(view.rawValue)"
                func drawn(_ members: [String: JSONValue]) async -> String {
                    await Self.describe(["Plain"], members: members, fixture)
                    return String(decoding: await fixture.get(target).bytes, as: UTF8.self)
                }
                let plain = await drawn([:])
                #expect(!plain.contains(red))
                let destructive = await drawn(["destructive": true])
                #expect(destructive.contains("fill=\"\(red)\" text-anchor"), "\(view)")
                let field = await drawn(["textInput": true])
                #expect(Self.paths(field) == Self.paths(plain) + 1, "\(view)")
            }
        }
    }

    @Test func `a watch counts the buttons that it has no room for`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            fixture.publish(Self.push(String(repeating: "long ", count: 100)))
            await Self.describe((0..<10).map { "b\($0)" }, fixture)
            let lines = try await Self.lines(fixture, .watch)
            #expect(lines.filter { $0.hasPrefix("b") } == ["b0", "b1", "b2"])
            #expect(lines.contains("and 7 more"))
            #expect(try await Self.lines(fixture, .lockScreen).contains("b9"))
        }
    }

    @Test func `in Notification Center, only the previewed push shows its buttons`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            fixture.publish(
                Self.push("one", thread: "a"), Self.push("two", thread: "b"), Self.push("three", thread: "b"))
            await Self.describe(["Accept"], fixture)
            let all = fixture.journal.pushes(PushQuery()).pushes.map(\.seq).sorted()
            for (seq, after) in zip(all, ["one", "two", "three"]) {
                let lines = try await Self.lines(fixture, .notificationCenter, seq: Int(seq))
                #expect(lines.count { $0 == "Accept" } == 1, "seq:\(seq)")
                let place = try #require(lines.firstIndex(of: "Accept"), "seq:\(seq)")
                #expect(lines[..<place].last { ["one", "two", "three"].contains($0) } == after)
            }
        }
    }

    @Test func `a push that is not shown has no buttons`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            fixture.publish(
                DeviceRoutesTests.push(#"{"aps":{"content-available":1,"category":"ORDER"}}"#, type: "background"),
                DeviceRoutesTests.push(#"{"aps":{"badge":1,"category":"ORDER"}}"#))
            await Self.describe(["Accept"], fixture)
            for record in fixture.journal.pushes(PushQuery()).pushes {
                for view in PreviewView.allCases {
                    let lines = try await Self.lines(fixture, view, seq: Int(record.seq))
                    #expect(!lines.contains("Accept"), "seq:\(record.seq) \(view)")
                }
            }
        }
    }

    @Test func `any title of a button gives a well-formed picture that runs nothing`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            fixture.publish(Self.push(String(repeating: "long ", count: 400)))
            // Scalars are counted, so that a text is not cut within what was counted as one letter.
            let titles = PreviewPictureTests.hostile.filter { !$0.isEmpty }.map { text in
                String(String.UnicodeScalarView(text.unicodeScalars.prefix(256)))
            }
            for start in stride(from: 0, to: titles.count, by: 10) {
                await Self.describe(
                    Array(titles[start...].prefix(10)), members: ["textInput": true, "destructive": true], fixture)
                for view in PreviewView.allCases {
                    let target = "/api/v1/pushes/seq:1/preview.svg?view=\(view.rawValue)"
                    let answer = await fixture.get(target)
                    try PreviewPictureTests.expectHarmless(answer, target)
                    // What would turn round the rest of the picture's text.
                    let text = String(decoding: answer.bytes, as: UTF8.self)
                    #expect(!text.unicodeScalars.contains { (0x202a...0x202e).contains($0.value) }, "\(target)")
                }
                #expect(await fixture.get("/api/v1/pushes/seq:1/preview").status == 200)
            }
        }
    }

    // MARK: Room

    @Test func `any number of buttons and long titles stay within the picture`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            fixture.publish(Self.push())
            await Self.describe(Array(repeating: String(repeating: "W", count: 256), count: 10), fixture)
            let record = try #require(fixture.journal.pushes(PushQuery()).pushes.first)
            let world = fixture.server.world
            let preview = NotificationPreview(
                PushFacts(record), strings: world.strings, categories: world.categories, apps: world.apps)
            #expect(ActionStack(preview, most: 10, room: .infinity)?.height == 440)
            #expect(ActionStack(preview, most: 10, room: 346)?.height == 340)
            #expect(ActionStack(preview, most: 10, room: 299) == nil)
            #expect(ActionStack(preview, most: 2, room: 88)?.height == 88)
            for view in [PreviewView.lockScreen, .watch] {
                let title = try #require(try await Self.lines(fixture, view).first { $0.hasPrefix("WW") })
                #expect(title.hasSuffix("W…"))
                let room = view == .watch ? 194.0 : 373 - 32
                #expect(TextMeasure.width(of: title, DrawnText.Font(size: 15)) < room, "\(view)")
            }
        }
    }
}

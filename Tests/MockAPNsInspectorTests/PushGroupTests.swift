import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsInspector

@Suite struct PushGroupTests {
    @Test func `equal pushes form one group, newest first`() async throws {
        try await withFixture { fixture in
            let bad = PushDraft().setting("apns-topic", to: "a b")
            let derived = PushDraft().setting("apns-push-type", to: nil)
            var refused = PushDraft()
            refused.problem = ("the header list is over 8000 bytes", 431)
            let silent = PushDraft().setting("apns-push-type", to: "background")
            fixture.publish([bad, PushDraft(), bad, silent, derived, refused, bad])
            let page = await fixture.get("/api/v1/pushes?order=asc&fields=summary")
            let ids = page.json["pushes"].entries.compactMap { $0.text(["id"]) }
            let answer = await fixture.get("/api/v1/pushes/groups")
            try Golden.expect(answer, is: "push-groups")
            let groups = answer.json["groups"].entries
            #expect(groups.map { $0.text(["count"]) } == ["3", "1", "2", "1"])
            #expect(groups.map { $0.text(["first"]) } == [0, 5, 1, 3].map { ids[$0] })
            #expect(groups.map { $0.text(["last"]) } == [6, 5, 4, 3].map { ids[$0] })

            let rejected = await fixture.get("/api/v1/pushes/groups?q=reason:BadTopic&before=8")
            #expect(rejected.text("total") == "1" && rejected.text("groups", "0", "count") == "2")
            #expect(await fixture.get("/api/v1/pushes/groups?topic=none").text("groups") == "[]")
            #expect(await fixture.get("/api/v1/pushes/groups?limit=3").status == 400)
        }
    }

    @Test func `at most 200 groups are listed`() async throws {
        try await withFixture { fixture in
            fixture.publish((1...203).map { PushDraft().setting("apns-topic", to: "com.a\($0)") })
            let answer = await fixture.get("/api/v1/pushes/groups")
            #expect(answer.text("total") == "203")
            let groups = answer.json["groups"].entries
            #expect(groups.count == 200 && groups.last?.text(["topic"]) == "com.a4")
        }
    }
}

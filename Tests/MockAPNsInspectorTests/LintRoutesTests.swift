import MockAPNsFormats
import TestSupport
import Testing

@testable import MockAPNsInspector

/// How the API searches for lints and shows them.
@Suite struct LintRoutesTests {
    static let searches: [(String, Int)] = [
        ("lint=badge-not-integer", 1), ("lint=badge-not-integer&lint=same-push-twice", 2), ("lint=sound-shape", 0),
        ("q=has:warning", 1), ("q=has:lint", 2), ("q=is:linted", 2), ("q=!is:linted", 1), ("q=lint:same-push-twice", 1),
        ("q=lint:badge-not-integer%20is:accepted", 1),
    ]

    @Test(arguments: searches) func `pushes are found by their lints`(query: String, count: Int) async throws {
        try await withFixture { fixture in
            var odd = PushDraft.clean
            odd.body = Array(#"{"aps":{"alert":"Hi","badge":"3"}}"#.utf8)
            let push = PushDraft.clean
            fixture.publish(push, push, odd)
            #expect(await fixture.get("/api/v1/pushes/count?\(query)").text("count") == "\(count)")
            #expect(await fixture.get("/api/v1/pushes?\(query)").text("matched") == "\(count)")
        }
    }

    @Test(arguments: [
        ("lint=badge-not-intege", "badge-not-integer"),
        // The whole search as it was meant.
        ("q=lint:badge-not-intege", "lint:badge-not-integer"),
    ]) func `a lint that does not exist is an error`(query: String, meant: String) async throws {
        try await withFixture { fixture in
            let answer = await fixture.get("/api/v1/pushes?\(query)")
            #expect(answer.status == 400)
            #expect(answer.text("errors", "0", "suggestion") == meant)
        }
    }

    @Test func `a record shows its lints`() async throws {
        try await withFixture { fixture in
            var draft = PushDraft.clean.setting("apns-expiration", to: "300")
            draft.body = Array(#"{"aps":{"alert":"Hi","badge":"3"}}"#.utf8)
            fixture.publish(draft, draft)
            let answer = await fixture.get("/api/v1/pushes/seq:4")
            guard case .array(let lints)? = answer.json["lints"] else {
                Issue.record("no lints")
                return
            }
            #expect(lints.map { $0["id"] } == ["expiration-in-past", "badge-not-integer", "same-push-twice"])
            #expect(
                lints[1] == [
                    "id": "badge-not-integer", "severity": "warning", "pointer": "/aps/badge",
                    "message": #"badge is the string "3"; a whole number of at least 0 is expected"#,
                    "hint": "Send a JSON number; 0 removes the badge.", "learn": "/docs/lints#badge-not-integer",
                ])
            #expect(lints[2]["pointer"] == .null)
        }
    }
}

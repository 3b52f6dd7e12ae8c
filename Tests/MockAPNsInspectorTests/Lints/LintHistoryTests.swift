import MockAPNsRules
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsWorld

/// Lints over the journal of a server, and how others ask for them.
@Suite struct LintHistoryTests {
    /// What is found in the push of a number; `nil` when there is none.
    private func ids(_ fixture: Fixture, _ seq: UInt64) -> [Lint]? {
        fixture.journal.push(seq: seq).map { fixture.subject.lints(of: $0).map(\.lint) }
    }

    private func push(_ text: String) -> PushDraft {
        var draft = LintCase.clean
        draft.body = Array(#"{"aps":{"alert":"\#(text)"}}"#.utf8)
        return draft
    }

    @Test func `each push is looked at once, in order, whoever asks for which`() async throws {
        try await withFixture { fixture in
            fixture.publish(push("a"), push("a"))
            #expect(ids(fixture, 4) == [.samePushTwice])
            #expect(ids(fixture, 1) == [])
            fixture.publish(push("b"), push("a"), push("b"))
            #expect(ids(fixture, 10) == [.samePushTwice])
            #expect(ids(fixture, 7) == [])
            #expect(ids(fixture, 13) == [.samePushTwice])
            #expect(ids(fixture, 4) == [.samePushTwice], "and nothing twice")
        }
    }

    @Test func `a push in the journal has the findings of its request`() async throws {
        try await withFixture { fixture in
            let pushes = LintTests.cases.map(\.push)
            fixture.publish(pushes)
            let records = (1...fixture.journal.extent.lastSeq).compactMap { fixture.journal.push(seq: $0) }
            #expect(records.count == pushes.count)
            for (push, record) in zip(pushes, records) {
                let found = fixture.subject.lints(of: record).filter { !$0.lint.looksAtHistory }
                #expect(found == (push.linted?.findings() ?? []))
            }
        }
    }

    @Test func `a reset begins anew`() async throws {
        try await withFixture { fixture in
            fixture.publish(push("a"))
            #expect(ids(fixture, 1) == [])
            _ = await fixture.send("POST", "/api/v1/reset")
            fixture.publish(push("a"), push("a"))
            let (first, second) = try await numbers(fixture)
            #expect(ids(fixture, first) == [])
            #expect(ids(fixture, second) == [.samePushTwice])
        }
    }

    private func numbers(_ fixture: Fixture) async throws -> (UInt64, UInt64) {
        let seqs = fixture.journal.pushes(PushQuery()).pushes.map(\.seq)
        return (try #require(seqs.last), try #require(seqs.first))
    }

    @Test func `what the journal dropped is not remembered for ever`() async throws {
        try await withFixture(configure: { $0.journal.records = 10 }) { fixture in
            for number in 0..<4_000 {
                fixture.publish(push("\(number)"))
                if number % 5 == 0 { _ = ids(fixture, fixture.journal.extent.firstSeq) }
                if number % 5 == 0, let last = fixture.journal.pushes(PushQuery()).pushes.first {
                    _ = fixture.subject.lints(of: last)
                }
            }
            #expect(fixture.subject.lintHistory.weight < 2_000)
        }
    }

    @Test func `pushes that come and are asked for at once are each found out once`() async throws {
        try await withFixture { fixture in
            await withTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<50 { fixture.publish(push("same")) }
                    }
                    group.addTask {
                        for _ in 0..<50 {
                            let page = fixture.journal.pushes(PushQuery()).pushes
                            for record in page { _ = fixture.subject.lints(of: record) }
                        }
                    }
                }
            }
            var query = PushQuery()
            query.limit = 1_000
            query.order = .ascending
            let pushes = fixture.journal.pushes(query).pushes
            #expect(pushes.count == 200)
            for (position, record) in pushes.enumerated() {
                let found = fixture.subject.lints(of: record).map(\.lint)
                #expect(found == (position == 0 ? [] : [.samePushTwice]))
            }
        }
    }

    /// The three ways to ask say the same of every push of the tables.
    @Test func `conditions find what records show`() async throws {
        let drafts = LintTests.cases.map(\.push) + PushListTests.pushes
        try await withFixture { fixture in
            fixture.publish(drafts)
            let subject = fixture.subject
            var query = PushQuery()
            query.limit = .max
            let shown = fixture.journal.pushes(query).pushes.map { subject.lints(of: $0).map(\.lint) }
            #expect(shown.count == drafts.count)
            for lint in Lint.allCases {
                query.condition = { request, outline in
                    let payload = PushFacts.payload(of: Array(request.body.bytes))
                    return subject.hasLint([lint], in: request, outline, payload: payload)
                }
                #expect(
                    fixture.journal.pushes(query).matched == shown.count { $0.contains(lint) },
                    "\(lint.id)"
                )
                query.condition = { request, outline in
                    let payload = PushFacts.payload(of: Array(request.body.bytes))
                    return subject.lintIDs(of: request, outline, payload: payload).contains(lint)
                }
                #expect(
                    fixture.journal.pushes(query).matched == shown.count { $0.contains(lint) },
                    "\(lint.id)"
                )
            }
            query.condition = { request, outline in
                let payload = PushFacts.payload(of: Array(request.body.bytes))
                return subject.hasLint(in: request, outline, payload: payload)
            }
            #expect(fixture.journal.pushes(query).matched == shown.count { !$0.isEmpty })
        }
    }

    static let searches: [(String, Int)] = [
        ("lint=badge-not-integer", 1), ("lint=badge-not-integer&lint=same-push-twice", 2),
        ("lint=sound-shape", 0), ("q=has:lint", 2), ("q=is:linted", 2), ("q=!is:linted", 1),
        ("q=lint:same-push-twice", 1), ("q=lint:badge-not-integer%20is:accepted", 1),
    ]

    @Test(arguments: searches) func `pushes are found by their lints`(query: String, count: Int) async throws
    {
        try await withFixture { fixture in
            var odd = LintCase.clean
            odd.body = Array(#"{"aps":{"alert":"Hi","badge":"3"}}"#.utf8)
            fixture.publish(push("a"), push("a"), odd)
            #expect(await fixture.get("/api/v1/pushes/count?\(query)").text("count") == "\(count)")
            #expect(await fixture.get("/api/v1/pushes?\(query)").text("matched") == "\(count)")
        }
    }

    @Test(arguments: ["lint=badge-not-intege", "q=lint:badge-not-intege"])
    func `a lint that does not exist is an error`(
        query: String
    ) async throws {
        try await withFixture { fixture in
            let answer = await fixture.get("/api/v1/pushes?\(query)")
            #expect(answer.status == 400)
            #expect(answer.text("errors", "0", "suggestion") == "badge-not-integer")
        }
    }

    @Test func `a record shows what was found`() async throws {
        try await withFixture { fixture in
            var draft = LintCase.clean.setting("apns-expiration", to: "300")
            draft.body = Array(#"{"aps":{"alert":"Hi","badge":"3"}}"#.utf8)
            fixture.publish(draft, draft)
            let answer = await fixture.get("/api/v1/pushes/seq:4")
            guard case .array(let lints)? = answer.json["lints"] else {
                Issue.record("no lints")
                return
            }
            #expect(
                lints.map { $0["id"] } == ["expiration-in-past", "badge-not-integer", "same-push-twice"]
            )
            #expect(
                lints[1] == [
                    "id": "badge-not-integer", "severity": "warning", "pointer": "/aps/badge",
                    "message": #"badge is the string "3"; a whole number of at least 0 is expected"#,
                    "fix": "Send a JSON number; 0 removes it.", "learn": "/docs/lints#badge-not-integer",
                ]
            )
            #expect(lints[2]["pointer"] == .null)
        }
    }
}

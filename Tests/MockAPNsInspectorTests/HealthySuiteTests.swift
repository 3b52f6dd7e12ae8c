import MockAPNsFormats
import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsWorld

/// The list of a healthy test suite is quiet, and shows what is wrong among its pushes.
@Suite struct HealthySuiteTests {
    /// What such suites do: a connection and a provider token for each process, fixed device tokens and ids, the same
    /// pushes again and again, of all types.
    private static let pushes: [PushDraft] = (0..<200).map { number in
        var draft = PushDraft()
        let push = HealthyPush.all[number % HealthyPush.all.count]
        draft.body = Array(push.body.utf8)
        let token = number % 7 == 0 ? PushDraft.token : PushDraft.token.lowercased()
        draft.path = "/3/device/" + token
        let process = number / 8
        let issued = PushDraft.providerToken(issuedAt: "\(1_767_607_000 + process)")
        draft = draft.setting("authorization", to: "bearer " + issued).setting("apns-topic", to: push.topic).setting(
            "apns-push-type", to: push.type.name
        ).setting("apns-priority", to: push.type == .background ? "5" : "10")
        if let certificate = push.draft.certificate {
            draft.certificate = certificate
            draft = draft.setting("authorization", to: nil)
        }
        if number % 5 == 0 { draft = draft.setting("apns-id", to: "0c6b0000-0000-4000-8000-00000000abcd") }
        if number % 9 == 0 { draft = draft.setting("apns-expiration", to: "0") }
        draft.connection = UInt64(number + 1)
        draft.requestOnConnection = 1
        return draft
    }

    private static let mistakes: [(lint: String, draft: PushDraft)] = [
        ("push-type-missing", healthy.setting("apns-push-type", to: nil)),
        ("push-type-topic-suffix", healthy.setting("apns-topic", to: "com.example.app.voip")),
        ("expiration-milliseconds", healthy.setting("apns-expiration", to: "1767607872345")),
        ("expiration-in-past", healthy.setting("apns-expiration", to: "300")),
        ("apns-id-not-uuid", healthy.setting("apns-id", to: "7")),
        ("badge-not-integer", with(#"{"aps":{"alert":"Hi","badge":"3"}}"#)),
        ("payload-not-json", with(#"{"aps":{"alert":"Hi",}}"#)), ("aps-missing", with(#"{"alert":"Hi"}"#)),
        ("aps-unknown-key", with(#"{"aps":{"alert":"Hi","bagde":3}}"#)),
        ("alert-without-text", with(#"{"aps":{"alert":{}}}"#)),
        ("null-member", with(#"{"aps":{"alert":"Hi"},"order":null}"#)),
        ("aps-key-outside", with(#"{"aps":{"alert":"Hi"},"content_available":1}"#)),
        ("header-misspelt", healthy.setting("apns-collapseid", to: "a")),
    ]

    private static let healthy = PushDraft.clean

    private static func with(_ body: String) -> PushDraft {
        var draft = healthy
        draft.body = Array(body.utf8)
        return draft
    }

    /// Publishes pushes, each connection closed before the next is opened.
    private func publish(_ drafts: [PushDraft], _ fixture: Fixture) {
        for draft in drafts {
            fixture.publish(draft)
            guard draft.requestOnConnection == 1 else { continue }
            let connection = fixture.open(draft.connection)
            fixture.journal.connectionClosed(connection, at: Fixture.now, code: "closed-by-peer", detail: "")
        }
    }

    private func worst(_ fixture: Fixture) async -> [String] {
        let page = await fixture.get("/api/v1/pushes?fields=summary&limit=1000&order=asc")
        return page.json["pushes"].entries.compactMap { $0["worstLint"]?["id"]?.string }
    }

    @Test func `fewer than one row in twenty has a warning`() async throws {
        try await withFixture { fixture in
            publish(Self.pushes, fixture)
            #expect(await worst(fixture) == [])
            let all = await fixture.get("/api/v1/pushes/count?q=has:lint")
            #expect(Int(all.text("count") ?? "") ?? 0 > 150, "searches still find notes")
            let perPush = await fixture.get("/api/v1/pushes/count?q=lint:connection-per-push")
            #expect(perPush.text("count") == "196")
        }
    }

    @Test func `a warning about connections is given once`() async throws {
        try await withFixture { fixture in
            publish(Self.pushes, fixture)
            let page = await fixture.get("/api/v1/connections?limit=1000")
            let said = page.json["connections"].entries.flatMap { connection in
                connection["lints"].entries.map { [connection["id"]?.string, $0["id"]?.string] }
            }
            #expect(said == [["c5", "connection-per-push"]])
        }
    }

    @Test func `every real mistake has a warning`() async throws {
        try await withFixture { fixture in
            for (number, mistake) in Self.mistakes.enumerated() {
                publish(Array(Self.pushes[(15 * number)..<(15 * number + 15)]), fixture)
                publish([mistake.draft], fixture)
            }
            #expect(await worst(fixture) == Self.mistakes.map(\.lint))
        }
    }

    @Test func `an error is worse than the warnings before it`() async throws {
        try await withFixture { fixture in
            fixture.publish(Self.with("{}").setting("apns-expiration", to: "300"))
            let page = await fixture.get("/api/v1/pushes?fields=summary")
            let worst = page.json["pushes"].entries.first?["worstLint"]
            #expect(worst == ["id": "aps-missing", "severity": "error"])
        }
    }
}

import Foundation
import MockAPNs
import MockAPNsRules
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsInspector

@Suite struct VerifyTests {
    /// What is verified: two orders, one of them with another priority, and one that was refused.
    static let pushes: [PushDraft] = {
        func order(_ title: String, priority: String = "10") -> PushDraft {
            var draft = PushDraft().setting("apns-priority", to: priority)
            draft.body = Array(#"{"aps":{"alert":{"title":"\#(title)"}}}"#.utf8)
            return draft
        }
        return [order("Order paid"), order("Order shipped", priority: "5"), order("Order shipped", priority: "7")]
    }()

    private func verify(
        _ fixture: Fixture, _ body: String, path: String = "verify", accept: String? = nil
    ) async -> APIResponse {
        var request = APIRequest(method: "POST", target: "/api/v1/pushes/" + path)
        request.set("Host", "127.0.0.1:8197")
        request.set("Accept", accept)
        request.body = Array(body.utf8)
        return await fixture.api.answer(request)
    }

    static let shipped = #""match":{"payload":{"at":"/aps/alert/title","equals":"Order shipped"}}"#
    static let anyOrder = #""match":{"payload":{"at":"/aps/alert/title","startsWith":"Order"}}"#

    static let counts: [(String, Int)] = [
        ("{\(anyOrder)}", 200), (#"{\#(anyOrder),"count":2}"#, 200), (#"{\#(anyOrder),"count":{"exactly":2}}"#, 200),
        (#"{\#(anyOrder),"count":{"exactly":1}}"#, 409), (#"{\#(anyOrder),"count":{"exactly":3}}"#, 409),
        (#"{\#(anyOrder),"count":{"atLeast":2}}"#, 200), (#"{\#(anyOrder),"count":{"atLeast":3}}"#, 409),
        (#"{\#(anyOrder),"count":{"atMost":1}}"#, 409), (#"{\#(anyOrder),"count":{"atMost":2}}"#, 200),
        (#"{\#(anyOrder),"count":{"atLeast":1,"atMost":2}}"#, 200), (#"{\#(anyOrder),"count":{"never":true}}"#, 409),
        (#"{\#(anyOrder),"count":{"never":true},"after":99}"#, 200), (#"{\#(anyOrder),"count":0,"before":1}"#, 200),
        (#"{\#(anyOrder),"after":1,"count":1}"#, 200), (#"{\#(anyOrder),"before":4,"count":1}"#, 200),
        // The ends of all numbers are numbers like others.
        (#"{\#(anyOrder),"before":0}"#, 409), (#"{\#(anyOrder),"after":0,"before":0,"count":0}"#, 200),
        (#"{\#(anyOrder),"after":18446744073709551615}"#, 409),
        (#"{\#(anyOrder),"after":18446744073709551615,"before":18446744073709551615,"count":2}"#, 409),
        // A push that was refused is none that anybody got, unless that is what is asked for.
        (#"{"match":{"headers":{"apns-priority":"7"}}}"#, 409),
        (#"{"match":{"headers":{"apns-priority":"7"},"verdict":{"outcome":"rejected"}}}"#, 200),
        (#"{"match":{"verdict":{"reason":"BadPriority"}}}"#, 200), (#"{"match":{"q":"is:rejected"},"count":1}"#, 200),
        (#"{"match":{},"count":2}"#, 200),
    ]

    @Test(arguments: counts) func `a verification compares the number of pushes with what is expected`(
        body: String, status: Int
    ) async throws {
        try await withFixture { fixture in
            _ = fixture.server.world.stopClock(at: Fixture.now)
            fixture.publish(Self.pushes)
            #expect(await verify(fixture, body).status == status)
        }
    }

    static let refused: [(String, String)] = [
        ("{}", "/match"), (#"{"match":{},"count":-1}"#, "/count"),
        (#"{"match":{},"count":{"exact":1}}"#, "/count/exact"),
        (#"{"match":{},"count":{"exactly":1,"atMost":2}}"#, "/count"),
        (#"{"match":{},"count":{"never":false}}"#, "/count"),
        (#"{"match":{},"count":{"atLeast":3,"atMost":2}}"#, "/count"), (#"{"match":{},"within":"61s"}"#, "/within"),
        (#"{"match":{},"within":5}"#, "/within"), (#"{"match":{},"settle":"-1s"}"#, "/settle"),
        (#"{"match":{},"after":"x"}"#, "/after"), (#"{"match":{},"wthin":"1s"}"#, "/wthin"),
        (#"{"match":[]}"#, "/match"),
    ]

    @Test(arguments: refused) func `an invalid verification is refused`(body: String, path: String) async throws {
        try await withFixture { fixture in
            let answer = await verify(fixture, body)
            #expect(answer.status == 400)
            #expect(answer.text("errors", "0", "path") == path)
        }
    }

    @Test func `a verification that passes has its shape, and marks its pushes as verified`() async throws {
        try await withFixture { fixture in
            _ = fixture.server.world.stopClock(at: Fixture.now)
            fixture.publish(Self.pushes)
            let answer = await verify(fixture, "{\(Self.shipped)}")
            try Golden.expect(answer, is: "verified", volatile: ["elapsedMs"])
            let push = await fixture.get("/api/v1/pushes/seq:4")
            #expect(push.text("verifiedBy") == #"["vfy_1"]"#)
            #expect(await fixture.get("/api/v1/pushes/count?q=is:verified").text("count") == "1")
            // One that fails verifies nothing.
            #expect(await verify(fixture, #"{\#(Self.anyOrder),"count":9}"#).status == 409)
            #expect(await fixture.get("/api/v1/pushes/seq:1").text("verifiedBy") == "[]")
            _ = await fixture.send("POST", "/api/v1/reset")
            fixture.publish(Self.pushes)
            #expect(await fixture.get("/api/v1/pushes/count?q=is:verified").text("count") == "0")
        }
    }

    static let token = Fixture.token.lowercased()

    /// A verification, and the name of the report that a person gets.
    static let reports: [(String, String)] = [
        (
            #"{"match":{"token":"\#(token)","topic":"com.example.app","headers":{"apns-priority":"10","apns-collapse-id":{"absent":true}},"#
                + #""payload":[{"at":"/aps/alert/title","equals":"Order shipped"}]},"count":{"exactly":1},"within":"1ms"}"#,
            "near-miss"
        ), (#"{"match":{"headers":{"apns-priority":"7"}}}"#, "rejected"),
        (#"{\#(anyOrder),"count":{"exactly":1}}"#, "too-many"), (#"{\#(anyOrder),"count":{"never":true}}"#, "never"),
        (#"{\#(shipped),"after":6}"#, "too-early"), (#"{"match":{"q":"reason:BadTopic"}}"#, "search"),
        (#"{"match":{"payload":{"at":"/aps/badge","gte":1,"lte":3},"topic":{"matches":"^com\\.other"}}}"#, "operators"),
    ]

    @Test(arguments: reports) func `the reports are readable text`(body: String, name: String) async throws {
        try await withFixture { fixture in
            _ = fixture.server.world.stopClock(at: Fixture.now)
            fixture.publish(Self.pushes)
            let answer = await verify(fixture, body, accept: "text/plain")
            #expect(answer.status == 409)
            #expect(answer.contentType == "text/plain; charset=utf-8")
            try Golden.expectText(answer, is: "report-\(name)")
            let document = await verify(fixture, body)
            #expect(document.contentType == "application/problem+json")
            #expect(
                document.text("report").map(Golden.stable)
                    == Golden.stable(String(decoding: answer.bytes, as: UTF8.self)))
            if name == "near-miss" {
                try Golden.expect(document, is: "problem-verification-failed", volatile: ["ageMs", "report"])
            }
        }
    }

    @Test func `a report says that the window has no pushes`() async throws {
        try await withFixture { fixture in
            try Golden.expectText(await verify(fixture, #"{"match":{}}"#, accept: "text/plain"), is: "report-nothing")
        }
    }

    @Test func `a report says how many pushes are not kept any more`() async throws {
        try await withFixture(configure: { $0.journal.records = 1 }) { fixture in
            fixture.publish(Self.pushes)
            let answer = await verify(fixture, "{\(Self.shipped)}")
            #expect(answer.status == 409)
            #expect(answer.text("notConsidered", "evicted") == "2")
            #expect(answer.text("hints")?.contains("up to 2 pushes of the window were dropped") == true)
        }
    }

    @Test func `a report has no control characters`() async throws {
        try await withFixture { fixture in
            var hostile = PushDraft()
            hostile.body = Array(#"{"aps":{"alert":{"title":"\u001b[2J\u202e\u0007\u2028</script>"}}}"#.utf8)
            fixture.publish(hostile)
            let answer = await verify(fixture, "{\(Self.shipped)}", accept: "text/plain")
            let text = String(decoding: answer.bytes, as: UTF8.self)
            #expect(text.contains(#"\u001b[2J\u{202e}\u0007\u{2028}</script>"#))
            #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
        }
    }
}

import MockAPNs
import MockAPNsAPI
import MockAPNsFormats
import MockAPNsRules
import MockAPNsVerifying
import TestSupport
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsQuery
@testable import MockAPNsWorld

/// Searches through pushes that cost too much, are not wanted any more, or are too many.
struct ScanTests {
    /// Takes thousands of steps for each character of a text without a `y`.
    private static let hostile = #"{"match":{"body":{"matches":"(z{0,30}){0,30}y"}}}"#

    private static func push(_ body: String) -> PushDraft {
        var draft = PushDraft()
        draft.body = Array(#"{"aps":{"alert":{"body":"\#(body)"}}}"#.utf8)
        return draft
    }

    private func limits(_ change: (inout SearchLimits) -> Void) -> APISettings {
        var settings = APISettings()
        change(&settings.searches)
        return settings
    }

    @Test(arguments: [
        ("POST", "/api/v1/pushes/verify", hostile),
        ("POST", "/api/v1/pushes/verify", #"{"within":"1ms",\#(hostile.dropFirst())"#),
        ("POST", "/api/v1/pushes/verify-sequence", #"{"steps":[{"body":{"matches":"(z{0,30}){0,30}y"}}]}"#),
        ("POST", "/api/v1/pushes/verify-none-unverified", hostile),
    ]) func `conditions that cost too much are refused with the reason`(
        method: String, path: String, body: String
    ) async throws {
        try await withFixture(settings: limits { $0.steps = 100_000 }) { fixture in
            fixture.publish([Self.push(String(repeating: "z", count: 1_000)), Self.push("y")])
            let refused = await fixture.send(method, path, body)
            #expect(refused.status == 422)
            #expect(refused.text("type") == "urn:mock-apns:problem:too-much-work")
            #expect(refused.text("detail")?.contains("100000 steps on the first 1 pushes") == true)
            // What is usual costs far less.
            let usual = #"{"match":{"body":{"matches":"^z+$"}}}"#
            #expect(await fixture.send("POST", "/api/v1/pushes/verify", usual).status == 200)
        }
    }

    @Test func `a journal of any size can be searched by plain conditions`() async throws {
        try await withFixture(settings: limits { $0.steps = 5_000 }) { fixture in
            fixture.publish(Array(repeating: Self.push("Order 17"), count: 200))
            let found = await fixture.get("/api/v1/pushes/count?q=order%20type:alert&priority=10")
            #expect(found.text("count") == "200")
        }
    }

    @Test func `a fault's pattern costs a push less than its limit`() async throws {
        try await withFixture { fixture in
            fixture.publish(Self.push(String(repeating: "z", count: 3_000) + "y"), Self.push("zzzy"))
            let matcher = try #require(
                PushMatcher.read(
                    JSONParser.value(of: Array(Self.hostile.utf8))?["match"] ?? .null, at: "", now: Fixture.now))
            let condition = try #require(matcher.faultMatch(text: "{}")?.condition)
            var matched: [UInt64] = []
            _ = fixture.journal.visit(PushQuery()) { request, outline in
                if condition(request, outline) { matched.append(outline.seq) }
                return true
            }
            #expect(matched == [4])
        }
    }

    @Test(arguments: [(20, 1), (100, 0)]) func `a fault's many texts cost a push less than their limit`(
        texts: Int, matched: Int
    ) async throws {
        try await withFixture { fixture in
            fixture.publish(Self.push("Order 17"))
            let search = (1...texts).map { "!never\($0)" }.joined(separator: " ")
            let matcher = try #require(PushMatcher.read(["q": .string(search)], at: "", now: Fixture.now))
            let condition = try #require(matcher.faultMatch(text: "{}")?.condition)
            var count = 0
            _ = fixture.journal.visit(PushQuery()) { request, outline in
                if condition(request, outline) { count += 1 }
                return true
            }
            #expect(count == matched)
        }
    }

    @Test func `a search that is refused may be retried`() {
        let response = APIResponse.problem(Problem(.tooBusy(waiting: 1)), to: APIRequest(target: "/"))
        #expect(response.status == 503)
        #expect(response[header: "Retry-After"] == "1")
    }

    @Test func `a waiting request does not keep others from searching`() async throws {
        let limits = limits { limits in
            limits.running = 1
            limits.waiting = 1
        }
        try await withFixture(settings: limits) { fixture in
            async let waiting = fixture.get("/api/v1/pushes?wait=60s&topic=com.example.other")
            await eventually { fixture.api.subject.pushes.waits.count >= 1 }
            #expect(await fixture.get("/api/v1/pushes").status == 200)
            fixture.publish(PushDraft().setting("apns-topic", to: "com.example.other"))
            #expect(await waiting.text("satisfied") == "true")
        }
    }
}

extension PushMatcher {
    fileprivate static func read(_ value: JSONValue, at pointer: String, now: Timestamp) -> PushMatcher? {
        var complaints: [Complaint] = []
        return read(value, at: pointer, now: now, complaints: &complaints)
    }
}

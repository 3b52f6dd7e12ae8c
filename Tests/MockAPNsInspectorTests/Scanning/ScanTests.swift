import MockAPNs
import MockAPNsFormats
import MockAPNsRules
import Synchronization
import TestSupport
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsQuery
@testable import MockAPNsWorld

/// Searches through pushes that cost too much, are not wanted any more, or are too many.
@Suite(.timeLimit(.minutes(5))) struct ScanTests {
    /// Takes thousands of steps for each character of a text without a `y`.
    private static let hostile = #"{"match":{"body":{"matches":"(z{0,30}){0,30}y"}}}"#

    private static func push(_ body: String) -> PushDraft {
        var draft = PushDraft()
        draft.body = Array(#"{"aps":{"alert":{"body":"\#(body)"}}}"#.utf8)
        return draft
    }

    private func limits(_ change: (inout APILimits) -> Void) -> APILimits {
        var limits = APILimits()
        change(&limits)
        return limits
    }

    @Test(arguments: [
        ("POST", "/api/v1/pushes/verify", hostile),
        ("POST", "/api/v1/pushes/verify", #"{"within":"1ms",\#(hostile.dropFirst())"#),
        ("POST", "/api/v1/pushes/verify-sequence", #"{"steps":[{"body":{"matches":"(z{0,30}){0,30}y"}}]}"#),
        ("POST", "/api/v1/pushes/verify-none-unverified", hostile),
    ])
    func `conditions that cost too much are refused with what was too much`(
        method: String,
        path: String,
        body: String
    ) async throws {
        try await withFixture(limits: limits { $0.steps = 100_000 }) { fixture in
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
        try await withFixture(limits: limits { $0.steps = 5_000 }) { fixture in
            fixture.publish(Array(repeating: Self.push("Order 17"), count: 200))
            let found = await fixture.get("/api/v1/pushes/count?q=order%20type:alert&priority=10")
            #expect(found.text("count") == "200")
        }
    }

    @Test func `a pattern of a fault costs a push little`() async throws {
        try await withFixture { fixture in
            fixture.publish(Self.push(String(repeating: "z", count: 3_000) + "y"), Self.push("zzzy"))
            let matcher = try #require(
                PushMatcher.read(
                    JSONParser.value(of: Array(Self.hostile.utf8))?["match"] ?? .null,
                    at: "",
                    now: Fixture.now
                )
            )
            let condition = try #require(matcher.faultCondition(in: fixture.subject.context))
            var matched: [UInt64] = []
            _ = fixture.journal.visit(PushQuery()) { request, outline in
                if condition(request, outline) { matched.append(outline.seq) }
                return true
            }
            #expect(matched == [4])
        }
    }

    @Test(arguments: [StreamStop.Cause.clientGone, .shutdown, .namespaceGone])
    func `a search ends with its client, the server and the namespace`(
        cause: StreamStop.Cause
    ) async throws {
        try await withFixture { fixture in
            fixture.publish(Array(repeating: PushDraft(), count: 10))
            let stop = StreamStop()
            let presence = ClientPresence(begin: { _ in stop }, end: { _ in })
            let limits = limits { limits in
                limits.slice = .zero
                limits.patience = .zero
            }
            let scan = Scan(ScanQueue(limits), for: presence)
            var count = 0
            await #expect(throws: SearchFailure.self) {
                _ = try await scan.visit(fixture.journal, PushQuery()) { _, _ in
                    count += 1
                    if count == 3 { stop.ask(cause) }
                    return true
                }
            }
            #expect(count == 3)
        }
    }

    /// Runs a search when it is its turn.
    private func inTurn<Result>(
        _ queue: ScanQueue,
        _ search: () async -> Result
    ) async throws(SearchFailure) -> Result {
        let scan = Scan(queue)
        try await scan.begin()
        defer { scan.end() }
        return await search()
    }

    @Test func `a few search at the same time, some wait, and more are refused`() async throws {
        let queue = ScanQueue(
            limits { limits in
                limits.running = 1
                limits.waiting = 1
            }
        )
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let (entries, entered) = AsyncStream.makeStream(of: Void.self)
        async let first = inTurn(queue) {
            entered.yield()
            for await _ in gate { break }
            return 1
        }
        for await _ in entries { break }
        let isOpen = Atomic(false)
        let hasBegun = Atomic(false)
        async let second = inTurn(queue) {
            let isItsTurn = isOpen.load(ordering: .relaxed)
            #expect(isItsTurn, "two search at the same time")
            hasBegun.store(true, ordering: .relaxed)
            return 2
        }
        while queue.waitingCount < 1, !hasBegun.load(ordering: .relaxed) { await Task.yield() }
        // A third that is not refused waits for the first, which must go on then: the test fails, and ends.
        let rescue = Task {
            while queue.waitingCount < 2 {
                try Task.checkCancellation()
                await Task.yield()
            }
            open.yield()
        }
        let refusal = await #expect(throws: SearchFailure.self) {
            _ = try await inTurn(queue) { 3 }
        }
        rescue.cancel()
        #expect(refusal == .tooBusy(waiting: 1))
        let response = APIResponse.problem(Problem(try #require(refusal)))
        #expect(response.status == 503)
        #expect(response[header: "Retry-After"] == "1")
        isOpen.store(true, ordering: .relaxed)
        open.yield()
        #expect(try await first == 1)
        #expect(try await second == 2)
        #expect(try await inTurn(queue) { 3 } == 3)
    }

    @Test func `a request that waits for pushes keeps no other from searching`() async throws {
        let limits = limits { limits in
            limits.running = 1
            limits.waiting = 1
        }
        try await withFixture(limits: limits) { fixture in
            async let waiting = fixture.get("/api/v1/pushes?wait=60s&topic=com.example.other")
            while fixture.api.subject.waits.count < 1 { await Task.yield() }
            #expect(await fixture.get("/api/v1/pushes").status == 200)
            fixture.publish(PushDraft().setting("apns-topic", to: "com.example.other"))
            #expect(await waiting.text("satisfied") == "true")
        }
    }
}

extension PushMatcher {
    fileprivate static func read(
        _ value: JSONValue,
        at pointer: String,
        now: Timestamp
    ) -> PushMatcher? {
        var complaints: [Complaint] = []
        return read(value, at: pointer, now: now, complaints: &complaints)
    }
}

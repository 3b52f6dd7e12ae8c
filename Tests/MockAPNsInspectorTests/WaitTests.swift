import MockAPNs
import MockAPNsRules
import Synchronization
import TestSupport
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsWorld

/// Requests that wait for pushes (`wait`, `within`): what they wait for, and everything that ends them.
struct WaitTests {
    /// Returns when this many clients are waiting.
    private func until(_ count: Int, wait in: InspectedServer) async {
        await eventually { `in`.pushes.waits.count == count }
    }

    @Test func `a wait ends with the push that it is for`() async throws {
        try await withFixture { fixture in
            fixture.publish(PushDraft())
            async let answer = fixture.get("/api/v1/pushes?topic=com.example.other&wait=60s&after=0")
            await until(1, wait: fixture.api.subject)
            fixture.publish(PushDraft())
            fixture.publish(PushDraft().setting("apns-topic", to: "com.example.other"))
            let satisfied = await answer
            #expect(satisfied.text("satisfied") == "true")
            #expect(satisfied.text("matched") == "1")
            #expect(satisfied.text("nextAfter") == "\(fixture.journal.extent.lastSeq)")
            await until(0, wait: fixture.api.subject)
        }
    }

    @Test func `a push that is there already ends a wait at once`() async throws {
        try await withFixture { fixture in
            fixture.publish(PushDraft(), PushDraft())
            for path in ["?wait=60s&count=2", "/count?wait=60s&count=2", "/latest?wait=60s"] {
                #expect(await fixture.get("/api/v1/pushes" + path).status == 200)
            }
            #expect(await fixture.get("/api/v1/pushes?wait=0s&count=3").text("satisfied") == "false")
        }
    }

    @Test func `a wait without a match says so and is not an error`() async throws {
        try await withFixture { fixture in
            fixture.publish(PushDraft())
            let page = await fixture.get("/api/v1/pushes?wait=1ms&count=2")
            #expect(page.status == 200)
            #expect(page.text("satisfied") == "false")
            #expect(page.text("matched") == "1")
            #expect(await fixture.get("/api/v1/pushes/count?wait=1ms&count=2").text("count") == "1")
            #expect(await fixture.get("/api/v1/pushes/latest?wait=1ms&topic=x").status == 404)
        }
    }

    @Test(arguments: ["wait=61s", "wait=-1s", "wait=x", "wait=1s&count=0", "wait=1s&count=x", "count=2"])
    func `an invalid wait is refused`(query: String) async throws {
        try await withFixture { fixture in #expect(await fixture.get("/api/v1/pushes?" + query).status == 400) }
    }

    @Test func `a push that becomes what is waited for ends the wait`() async throws {
        try await withFixture { fixture in
            _ = fixture.server.world.stopClock(at: Fixture.now)
            _ = await fixture.send(
                "POST", "/api/v1/devices",
                #"{"label":"alice","state":"offline","registrations":[{"token":"aaaa","topic":"com.example.app"}]}"#)
            var push = PushDraft().setting("apns-expiration", to: "4000000000")
            push.path = "/3/device/aaaa"
            fixture.publish(push)
            async let byParameter = fixture.get("/api/v1/pushes?delivery=delivered-from-storage&wait=60s")
            async let bySearch = fixture.get("/api/v1/pushes/count?q=is%3Adelivered&wait=60s")
            async let verified = fixture.send(
                "POST", "/api/v1/pushes/verify", #"{"match":{"delivery":{"startsWith":"delivered"}},"within":"60s"}"#)
            await until(3, wait: fixture.api.subject)
            _ = await fixture.send("PATCH", "/api/v1/devices/@alice", #"{"state":"online"}"#)
            #expect(await byParameter.text("satisfied") == "true")
            #expect(await bySearch.text("count") == "1")
            #expect(await verified.status == 200)
        }
    }

    @Test func `a reset removes what a wait has counted`() async throws {
        try await withFixture { fixture in
            fixture.publish(PushDraft())
            async let answer = fixture.get("/api/v1/pushes/count?wait=60s&count=2")
            await until(1, wait: fixture.api.subject)
            _ = await fixture.send("POST", "/api/v1/reset")
            fixture.publish(PushDraft())
            fixture.publish(PushDraft())
            #expect(await answer.text("count") == "2")
        }
    }

    @Test func `1,000 waits at once hold no thread`() async throws {
        try await withFixture { fixture in
            let subject = fixture.api.subject
            let satisfied = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<1_000 {
                    group.addTask {
                        let answer = await fixture.get(
                            "/api/v1/pushes?wait=60s&fields=summary&payload[/n]=\(number % 10)")
                        return answer.text("satisfied") == "true" && answer.text("matched") == "1"
                    }
                }
                await until(1_000, wait: subject)
                for number in 0..<10 {
                    var push = PushDraft()
                    push.body = Array(#"{"aps":{},"n":\#(number)}"#.utf8)
                    fixture.publish(push)
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(satisfied == 1_000)
            await until(0, wait: subject)
        }
    }

    // MARK: Verifying

    @Test func `a verification waits for enough, and then for one too many`() async throws {
        try await withFixture { fixture in
            func verify(_ count: String, _ times: String) async -> APIResponse {
                await fixture.send("POST", "/api/v1/pushes/verify", #"{"match":{},"count":\#(count),\#(times)}"#)
            }
            async let enough = verify(#"{"exactly":2}"#, #""within":"60s""#)
            await until(1, wait: fixture.api.subject)
            fixture.publish(PushDraft())
            fixture.publish(PushDraft())
            #expect(await enough.status == 200)

            async let tooMany = verify(#"{"exactly":2}"#, #""within":"1s","settle":"60s""#)
            async let never = verify(#"{"atMost":2}"#, #""within":"60s""#)
            await until(2, wait: fixture.api.subject)
            fixture.publish(PushDraft())
            #expect(await tooMany.text("count") == "3")
            #expect(await never.status == 409)
            #expect(await verify(#"{"exactly":3}"#, #""settle":"1ms""#).status == 200)
            #expect(await verify(#"{"never":true}"#, #""within":"1ms","after":999"#).status == 200)
            #expect(await verify(#"{"atLeast":4}"#, #""within":"1ms""#).status == 409)
        }
    }

    @Test func `a sequence is waited for`() async throws {
        try await withFixture { fixture in
            let body = #"{"steps":[{"priority":10},{"priority":5}],"within":"60s"}"#
            async let answer = fixture.send("POST", "/api/v1/pushes/verify-sequence", body)
            await until(1, wait: fixture.api.subject)
            fixture.publish(PushDraft())
            fixture.publish(PushDraft().setting("apns-priority", to: "5"))
            #expect(await answer.status == 200)
        }
    }

    // MARK: Over a socket

    @Test(arguments: HeldConnection.Departure.allCases) func `a wait ends when its client leaves`(
        way: HeldConnection.Departure
    ) async throws {
        try await withInspector { _, inspector, port in
            var client: HeldConnection? = try await HeldConnection.open(port: port)
            try await client?.send("GET /api/v1/pushes?wait=60s HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await until(1, wait: inspector.subject)
            client?.depart(way)
            if way != .halfClose { client = nil }
            await until(0, wait: inspector.subject)
        }
    }

    @Test func `a stopping server ends every wait and says why`() async throws {
        let text = Mutex("")
        try await withInspector { _, inspector, port in
            let client = try await HeldConnection.open(port: port)
            try await client.send("GET /api/v1/pushes?wait=60s HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await until(1, wait: inspector.subject)
            try await inspector.stop(grace: .seconds(3_600))
            let answer = try await client.readToEnd()
            text.withLock { $0 = answer }
        }
        #expect(text.withLock { $0 }.hasPrefix("HTTP/1.1 503 "))
        #expect(text.withLock { $0 }.contains("urn:mock-apns:problem:not-ready"))
    }

    @Test(arguments: [
        "GET /api/v1/namespaces/a/pushes?wait=60s HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /api/v1/namespaces/a/pushes/latest?wait=60s HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /api/v1/namespaces/a/pushes/count?wait=60s HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "POST /api/v1/namespaces/a/pushes/verify HTTP/1.1\r\nHost: localhost\r\nContent-Length: 27\r\n\r\n"
            + #"{"match":{},"within":"60s"}"#,
        "POST /api/v1/namespaces/a/pushes/verify-sequence HTTP/1.1\r\nHost: localhost\r\n"
            + "Content-Length: 29\r\n\r\n" + #"{"steps":[{}],"within":"60s"}"#,
    ]) func `a namespace that is removed ends its waits, and no others`(request: String) async throws {
        try await withInspector { server, inspector, port in
            _ = try await server.namespaces.add(.init(name: "a"))
            let client = try await HeldConnection.open(port: port)
            try await client.send(request)
            let other = try await HeldConnection.open(port: port)
            try await other.send("GET /api/v1/pushes?wait=60s HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await until(2, wait: inspector.subject)
            #expect(await server.namespaces.remove("a"))
            let answer = try await client.read(until: "namespace-gone")
            #expect(answer.hasPrefix("HTTP/1.1 409 "))
            await until(1, wait: inspector.subject)
            let batch = RecordBatch()
            batch.begin(by: server.world.ruleset)
            PushDraft().append(to: batch, ruleset: server.world.ruleset)
            server.world.journal.publish(batch)
            #expect(try await other.read(until: "waitedMs").contains(#""satisfied":true"#))
        }
    }

    @Test func `a connection that waits is not idle`() async throws {
        // On a busy machine the idle time may pass before the request is read; it cannot while it is being answered.
        var wasAnswered = false
        for seconds in [1, 5, 20] where !wasAnswered {
            let settings = APISettings(idle: .seconds(Int64(seconds)), heartbeat: .seconds(3_600))
            try await withInspector(settings: settings) { _, _, port in
                let client = try await HeldConnection.open(port: port)
                let request = "GET /api/v1/pushes?wait=\(seconds * 2)s HTTP/1.1\r\nHost: localhost\r\n\r\n"
                try await client.send(request)
                // A connection that ended meanwhile is an error here, and is tried again.
                let answer = try? await client.read(until: "waitedMs")
                wasAnswered = answer?.contains(#""satisfied":false"#) == true
            }
        }
        #expect(wasAnswered)
    }

    @Test func `the journal has no listener while nothing waits`() async throws {
        try await withFixture { fixture in
            let world = fixture.journal.world
            #expect(world.listenerCount == 0)
            async let answer = fixture.get("/api/v1/pushes?wait=60s")
            await until(1, wait: fixture.api.subject)
            #expect(world.listenerCount == 1)
            fixture.publish(PushDraft())
            _ = await answer
            await eventually { world.listenerCount == 0 }
        }
    }
}

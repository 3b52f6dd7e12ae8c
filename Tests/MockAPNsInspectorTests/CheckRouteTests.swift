import MockAPNs
import MockAPNsFormats
import MockAPNsRules
import MockAPNsWorld
import Testing

@testable import MockAPNsInspector

/// Pushes that are judged but not sent.
struct CheckRouteTests {
    private func check(_ body: String, on fixture: Fixture) async -> APIResponse {
        await fixture.send("POST", "/api/v1/pushes/check", body)
    }

    @Test(arguments: SendRouteTests.cases) func `a check has the answer that sending has`(
        row: SendRouteTests.Case
    ) async throws {
        try await withFixture { fixture in
            let checked = await check(row.body, on: fixture)
            #expect(checked.status == 200, "\(checked.json)")
            #expect(checked.text("response", "status") == "\(row.status)", "\(checked.json)")
            #expect(checked.text("response", "reason") == row.reason ?? "null")
            let sent = await fixture.send("POST", "/api/v1/pushes/send", row.body)
            #expect(checked.text("lints") == sent.text("push", "lints"))
            for member in ["check", "hint", "meaning", "outcome", "decidedBy", "status"] {
                #expect(checked.text("verdict", member) == sent.text("push", "verdict", member), "\(member)")
            }
        }
    }

    @Test func `a check has a verdict and warnings`() async throws {
        try await withFixture { fixture in
            let body = #"{"pushType":"background","priority":10,"text":"{\"aps\":{\"badge\":\"3\"}}"}"#
            try Golden.expect(await check(body, on: fixture), is: "push-check")
        }
    }

    @Test func `nothing is recorded, created, counted or delivered`() async throws {
        try await withFixture {
            $0.rules.isStrict = true
            $0.rules.tokenUpdateScope = .key
            $0.rules.deviceRate = RuleOptions.Rate(count: 2, interval: 3_600_000_000)
        } _: { fixture in
            func world() async -> [JSONValue] {
                var objects: [JSONValue] = []
                for path in ["seq", "devices", "keys", "connections", "settings"] {
                    objects.append(await fixture.get("/api/v1/\(path)").json)
                }
                return objects
            }
            let before = await world()
            for _ in 0..<5 { #expect(await check("{}", on: fixture).text("response", "status") == "200") }
            #expect(await world() == before)
            #expect(fixture.journal.extent.lastSeq == 0)

            // A device's rate counts only pushes that are sent.
            let sent = await fixture.send("POST", "/api/v1/pushes/send", "{}")
            #expect(sent.text("response", "status") == "200", "\(sent.json)")
            for _ in 0..<5 { #expect(await check("{}", on: fixture).text("response", "status") == "200") }
            #expect(await fixture.send("POST", "/api/v1/pushes/send", "{}").text("response", "status") == "200")
            #expect(await check("{}", on: fixture).text("response", "reason") == "TooManyRequests")
        }
    }

    @Test func `a check uses registered devices but no faults`() async throws {
        try await withFixture {
            $0.rules.isStrict = true
        } _: { fixture in
            let device = #"{"label":"alice","registrations":[{"topic":"com.a","token":"00ff"}]}"#
            #expect(await fixture.send("POST", "/api/v1/devices", device).status == 201)
            let fault = #"{"do":{"respond":{"status":503}}}"#
            let added = await fixture.send("POST", "/api/v1/faults", fault)
            #expect(added.status == 201, "\(added.json)")
            let rows = [
                (#"{"token":"@alice"}"#, "null"), (#"{"token":"00ff","topic":"com.b"}"#, "DeviceTokenNotForTopic"),
                (#"{"token":"00aa","topic":"com.a"}"#, "BadDeviceToken"), (#"{"topic":"com.c"}"#, "null"),
            ]
            for (body, reason) in rows {
                let checked = await check(body, on: fixture)
                #expect(checked.text("response", "reason") == reason, "\(checked.json)")
            }
            #expect(await fixture.get("/api/v1/faults").text("faults", "0", "stats", "evaluated") == "0")
            let nobody = await check(#"{"token":"@bob"}"#, on: fixture)
            #expect(nobody.status == 404 && nobody.text("type")?.hasSuffix("unknown-device") == true)
            #expect(await check(#"{"titel":"Hi"}"#, on: fixture).text("errors", "0", "path") == "/titel")
        }
    }

    @Test func `a server that has stopped answers with a problem`() async throws {
        let server = try await MockAPNsServer(Configuration())
        let fixture = Fixture(of: server)
        try await server.stop(grace: .zero)
        let refused = await check("{}", on: fixture)
        #expect(refused.status == 503 && refused.text("type")?.hasSuffix("not-ready") == true)
    }
}

import MockAPNsRules
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsInspector

@Suite struct ClockRoutesTests {
    private static let day = #"{"mode":"frozen","now":"2030-06-01T12:00:00+02:00"}"#

    /// Lends a fixture whose clock stands at 2030-06-01T10:00:00Z.
    private func withStoppedClock(_ use: (Fixture) async throws -> Void) async throws {
        try await withFixture { fixture in
            #expect(await fixture.send("PUT", "/api/v1/clock", Self.day).status == 200)
            try await use(fixture)
        }
    }

    private func mode(_ fixture: Fixture) -> WorldClock.Mode { fixture.server.world.clock.mode }

    @Test func `the clock begins as the system's`() async throws {
        try await withFixture { fixture in
            let before = fixture.server.world.clock.read().system
            let clock = await fixture.get("/api/v1/clock")
            let after = fixture.server.world.clock.read().system
            #expect(clock.status == 200)
            #expect(clock.text("mode") == "real")
            #expect(clock.text("offsetSeconds") == "0")
            #expect(clock.text("nextDue") == "null")
            let now = try #require(clock.text("now").flatMap { Timestamp(rfc3339: $0) })
            #expect((before...after).contains(now))
        }
    }

    @Test func `a stopped clock is shown as frozen`() async throws {
        try await withFixture { fixture in
            let set = await fixture.send("PUT", "/api/v1/clock", Self.day)
            try Golden.expect(set, is: "clock-set", volatile: ["offsetSeconds"])
            #expect(mode(fixture) == .stopped(at: Timestamp(seconds: 1_906_538_400)))
            let shown = await fixture.get("/api/v1/clock")
            try Golden.expect(shown, is: "clock-frozen", volatile: ["offsetSeconds"])
            let offset = try #require(shown.text("offsetSeconds").flatMap { Double($0) })
            let system = fixture.server.world.clock.read().system.seconds
            #expect(abs(1_906_538_400 - system - offset) < 60)
        }
    }

    @Test func `a clock can be stopped at its present time`() async throws {
        try await withStoppedClock { fixture in
            // Twice: a clock that stands is not moved.
            for _ in 0..<2 {
                #expect(await fixture.send("PUT", "/api/v1/clock", #"{"mode":"frozen"}"#).status == 200)
                #expect(mode(fixture) == .stopped(at: Timestamp(seconds: 1_906_538_400)))
            }
            let start = #"{"mode":"real","now":"2030-06-01T10:00:00Z"}"#
            #expect(await fixture.send("PUT", "/api/v1/clock", start).text("mode") == "real")
            let before = fixture.server.world.clock.read().world
            _ = await fixture.send("PUT", "/api/v1/clock", #"{"mode":"frozen"}"#)
            let after = fixture.server.world.clock.read().world
            #expect(before >= Timestamp(seconds: 1_906_538_400))
            #expect(after >= before)
            #expect(after < Timestamp(seconds: 1_906_542_000))
            #expect(mode(fixture) == .stopped(at: after))
        }
    }

    @Test func `a clock can run from any time, and as the system's again`() async throws {
        try await withFixture { fixture in
            let before = fixture.server.world.clock.read().system
            let set = await fixture.send("PUT", "/api/v1/clock", #"{"mode":"real","now":"1999-12-31T23:59:59.5Z"}"#)
            let after = fixture.server.world.clock.read().system
            #expect(set.text("mode") == "real")
            guard case .running(let offset) = mode(fixture) else {
                Issue.record("the clock stands")
                return
            }
            let wanted = Timestamp(microseconds: 946_684_799_500_000)
            #expect((wanted.microseconds(since: after)...wanted.microseconds(since: before)).contains(offset))
            let shown = try #require(set.text("offsetSeconds").flatMap { Double($0) })
            #expect(abs(shown - Double(offset) / 1_000_000) < 0.000_01)

            let back = await fixture.send("PUT", "/api/v1/clock", #"{"mode":"real"}"#)
            #expect(mode(fixture) == .running(offset: 0))
            #expect(back.text("offsetSeconds") == "0")
        }
    }

    @Test func `time goes forward, whether the clock stands or runs`() async throws {
        let steps: [(by: String, microseconds: Int64)] = [
            ("1ms", 1_000), ("90s", 90_000_000), ("5m", 300_000_000), ("1h", 3_600_000_000), ("30d", 2_592_000_000_000),
            ("36525d", 3_155_760_000_000_000),
        ]
        try await withFixture { fixture in
            for (by, microseconds) in steps {
                _ = await fixture.send("PUT", "/api/v1/clock", Self.day)
                let answer = await fixture.send("POST", "/api/v1/clock/advance", #"{"by":"\#(by)"}"#)
                #expect(answer.status == 200)
                let moment = Timestamp(microseconds: 1_906_538_400_000_000 + microseconds)
                #expect(mode(fixture) == .stopped(at: moment))
                #expect(answer.text("now") == moment.rfc3339)
                #expect(answer.text("namespacesExpired") == "[]")

                _ = await fixture.send("PUT", "/api/v1/clock", #"{"mode":"real"}"#)
                let running = await fixture.send("POST", "/api/v1/clock/advance", #"{"by":"\#(by)"}"#)
                #expect(mode(fixture) == .running(offset: microseconds))
                let offset = running.text("offsetSeconds").flatMap { Double($0) }
                #expect(offset == Double(microseconds) / 1_000_000)
            }
        }
    }

    @Test func `what becomes due happens before the response`() async throws {
        try await withFixture { fixture in
            _ = fixture.server.world.stopClock(at: Fixture.now)
            let device = """
                {"label":"alice","state":"offline",
                 "registrations":[{"token":"\(Fixture.token)","topic":"com.example.app"}]}
                """
            #expect(await fixture.send("POST", "/api/v1/devices", device).status == 201)
            fixture.publish(PushDraft().setting("apns-expiration", to: "1767611472"))
            #expect(await fixture.get("/api/v1/clock").text("nextDue") == "2026-01-05T11:11:12.000000Z")
            let early = await fixture.send("POST", "/api/v1/clock/advance", #"{"by":"3599654ms"}"#)
            #expect(early.text("expired") == "[]")
            let due = await fixture.send("POST", "/api/v1/clock/advance", #"{"by":"1ms"}"#)
            try Golden.expect(due, is: "clock-advanced", volatile: ["offsetSeconds"])
            #expect(due.text("expiredCount") == "1")
            let id = try #require(due.text("expired", "0"))
            let push = await fixture.get("/api/v1/pushes/\(id)")
            #expect(push.text("delivery", "state") == "discarded-expired")
        }
    }

    private static let setting = "PUT /api/v1/clock"
    private static let advancing = "POST /api/v1/clock/advance"

    static let mistakes: [(target: String, body: String, status: Int, pointer: String, suggestion: String?)] = [
        (setting, "", 400, "", nil), (setting, "{", 400, "", nil), (setting, "[]", 400, "", nil),
        (setting, "{}", 400, "/mode", nil), (setting, #"{"mode":"frosen"}"#, 400, "/mode", "frozen"),
        (setting, #"{"mode":null}"#, 400, "/mode", nil), (setting, #"{"mode":"real","noww":"x"}"#, 400, "/noww", "now"),
        (setting, #"{"mode":"frozen","now":"2026-01-05"}"#, 400, "/now", nil),
        (setting, #"{"mode":"frozen","now":1767607872}"#, 400, "/now", nil),
        (setting, #"{"mode":"frozen","now":"0000-12-31T23:59:59Z"}"#, 422, "/now", nil),
        (setting, #"{"mode":"real","now":"9999-12-31T23:59:59-00:01"}"#, 422, "/now", nil),
        (advancing, "", 400, "", nil), (advancing, "{}", 400, "/by", nil),
        (advancing, #"{"by":3600}"#, 400, "/by", nil), (advancing, #"{"by":"1w"}"#, 400, "/by", nil),
        (advancing, #"{"by":"99999999999999999d"}"#, 400, "/by", nil), (advancing, #"{"by":"0s"}"#, 422, "/by", nil),
        (advancing, #"{"by":"-1h"}"#, 422, "/by", nil), (advancing, #"{"by":"36526d"}"#, 422, "/by", nil),
    ]

    @Test func `a mistake is reported, and the clock does not change`() async throws {
        try await withStoppedClock { fixture in
            for (target, body, status, pointer, suggestion) in Self.mistakes {
                let words = target.split(separator: " ").map(String.init)
                let answer = await fixture.send(words[0], words[1], body)
                #expect(answer.status == status, "\(body)")
                #expect(answer.text("errors", "0", "path") == pointer, "\(body)")
                #expect(answer.text("errors", "0", "suggestion") == suggestion ?? "null", "\(body)")
                #expect(mode(fixture) == .stopped(at: Timestamp(seconds: 1_906_538_400)), "\(body)")
            }
        }
    }

    @Test func `the clock stays within the years that can be written`() async throws {
        try await withFixture { fixture in
            for (moment, now) in [
                ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"),
                ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000Z"),
            ] {
                let body = #"{"mode":"frozen","now":"\#(moment)"}"#
                #expect(await fixture.send("PUT", "/api/v1/clock", body).text("now") == now)
            }
            _ = await fixture.send("PUT", "/api/v1/clock", #"{"mode":"frozen","now":"9990-01-01T00:00:00Z"}"#)
            let beyond = await fixture.send("POST", "/api/v1/clock/advance", #"{"by":"3652d"}"#)
            try Golden.expect(beyond, is: "problem-clock-range")
            #expect(beyond.status == 422)
            #expect(await fixture.send("POST", "/api/v1/clock/advance", #"{"by":"3651d"}"#).status == 200)
        }
    }
}

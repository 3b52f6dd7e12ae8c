import MockAPNsFormats
import MockAPNsRules
import Testing

@testable import MockAPNsAPI
@testable import MockAPNsInspector
@testable import MockAPNsWorld

@Suite struct FeedbackRoutesTests {
    private static let second = "bb" + Fixture.token.lowercased().dropFirst(2)

    /// Lends a fixture in which two apps were removed, an hour apart.
    private func withDeadTokens(_ use: (Fixture) async throws -> Void) async throws {
        try await withFixture { fixture in
            let devices = """
                [{"label":"alice","registrations":[{"token":"\(Fixture.token)","topic":"com.example.app"}]},
                 {"registrations":[{"token":"\(Self.second)","topic":"com.example.app"}]}]
                """
            _ = await fixture.send("PUT", "/api/v1/clock", #"{"mode":"frozen","now":"2030-06-01T10:00:00Z"}"#)
            #expect(await fixture.send("PUT", "/api/v1/devices", devices).status == 200)
            for token in [Fixture.token, Self.second] {
                let gone = #"{"state":"uninstalled"}"#
                #expect(await fixture.send("PATCH", "/api/v1/registrations/\(token)", gone).status == 200)
                _ = await fixture.send("POST", "/api/v1/clock/advance", #"{"by":"1h"}"#)
            }
            try await use(fixture)
        }
    }

    private func tokens(_ answer: APIResponse) -> [String?] {
        guard case .array(let entries)? = answer.json["feedback"] else { return [] }
        return entries.map { $0.text(["token"]) }
    }

    @Test func `dead tokens are listed, oldest first`() async throws {
        try await withDeadTokens { fixture in try Golden.expect(await fixture.get("/api/v1/feedback"), is: "feedback") }
    }

    @Test func `pushes answered 410 are counted`() throws {
        var record = FeedbackList.Record(cause: .fault)
        for second: Int64 in [1, 2, 5] {
            record.report(at: Timestamp(microseconds: Fixture.now.microseconds + second * 1_000_000))
        }
        let entry = FeedbackEntry(
            token: try #require(DeviceToken(hex: "AABB")), topic: nil, unregisteredAt: Fixture.now, record: record)
        let shown: JSONValue = [
            "token": "aabb", "device": .null, "topic": .null, "cause": "fault", "reported410": 3,
            "unregisteredAt": "2026-01-05T10:11:12.345678Z", "lastReportedAt": "2026-01-05T10:11:17.345678Z",
            "pushesAfterFirst410": 2, "readAt": .null,
        ]
        #expect(APIObject<FeedbackShape>(entry).json.read == shown)
    }

    @Test func `a list can begin at a time`() async throws {
        try await withDeadTokens { fixture in
            for (since, expected) in [
                ("2030-06-01T10:00:00Z", [Fixture.token.lowercased(), Self.second]),
                ("2030-06-01T10:00:00.000001Z", [Self.second]), ("2030-06-01T12:00:00%2B01:00", [Self.second]),
                ("2030-06-01T11:00:01Z", []),
            ] { #expect(tokens(await fixture.get("/api/v1/feedback?since=\(since)")) == expected, "\(since)") }
            let mistake = await fixture.get("/api/v1/feedback?since=yesterday")
            #expect(mistake.status == 400)
            #expect(mistake.text("errors", "0", "path") == "since")
            // In a query, a plus sign stands for a space.
            #expect(await fixture.get("/api/v1/feedback?since=2030-06-01T12:00:00+01:00").status == 400)
        }
    }

    @Test func `a list is sent as lines if the request accepts them`() async throws {
        try await withDeadTokens { fixture in
            let lines = await fixture.get("/api/v1/feedback", accept: "application/x-ndjson")
            #expect(lines.contentType == "application/x-ndjson")
            #expect(lines.bytes.split(separator: UInt8(ascii: "\n")).count == 2)
        }
    }

    @Test func `the list can be emptied`() async throws {
        try await withDeadTokens { fixture in
            for deleted in ["2", "0"] {
                let answer = await fixture.send("DELETE", "/api/v1/feedback")
                #expect(answer.status == 200)
                #expect(answer.text("deleted") == deleted)
                #expect(tokens(await fixture.get("/api/v1/feedback")).isEmpty)
            }
            // The tokens are dead all the same.
            let state = await fixture.get("/api/v1/registrations/\(Self.second)").text("state")
            #expect(state == "uninstalled")
        }
    }
}

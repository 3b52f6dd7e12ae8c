import MockAPNsFormats
import MockAPNsRules
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsInspector

/// `GET /api/v1/devices`.
@Suite struct DeviceListTests {
    /// Five devices: alice, bob (offline), carol, one without a label, and one that a push made.
    private func withSome(_ use: (Fixture) async throws -> Void) async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            let list = """
                [{"label":"bob","state":"offline","registrations":[{"token":"b0b0","topic":"com.example.app"}]},
                 {"label":"Carol","registrations":[{"token":"ca01","topic":"com.example.other"}]},
                 {"registrations":[{"token":"dada","topic":"com.example.app"}]}]
                """
            #expect(await fixture.send("PUT", "/api/v1/devices", list).status == 200)
            fixture.publish(PushDraft())
            try await use(fixture)
        }
    }

    static let queries: [(query: String, places: [Int])] = [
        ("", [0, 1, 2, 3, 4]), ("state=offline", [1]), ("state=online", [0, 2, 3, 4]), ("topic=com.example.other", [2]),
        ("topic=com.example.other&topic=com.example.app", [0, 1, 2, 3, 4]), ("topic=com.example", []), ("q=CAROL", [2]),
        ("q=b0B", [1]), ("q=o", [1, 2]), ("q=zz", []), ("limit=2", [0, 1]), ("after=dev_0000000000000002", [3, 4]),
        ("after=dev_0000000000000004", []), ("state=online&limit=1&after=dev_0000000000000000", [2]),
        ("q=a&topic=com.example.app&state=online", [0, 3, 4]),
    ]

    @Test(arguments: queries) func `a query finds its devices`(query: String, places: [Int]) async throws {
        try await withSome { fixture in
            let answer = await fixture.get("/api/v1/devices?" + query)
            guard case .array(let devices)? = answer.json["devices"] else {
                Issue.record("no devices in \(answer.json)")
                return
            }
            #expect(devices.map { $0["id"] } == places.map { .string("dev_000000000000000\($0)") })
            let lines = await fixture.get("/api/v1/devices?" + query, accept: "application/x-ndjson")
            let line = lines.bytes.split(separator: UInt8(ascii: "\n")).map { JSONParser.value(of: Array($0)) }
            #expect(line == devices)
            #expect(lines[header: "X-Mock-APNs-Matched"] == answer.text("matched"))
        }
    }

    @Test func `a page has the total and the next cursor`() async throws {
        try await withSome { fixture in
            let page = await fixture.get("/api/v1/devices?limit=2&state=online")
            #expect(page.text("matched") == "4")
            #expect(page.text("total") == "5")
            #expect(page.text("nextAfter") == "dev_0000000000000002")
            #expect(page.text("forgotten") == "0")
            #expect(page.text("note") == "null")
            let rest = await fixture.get("/api/v1/devices?limit=2&state=online&after=dev_0000000000000002")
            #expect(rest.text("nextAfter") == "null")
            #expect(rest.text("devices", "1", "origin") == "push")
            try Golden.expect(page, is: "devices-page", volatile: ["devices"])
            let lines = await fixture.get("/api/v1/devices?limit=2", accept: "application/x-ndjson")
            #expect(lines[header: "X-Mock-APNs-Next-After"] == "dev_0000000000000001")
        }
    }

    @Test func `a page counts the devices forgotten to make room`() async throws {
        try await withFixture(configure: { $0.deviceOptions.selfRegisteredLimit = 2 }) { fixture in
            for token in ["aa", "bb", "cc", "dd", "ee"] {
                var draft = PushDraft()
                draft.path = "/3/device/\(token)"
                fixture.publish(draft)
            }
            let page = await fixture.get("/api/v1/devices")
            #expect(page.text("total") == "2")
            #expect(page.text("forgotten") == "3")
            #expect(page.text("note")?.contains("Removed 3 devices to make room") == true)
            let lines = await fixture.get("/api/v1/devices", accept: "application/x-ndjson")
            #expect(lines[header: "X-Mock-APNs-Forgotten"] == "3")
        }
    }

    static let badQueries: [(String, String, String)] = [
        ("state=off", "state", "offline"), ("stat=online", "stat", "state"), ("limit=1001", "limit", "null"),
        ("topic=", "topic", "null"), ("q=", "q", "null"), ("after=3", "after", "null"),
        ("after=@alice", "after", "null"), ("state=online&state=offline", "state", "null"),
    ]

    @Test(arguments: badQueries) func `a query that cannot be used is refused`(
        query: String, path: String, suggestion: String
    ) async throws {
        try await withFixture { fixture in
            let answer = await fixture.get("/api/v1/devices?" + query)
            #expect(answer.status == 400)
            #expect(answer.text("errors", "0", "path") == path)
            #expect(answer.text("errors", "0", "suggestion") == suggestion)
        }
    }
}

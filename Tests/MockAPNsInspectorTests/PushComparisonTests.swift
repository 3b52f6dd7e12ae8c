import MockAPNsFormats
import TestSupport
import Testing

@testable import MockAPNsInspector

@Suite struct PushComparisonTests {
    @Test func `two pushes are compared by all their parts`() async throws {
        try await withFixture { fixture in
            var other = PushDraft.clean.setting("apns-priority", to: "5").setting("apns-topic", to: "a b")
            other.headers.append(("apns-collapse-id", "c"))
            other.path = "/3/device/" + String(repeating: "ab", count: 32)
            other.body = Array(#"{"aps":{"alert":{"title":"Hello"}},"order":7}"#.utf8)
            fixture.publish(.clean, other)
            let ids = await Self.ids(fixture)
            let answer = await fixture.get("/api/v1/pushes/\(ids[0])/compare/seq:\(Self.seq(ids[1]))")
            try Golden.expect(answer, is: "push-comparison")
            #expect(answer.text("left", "id") == ids[0] && answer.text("right", "id") == ids[1])

            let itself = await fixture.get("/api/v1/pushes/\(ids[0])/compare/\(ids[0])")
            #expect(itself.text("differences") == "[]" && itself.text("moreSame") == "0")
        }
    }

    @Test func `bodies that are not JSON or were not kept are compared as a whole`() async throws {
        try await withFixture { fixture in
            var (broken, large, twice) = (PushDraft.clean, PushDraft.clean, PushDraft.clean)
            broken.body = Array(#"{"aps":"#.utf8)
            (large.body, large.bodyLength) = ([], 70_000)
            twice.headers += [("x-a", "1"), ("x-a", "2")]
            fixture.publish(broken, large, twice)
            let ids = await Self.ids(fixture)
            func differences(_ left: Int, _ right: Int) async -> [[String?]] {
                let answer = await fixture.get("/api/v1/pushes/\(ids[left])/compare/\(ids[right])")
                return answer.json["differences"].entries.map { row in
                    ["kind", "name", "left", "right"].map { row[$0]?.plainText }
                }
            }
            #expect(await differences(0, 1).contains(["payload", "", #"{"aps":"#, nil]))
            #expect(await differences(0, 1).contains(["request", "bodySize", nil, "70000"]))
            let whole = String(decoding: PushDraft.clean.body, as: UTF8.self)
            #expect(await differences(2, 1).contains(["payload", "", whole, nil]))
            #expect(await differences(2, 1).contains(["header", "x-a", "1, 2", nil]))
        }
    }

    @Test func `comparing with an unknown push is refused`() async throws {
        try await withFixture { fixture in
            fixture.publish(.clean)
            let id = await Self.ids(fixture)[0]
            for path in ["seq:99/compare/\(id)", "\(id)/compare/seq:99"] {
                let answer = await fixture.get("/api/v1/pushes/\(path)")
                #expect(answer.status == 404 && answer.text("type")?.hasSuffix("unknown-push") == true)
                #expect(answer.text("detail")?.contains("'seq:99'") == true)
            }
            #expect(await fixture.get("/api/v1/pushes/\(id)/compare/x").status == 400)
        }
    }

    @Test func `an imported push is compared with what the other server recorded`() async throws {
        try await withFixture { fixture in
            fixture.publish(PushDraft.clean.setting("apns-topic", to: "a b"))
            let id = await Self.ids(fixture)[0]
            let line = await fixture.get("/api/v1/pushes/export").bytes
            let exported = String(decoding: line, as: UTF8.self).replacing(
                #""id":"topic-form""#, with: #""id":"later-check""#)
            let added = await fixture.send("POST", "/api/v1/pushes/import", exported)
            let seq = added.text("firstSeq") ?? ""
            let answer = await fixture.get("/api/v1/pushes/\(id)/compare/seq:\(seq)")
            #expect(answer.status == 200 && answer.text("right", "imported") == "true", "\(answer.json)")
            #expect(
                answer.json["differences"] == [
                    ["kind": "response", "left": "topic-form", "name": "failedCheck", "right": "later-check"]
                ])
        }
    }

    /// The ids of the pushes, oldest first.
    private static func ids(_ fixture: Fixture) async -> [String] {
        let page = await fixture.get("/api/v1/pushes?order=asc&fields=summary")
        return page.json["pushes"].entries.compactMap { $0.text(["id"]) }
    }

    private static func seq(_ id: String) -> Int { Int(id.suffix(8), radix: 16) ?? 0 }
}

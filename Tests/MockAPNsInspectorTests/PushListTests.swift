import Foundation
import MockAPNs
import MockAPNsFormats
import MockAPNsRules
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsQuery

/// A query, and which of the pushes answer it, in their order.
///
/// In a query, `{3}` is the number that the third push was given.
struct QueryCase: Sendable, CustomTestStringConvertible {
    let query: String
    let positions: [Int]
    let testDescription: String

    init(_ query: String, _ positions: [Int]) {
        self.query = query
        self.positions = positions
        testDescription = query
    }
}

@Suite struct PushListTests {
    static let otherToken = "00" + String(Fixture.token.dropFirst(2))

    /// What the queries are asked about.
    ///
    /// 1 accepted · 2 other topic · 3 other token · 4 bad topic · 5 no token · 6 bad signature
    /// 7 no push type, silent · 8 no push type, VoIP topic · 9 refused by the transport · 10 no push type, not JSON.
    static let pushes: [PushDraft] = {
        var other = PushDraft()
        other.path = "/3/device/" + otherToken
        var silent = PushDraft().setting("apns-push-type", to: nil)
        silent.body = Array(#"{"aps":{"content-available":1}}"#.utf8)
        silent.path = "/3/device/BBBB"
        var forged = PushDraft()
        forged.verification = .badSignature
        var refused = PushDraft()
        refused.problem = ("the header list is over 8000 bytes", 431)
        var broken = PushDraft().setting("apns-push-type", to: nil)
        broken.body = [0xff]
        return [
            PushDraft(), PushDraft().setting("apns-topic", to: "com.example.other,b"), other,
            PushDraft().setting("apns-topic", to: "a b"), PushDraft().setting("authorization", to: nil), forged, silent,
            PushDraft().setting("apns-push-type", to: nil).setting("apns-topic", to: "com.example.app.voip"), refused,
            broken,
        ]
    }()

    /// One that is offline, and one without an app.
    static let devices = """
        [{"label":"alice","state":"offline","registrations":[{"token":"bbbb","topic":"com.example.app"}]},
         {"label":"nothing"}]
        """

    static let queries = [
        QueryCase("", [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]), QueryCase("order=asc", Array(1...10)),
        QueryCase("after={8}", [9, 10]), QueryCase("after={8}&order=desc", [10, 9]), QueryCase("after=99", []),
        QueryCase("before={3}", [2, 1]), QueryCase("after={2}&before={5}", [3, 4]), QueryCase("before=0", []),
        QueryCase("limit=2", [10, 9]), QueryCase("limit=2&after=0", [1, 2]), QueryCase("limit=1000&before={2}", [1]),
        QueryCase("outcome=accepted", [10, 8, 7, 3, 2, 1]), QueryCase("outcome=rejected", [9, 6, 5, 4]),
        QueryCase("outcome=rejected&outcome=accepted&before={3}", [2, 1]), QueryCase("reason=BadTopic", [4]),
        QueryCase("reason=BadTopic&reason=MissingProviderToken", [5, 4]),
        QueryCase("token=\(otherToken.lowercased())", [3]), QueryCase("token=\(otherToken)", [3]),
        QueryCase("token=\(otherToken)&token=\(Fixture.token)&before={4}", [3, 2, 1]), QueryCase("token=00", []),
        QueryCase("topic=com.example.other,b", [2]), QueryCase("topic=com.example.other%2Cb", [2]),
        QueryCase("topic=a+b", [4]), QueryCase("topic=a%20b&topic=com.example.other%2cb", [4, 2]),
        QueryCase("topic=com.example", []), QueryCase("pushType=background", [7]), QueryCase("pushType=voip", [8]),
        QueryCase("pushType=background&pushType=voip", [8, 7]), QueryCase("pushType=alert&after={6}", [9, 10]),
        QueryCase("pushType=alert&outcome=rejected", [9, 6, 5, 4]), QueryCase("&&limit=1&", [10]),
        QueryCase("delivery=delivered", [10, 3, 1]),
        // In one batch with the push that made the device, and for another app.
        QueryCase("delivery=discarded-token-unregistered", [8, 2]), QueryCase("delivery=not-attempted", [9, 6, 5, 4]),
        QueryCase("delivery=stored-device-offline", [7]), QueryCase("delivery=discarded-expired", []),
        QueryCase("delivery=stored-device-offline&delivery=not-attempted&after={6}", [7, 9]),
        QueryCase("device=@alice", [7]), QueryCase("device=@nothing", []), QueryCase("device=BBBB", [7]),
        QueryCase("device=@alice&device=\(otherToken)", [7, 3]), QueryCase("device=@alice&token=BBBB", [7]),
        QueryCase("device=@alice&token=\(otherToken)", []), QueryCase("device=@nothing&pushType=alert", []),
        QueryCase("device=%40alice&pushType=background&outcome=accepted", [7]),
    ]

    /// Publishes the pushes, and lends their numbers.
    private func withPushes(
        configure: (inout Configuration) -> Void = { _ in }, _ use: (Fixture, [UInt64]) async throws -> Void
    ) async throws {
        try await withFixture(configure: configure) { fixture in
            _ = fixture.server.world.stopClock(at: Fixture.now)
            _ = await fixture.send("PUT", "/api/v1/devices", Self.devices)
            fixture.publish(Self.pushes)
            var query = PushQuery()
            query.order = .ascending
            try await use(fixture, fixture.journal.pushes(query).pushes.map(\.seq))
        }
    }

    @Test(arguments: queries) func `a query finds its pushes`(query: QueryCase) async throws {
        try await withPushes { fixture, seqs in
            var text = query.query
            for (position, seq) in seqs.enumerated() {
                text = text.replacingOccurrences(of: "{\(position + 1)}", with: "\(seq)")
            }
            let answer = await fixture.get("/api/v1/pushes?" + text)
            #expect(answer.status == 200)
            guard case .array(let found) = answer.json["pushes"] else {
                Issue.record("no pushes in \(answer.json)")
                return
            }
            #expect(found.map { $0["seq"] } == query.positions.map { JSONValue(seqs[$0 - 1]) })
        }
    }

    static let refused: [(String, String, String)] = [
        ("limit=0", "limit", "null"), ("limit=1001", "limit", "null"), ("limit=-1", "limit", "null"),
        ("limit=", "limit", "null"), ("limit=5&limit=6", "limit", "null"), ("after=x", "after", "null"),
        ("after=18446744073709551616", "after", "null"), ("before=+1", "before", "null"), ("order=up", "order", "null"),
        ("order=ascc", "order", "asc"), ("outcome=Accepted", "outcome", "accepted"),
        ("outcome=accepted,rejected", "outcome", "accepted"), ("token=xyz", "token", "null"),
        ("token=123", "token", "null"), ("token=", "token", "null"), ("topic=", "topic", "null"),
        ("pushType=allert", "pushType", "alert"), ("reason=badtopic", "reason", "BadTopic"),
        ("reason=Gone", "reason", "null"), ("toppic=x", "toppic", "topic"), ("Topic=x", "Topic", "topic"),
        ("deviceToken=00", "deviceToken", "token"), ("wait=61s", "wait", "null"), ("before:=3", "before:", "before"),
        ("delivery=stored", "delivery", "stored-device-offline"), ("delivery=delivred", "delivery", "delivered"),
        ("device=alice", "device", "null"), ("device=@", "device", "null"), ("device=dev_3", "device", "null"),
        ("id=seq:3", "id", "null"), ("id=psh_3", "id", "null"), ("topic=%zz", "topic=%zz", "null"),
        ("%ff=1", "%ff=1", "null"), ("=1", "", "null"),
    ]

    @Test(arguments: refused) func `an invalid query is refused`(
        query: String, path: String, suggestion: String
    ) async throws {
        try await withFixture { fixture in
            let answer = await fixture.get("/api/v1/pushes?" + query)
            #expect(answer.status == 400)
            #expect(answer.text("errors", "0", "path") == path)
            #expect(answer.text("errors", "0", "suggestion") == suggestion)
            #expect(answer.text("detail")?.contains("'\(path)'") == true)
        }
    }

    @Test func `an unknown device as a filter is refused`() async throws {
        try await withPushes { fixture, _ in
            for device in ["@bob", "cccc", "dev_00000000000000ff"] {
                let answer = await fixture.get("/api/v1/pushes?device=@alice&device=\(device)")
                #expect(answer.status == 404, "\(device)")
            }
        }
    }

    @Test func `pushes are found and deleted by their ids`() async throws {
        try await withPushes { fixture, seqs in
            let page = await fixture.get("/api/v1/pushes?order=asc&fields=summary")
            let ids = page.json["pushes"].entries.compactMap { $0["id"]?.string }
            func found(_ query: String) async -> [String?] {
                let page = await fixture.get("/api/v1/pushes?fields=summary&" + query)
                return page.json["pushes"].entries.map { $0["id"]?.string }
            }
            #expect(await found("id=\(ids[3])&id=\(ids[8])&id=\(ids[3])") == [ids[8], ids[3]])
            #expect(await found("id=\(ids[3])&id=\(ids[8])&outcome=accepted") == [])
            #expect(await found("id=\(ids[3])&after=\(seqs[3])") == [])
            let others = ["psh_0000020000000001", "psh_0000010000000000", "psh_ZZZZZZZZZZZZZZZZ"]
            for other in others { #expect(await found("id=\(other)") == []) }
            #expect(await found("id=\(others[0])&id=\(ids[1])") == [ids[1]])

            let many = Array(repeating: "id=\(ids[2])", count: 1_000).joined(separator: "&")
            #expect(await found(many) == [ids[2]])
            let tooMany = await fixture.get("/api/v1/pushes?\(many)&id=\(ids[2])")
            #expect(tooMany.status == 400 && tooMany.text("errors", "0", "path") == "id")

            let nothing = await fixture.send("DELETE", "/api/v1/pushes?id=\(others[0])")
            #expect(nothing.text("deleted") == "0")
            let deleted = await fixture.send("DELETE", "/api/v1/pushes?id=\(ids[0])&id=\(ids[9])")
            #expect(deleted.text("deleted") == "2")
            #expect(await found("after=0") == Array(ids[1...8]))
        }
    }

    @Test func `pages with a cursor have every push once`() async throws {
        try await withPushes { fixture, seqs in
            var after = "0"
            var seen: [String?] = []
            for _ in 0..<4 {
                let page = await fixture.get("/api/v1/pushes?limit=3&outcome=accepted&after=\(after)")
                #expect(page.text("matched") == ["6", "3", "0"][min(2, seen.count / 3)])
                for position in 0..<3 { seen.append(page.text("pushes", "\(position)", "seq")) }
                after = page.text("nextAfter") ?? "none"
            }
            #expect(seen.compactMap { $0 } == [1, 2, 3, 7, 8, 10].map { "\(seqs[$0 - 1])" })
            let last = fixture.journal.extent.lastSeq
            #expect(after == "\(last)")
            let window = "after=\(seqs[1])&before=\(seqs[5])"
            #expect(await fixture.get("/api/v1/pushes?\(window)").text("nextAfter") == "\(seqs[5] - 1)")
            #expect(await fixture.get("/api/v1/pushes?after=500").text("nextAfter") == "500")
        }
    }

    @Test func `a list says how many pushes are not kept any more`() async throws {
        try await withPushes(configure: { $0.journal.records = 3 }) { fixture, seqs in
            // Gone are 1, 4, 7, 10, 12 and 14, with the numbers of their steps. 16 was refused by the transport, so it
            // takes the place of none.
            #expect(seqs == [16, 19, 22, 24])
            let all = await fixture.get("/api/v1/pushes")
            #expect(all.text("evictedInWindow") == "6")
            #expect(all.text("note")?.contains("up to 6 of these pushes") == true)
            #expect(all.text("journal", "firstSeq") == "16")
            #expect(all.text("journal", "evicted") == "6")
            let windows = [
                ("after=7", "6"), ("after=11", "4"), ("after=14", "1"), ("after=15", "0"), ("after=19", "0"),
                ("after=2&before=5", "2"), ("after=5&before=5", "0"), ("before=3", "2"),
                ("after=18446744073709551615", "0"),
            ]
            for (window, lost) in windows {
                let page = await fixture.get("/api/v1/pushes?\(window)")
                #expect(page.text("evictedInWindow") == lost, "\(window)")
                #expect((page.text("note") == "null") == (lost == "0"), "\(window)")
            }
            let dropped = await fixture.get("/api/v1/pushes/seq:14")
            #expect(dropped.status == 404)
            #expect(dropped.text("detail")?.contains("dropped to make room") == true)
        }
    }

    @Test func `lines have a push each, and headers have the members of a page`() async throws {
        try await withPushes { fixture, seqs in
            let target = "/api/v1/pushes?after=0&limit=2"
            let lines = await fixture.get(target, accept: "application/x-ndjson")
            #expect(lines.contentType == "application/x-ndjson")
            #expect(lines[header: "X-Mock-APNs-Matched"] == "10")
            #expect(lines[header: "X-Mock-APNs-Next-After"] == "\(seqs[1])")
            #expect(lines[header: "X-Mock-APNs-Evicted-In-Window"] == "0")
            let pushes = lines.bytes.split(separator: UInt8(ascii: "\n")).map { JSONParser.value(of: Array($0)) }
            guard case .array(let page) = await fixture.get(target).json["pushes"] else {
                Issue.record("no page")
                return
            }
            #expect(pushes == page)
            let problem = await fixture.get("/api/v1/pushes?x=1", accept: "application/x-ndjson")
            #expect(problem.contentType == "application/problem+json")
        }
    }

    @Test func `a page has its shape`() async throws {
        try await withFixture(configure: { $0.journal.records = 1 }) { fixture in
            fixture.publish(PushDraft(), PushDraft())
            try Golden.expect(await fixture.get("/api/v1/pushes"), is: "push-page", volatile: ["pushes"])
            try Golden.expect(await fixture.get("/api/v1/seq"), is: "seq")
        }
    }

    @Test func `a line of a list has its shape and counts warnings`() async throws {
        try await withFixture { fixture in
            fixture.publish(PushDraft(), PushDraft().setting("apns-priority", to: "7"))
            let path = "/api/v1/pushes/latest?fields=summary"
            let refused = await fixture.get(path)
            try Golden.expect(refused, is: "push-summary")
            let full = await fixture.get("/api/v1/pushes/latest")
            #expect(refused.json["lintCount"] == JSONValue(full.json["lints"].entries.count))
            var plain = PushDraft()
            plain.path = plain.path.lowercased()
            plain.body = Array(#"{"aps":{"alert":"Hi"}}"#.utf8)
            fixture.publish(plain)
            #expect(await fixture.get(path).text("lintCount") == "0")
        }
    }

    @Test func `a push is found by each of its names`() async throws {
        try await withFixture { fixture in
            let id = "0C6B0000-0000-4000-8000-00000000ABCD"
            fixture.publish(PushDraft(), PushDraft().setting("apns-id", to: id), PushDraft())
            for name in [PushID(epoch: 1, seq: 4).text, "seq:4", "seq%3A4", "apns:\(id)", "apns%3a\(id.lowercased())"] {
                let answer = await fixture.get("/api/v1/pushes/\(name)")
                #expect(answer.status == 200, "\(name)")
                #expect(answer.text("seq") == "4")
            }
            for (name, status) in [
                ("seq:5", 404), ("seq:0", 404), (PushID(epoch: 2, seq: 4).text, 404), ("4", 400), ("%ff", 400),
                ("apns:\(String(id.dropLast()))0", 404), ("apns:x", 400), (PushID(epoch: 1, seq: 99).text, 404),
            ] { #expect(await fixture.get("/api/v1/pushes/\(name)").status == status, "\(name)") }
        }
    }
}

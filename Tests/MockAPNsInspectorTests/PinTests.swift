import MockAPNs
import MockAPNsAPI
import MockAPNsFormats
import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsWorld

/// Pushes that stay when others are dropped.
struct PinTests {
    @discardableResult private func pin(
        _ push: String, _ isPinned: Bool = true, on fixture: Fixture
    ) async -> APIResponse { await fixture.send("PATCH", "/api/v1/pushes/\(push)", #"{"pinned":\#(isPinned)}"#) }

    private func list(_ query: String, on fixture: Fixture) async -> [String] {
        let page = await fixture.get("/api/v1/pushes?order=asc&fields=summary&limit=1000&" + query)
        return page.json["pushes"].entries.map { $0.text(["seq"]) ?? "" }
    }

    private func fill(_ fixture: Fixture) { for _ in 0..<10 { fixture.publish(PushDraft()) } }

    @Test func `a pinned push is kept whole, at its position`() async throws {
        try await withFixture {
            $0.journal.records = 4
        } _: { fixture in
            _ = fixture.server.world.stopClock(at: Fixture.now)
            let phone =
                #"{"label":"alice","state":"offline","registrations":[{"token":"bbbb","topic":"com.example.app"}]}"#
            #expect(await fixture.send("POST", "/api/v1/devices", phone).status == 201)
            var stored = PushDraft()
            stored.path = "/3/device/bbbb"
            var refused = PushDraft()
            refused.problem = ("the header list is over 8000 bytes", 431)
            fixture.publish([refused, stored, PushDraft(), PushDraft().setting("apns-topic", to: "a b")])
            let seqs = await list("", on: fixture)
            let wanted = [seqs[1], seqs[3]]
            for seq in wanted {
                let answer = await pin("seq:\(seq)", on: fixture)
                #expect(answer.status == 200 && answer.json["pinned"] == true)
                #expect(SchemaCheck.strict.complaints(answer.json, as: "Push") == [])
            }
            let before = await fixture.get("/api/v1/pushes/seq:\(wanted[0])").json
            fill(fixture)
            #expect(await list("q=is:pinned", on: fixture) == wanted)
            #expect(await fixture.get("/api/v1/pushes/seq:\(wanted[0])").json == before)
            #expect(await fixture.get("/api/v1/pushes/seq:\(seqs[2])").status == 404)
            let all = await list("", on: fixture)
            #expect(all.count == 7 && Array(all.prefix(3)) == seqs[0..<2] + [seqs[3]])
            #expect(await list("q=!is:pinned&outcome=accepted", on: fixture).count == 4)
            #expect(await list("after=\(wanted[0])", on: fixture).first == wanted[1])

            // What happens to it later is noted.
            _ = await fixture.send("PATCH", "/api/v1/devices/@alice", #"{"state":"online"}"#)
            let delivered = await fixture.get("/api/v1/pushes/seq:\(wanted[0])")
            #expect(delivered.text("delivery", "state") == "delivered-from-storage", "\(delivered.json)")

            // Without its pin it leaves, as it would have.
            let evicted = fixture.journal.extent.evicted
            #expect(await pin("seq:\(wanted[0])", false, on: fixture).json["pinned"] == false)
            #expect(await fixture.get("/api/v1/pushes/seq:\(wanted[0])").status == 404)
            #expect(fixture.journal.extent.evicted == evicted + 1)
            #expect(await fixture.send("DELETE", "/api/v1/pushes/seq:\(wanted[1])").status == 204)
            #expect(await list("q=is:pinned", on: fixture) == [])
            #expect(fixture.journal.pins == [])
        }
    }

    @Test func `a note and a pin are set together and separately`() async throws {
        try await withFixture { fixture in
            fixture.publish(PushDraft())
            let path = "/api/v1/pushes/seq:1"
            let both = await fixture.send("PATCH", path, #"{"note":"a","pinned":true}"#)
            #expect(both.json["note"] == "a" && both.json["pinned"] == true)
            #expect(await fixture.send("PATCH", path, #"{"note":null}"#).json["pinned"] == true)
            #expect(await pin("seq:1", false, on: fixture).json["note"] == .null)
            #expect(await fixture.send("PATCH", path, #"{"pinned":null}"#).text("errors", "0", "path") == "/pinned")
            #expect(await fixture.get("/api/v1/pushes?fields=summary").text("pushes", "0", "pinned") == "false")
        }
    }

    @Test func `a reset of pushes removes pins, and imported pushes have none`() async throws {
        try await withFixture { fixture in
            fixture.publish(PushDraft())
            let line = String(decoding: await pin("seq:1", on: fixture).bytes, as: UTF8.self)
            #expect(await fixture.send("POST", "/api/v1/reset", #"{"only":["pushes"]}"#).status == 200)
            #expect(fixture.journal.pins == [])
            #expect(await fixture.send("POST", "/api/v1/pushes/import", line).status == 201)
            #expect(await fixture.get("/api/v1/pushes/latest").json["pinned"] == false)
            #expect(await list("q=is:pinned", on: fixture) == [])
        }
    }

    @Test func `at most 1,000 pushes are pinned`() async throws {
        try await withFixture { fixture in
            fixture.publish((0...Journal.mostPins).map { _ in PushDraft() })
            for seq in await list("", on: fixture) {
                let number = try #require(UInt64(seq))
                #expect(fixture.journal.setPinned(true, on: number, epoch: 1))
            }
            let last = await fixture.get("/api/v1/pushes/latest").text("id") ?? ""
            let refused = await pin(last, on: fixture)
            #expect(refused.status == 422 && refused.text("type")?.hasSuffix("too-many-pins") == true)
            #expect(await pin("seq:1", on: fixture).status == 200)
            #expect(await pin("seq:1", false, on: fixture).status == 200)
            #expect(await pin(last, on: fixture).status == 200)
        }
    }
}

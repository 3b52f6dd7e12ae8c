import Foundation
import MockAPNsFormats
import MockAPNsQuery
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsInspector

/// The values of fields, and what is suggested when a search finds nothing.
@Suite struct SuggestionTests {
    private func withPushes(_ use: (Fixture) async throws -> Void) async throws {
        try await withFixture { fixture in
            _ = fixture.server.world.stopClock(at: Fixture.now)
            _ = await fixture.send("PUT", "/api/v1/devices", SearchTests.devices)
            fixture.publish(SearchTests.pushes)
            try await use(fixture)
        }
    }

    private func get(_ fixture: Fixture, _ path: String, q: String) async -> APIResponse {
        let encoded = q.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return await fixture.get("\(path)q=\(encoded)")
    }

    static let suggested: [(String, [String])] = [
        ("BadPriorty", ["reason:BadPriority=1"]), ("reason:BadTopic is:rejected", ["is:rejected=2"]),
        ("backgruond", ["type:background=1"]), ("alicce", ["device:alice=1"]),
        ("topic:com.example.ap", ["topic:com.example.app=6", "com.example.ap=6"]),
        ("stored", ["is:stored=1", "delivery:stored-device-offline=1"]), ("type:alice", ["device:alice=1", "alice=1"]),
        ("title:order", ["collapse:\"order 17\"=1", "order=1"]),
        ("shipped or background", ["shipped OR background=2", "shipped or=1"]), ("size>70", ["size:>70=1"]),
        ("env:sandbox cccc", ["cccc=1", "env:sandbox=5"]),
        ("device:bobb type:alert", ["device:bob type:alert=3", "type:alert=5"]), ("zzzzzz", []), ("410", []),
        ("NOT is:accepted NOT is:rejected", ["!is:rejected=4", "!is:accepted=2"]),
        ("(alicce OR zzzz) has:collapse", ["(device:alice OR zzzz) has:collapse=1"]),
    ]

    @Test(arguments: suggested) func `a search that finds nothing gets similar ones that do`(
        search: String, wanted: [String]
    ) async throws {
        try await withPushes { fixture in
            let answer = await get(fixture, "/api/v1/pushes?", q: search)
            #expect(answer.text("matched") == "0" && answer.text("total") == "6")
            let found = answer.json["suggestions"].entries.map {
                "\($0["q"]?.plainText ?? "")=\($0["count"]?.plainText ?? "")"
            }
            #expect(found == wanted)
            for suggestion in answer.json["suggestions"].entries {
                let again = await get(fixture, "/api/v1/pushes?", q: suggestion["q"]?.plainText ?? "")
                #expect(again.text("matched") == suggestion["count"]?.plainText)
            }
        }
    }

    @Test func `nothing is suggested for a search with matches, or of a part of the journal`() async throws {
        try await withPushes { fixture in
            for path in ["q=is:rejected", "q=alicce&after=1", "q=alicce&before=100", "topic=none", "q=alicce&q=bobb"] {
                let answer = await fixture.get("/api/v1/pushes?\(path)")
                #expect(answer.json["suggestions"] == [], "\(path)")
            }
            // Other filters hold for suggestions, too.
            let other = await fixture.get("/api/v1/pushes?q=alicce&pushType=background")
            #expect(other.json["suggestions"] == [])
            let same = await fixture.get("/api/v1/pushes?q=alicce&device=@alice")
            #expect(same.text("suggestions", "0", "q") == "device:alice")
        }
    }

    @Test func `the values of a field are counted`() async throws {
        try await withPushes { fixture in
            func values(_ query: String) async -> [String] {
                await fixture.get("/api/v1/pushes/values?\(query)").json["values"].entries.map {
                    "\($0["value"]?.plainText ?? "")=\($0["count"]?.plainText ?? "")"
                }
            }
            #expect(await values("field=type") == ["alert=5", "background=1"])
            #expect(await values("field=pushType&limit=1") == ["alert=5"])
            #expect(await values("field=device") == ["bob=4", "alice=1"])
            #expect(await values("field=device&prefix=A") == ["alice=1"])
            #expect(await values("field=topic&prefix=com.") == ["com.example.app=6"])
            #expect(await values("field=reason&prefix=b") == ["BadPriority=1"])
            #expect(await values("field=priority&q=is:rejected") == ["10=1", "7=1"])
            #expect(await values("field=lint&prefix=badge") == ["badge-not-integer=2"])
            #expect(await values("field=header&prefix=apns-c") == ["apns-collapse-id=1"])
            try Golden.expect(await fixture.get("/api/v1/pushes/values?field=status"), is: "push-values")
            for query in ["", "field=is", "field=topics", "field=topic&limit=0"] {
                #expect(await fixture.get("/api/v1/pushes/values?\(query)").status == 400, "\(query)")
            }
            #expect(await fixture.get("/api/v1/pushes/values?field=topik").text("errors", "0", "suggestion") == "topic")
        }
    }

    @Test func `an exactly spelled value is suggested among more values than are compared`() async throws {
        try await withFixture(configure: { $0.journal.records = 5_000 }) { fixture in
            // The more frequent values are compared first.
            let frequent = (0..<1_100).map { PushDraft.clean.setting("apns-collapse-id", to: "order-\($0)") }
            let once = PushDraft.clean.setting("apns-collapse-id", to: "once")
            fixture.publish(frequent + frequent + [once])
            #expect(await fixture.get("/api/v1/pushes/count").text("count") == "2201")
            let answer = await get(fixture, "/api/v1/pushes?", q: "device:once")
            #expect(answer.text("suggestions", "0", "q") == "collapse:once")
        }
    }

    @Test func `each key of the search syntax is listed, and what completes it is valid`() async throws {
        try await withFixture { fixture in
            let keys = await fixture.get("/api/v1/search-keys").json["keys"].entries
            #expect(keys.compactMap { $0["name"]?.plainText } == SearchWord.all.map { $0.names[0] })
            for key in keys {
                let name = try #require(key["name"]?.plainText)
                #expect(key["meaning"]?.plainText?.isEmpty == false)
                let values = await fixture.get("/api/v1/pushes/values?field=\(name)")
                #expect((values.status == 200) == (key["recorded"]?.plainText == "true"), "\(name)")
                let isWhole = key["closed"]?.plainText == "true"
                for choice in key["choices"]?.entries ?? [] where isWhole {
                    let found = await get(fixture, "/api/v1/pushes?", q: "\(name):\(choice.plainText ?? "")")
                    #expect(found.status == 200, "\(name):\(choice)")
                }
                let other = await get(fixture, "/api/v1/pushes?", q: "\(name):anything-else")
                // A value that no push can have is an error; other forms say what is expected themselves.
                if isWhole { #expect(other.status == 400, "\(name)") }
            }
        }
    }
}

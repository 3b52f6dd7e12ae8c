import MockAPNs
import MockAPNsFormats
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsQuery

@Suite struct VerifySequenceTests {
    /// Titles of pushes, steps by their titles, and which pushes are the sequence: loosely, and strictly.
    static let rows: [(titles: String, steps: String, loose: [Int]?, strict: [Int]?)] = [
        ("abc", "abc", [0, 1, 2], [0, 1, 2]), ("abc", "ac", [0, 2], nil), ("abc", "bc", [1, 2], [1, 2]),
        ("abc", "cb", nil, nil), ("abc", "abcd", nil, nil), ("axab", "ab", [0, 3], [2, 3]),
        ("aab", "ab", [0, 2], [1, 2]), ("a", "aa", nil, nil), ("aa", "aa", [0, 1], [0, 1]),
        ("", "a", nil, nil),
        ("xaxb", "ab", [1, 3], nil), ("abab", "abab", [0, 1, 2, 3], [0, 1, 2, 3]),
    ]

    @Test(arguments: rows.indices, [false, true]) func `steps are found in their order`(
        row: Int,
        isStrict: Bool
    ) async throws {
        let row = Self.rows[row]
        try await withFixture { fixture in
            fixture.publish(
                row.titles.map { title in
                    var draft = PushDraft()
                    draft.body = Array(#"{"aps":{"alert":{"title":"\#(title)"}}}"#.utf8)
                    return draft
                }
            )
            let seqs = fixture.journal.pushes(ascending).pushes.map(\.seq)
            let steps = row.steps.map { #"{"payload":{"at":"/aps/alert/title","equals":"\#($0)"}}"# }
            let body = #"{"steps":[\#(steps.joined(separator: ","))],"strict":\#(isStrict)}"#
            let answer = await fixture.send("POST", "/api/v1/pushes/verify-sequence", body)
            let wanted = isStrict ? row.strict : row.loose
            #expect(answer.status == (wanted == nil ? 409 : 200), "\(row) \(answer.json)")
            if let wanted {
                let ids = wanted.map { JSONValue.string(PushID(epoch: 1, seq: seqs[$0]).text) }
                #expect(answer.json["matched"] == .array(ids), "\(row)")
            } else if isStrict, row.loose != nil {
                #expect(answer.text("between") != "null", "\(row)")
            }
        }
    }

    private var ascending: PushQuery {
        var query = PushQuery()
        query.order = .ascending
        return query
    }

    @Test func `every push can be asked to be verified`() async throws {
        try await withFixture { fixture in
            let path = "/api/v1/pushes/verify-none-unverified"
            #expect(await fixture.send("POST", path).status == 200)
            fixture.publish(PushDraft(), PushDraft().setting("apns-priority", to: "7"))
            let answer = await fixture.send("POST", path)
            #expect(answer.status == 409)
            #expect(answer.text("unverified", "1") == "psh_0000010000000004")
            #expect(answer.text("report")?.contains("400 BadPriority") == true)
            _ = await fixture.send("POST", "/api/v1/pushes/verify", #"{"match":{}}"#)
            #expect(await fixture.send("POST", path).text("unverified") == #"["psh_0000010000000004"]"#)
            #expect(
                await fixture.send("POST", path, #"{"match":{"verdict":{"outcome":"accepted"}}}"#).status
                    == 200
            )
            #expect(await fixture.send("POST", path, #"{"after":4}"#).status == 200)
        }
    }

    @Test(arguments: [
        "{}", #"{"steps":[]}"#, #"{"steps":{}}"#, #"{"steps":[{"tpic":"x"}]}"#,
        #"{"steps":[{}],"strct":true}"#,
    ])
    func `what is no sequence is refused`(body: String) async throws {
        try await withFixture { fixture in
            #expect(await fixture.send("POST", "/api/v1/pushes/verify-sequence", body).status == 400)
        }
    }
}

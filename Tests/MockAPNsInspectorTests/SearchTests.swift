import Foundation
import MockAPNs
import MockAPNsFormats
import MockAPNsRules
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsQuery

@Suite struct SearchTests {
    /// What is searched.
    ///
    /// 1 an order, at rest with alice, who is offline · 2 a badge without words · 3 background · 4 refused for its
    /// priority · 5 refused for its token · 6 with escapes, to the production environment.
    static let pushes: [PushDraft] = {
        var order = PushDraft().setting("apns-collapse-id", to: "order 17").setting("apns-expiration", to: "4000000000")
        order.path = "/3/device/aaaa"
        order.body = Array(#"{"aps":{"alert":{"title":"Order shipped"}},"order":{"id":17,"items":["x","y"]}}"#.utf8)
        var badge = PushDraft()
        badge.body = Array(#"{"aps":{"badge":3}}"#.utf8)
        var silent = PushDraft().setting("apns-push-type", to: "background").setting("apns-priority", to: "5")
        silent.body = Array(#"{"aps":{"content-available":1}}"#.utf8)
        var forged = PushDraft()
        forged.verification = .badSignature
        forged.connection = 8
        var escaped = PushDraft()
        escaped.environment = .production
        escaped.path = "/3/device/cccc"
        escaped.body = Array(#"{"aps":{"alert":"Caf\u00e9"}}"#.utf8)
        return [order, badge, silent, PushDraft().setting("apns-priority", to: "7"), forged, escaped]
    }()

    static let found: [(String, [Int])] = [
        ("", [1, 2, 3, 4, 5, 6]), ("   ", [1, 2, 3, 4, 5, 6]), ("type:background", [3]),
        ("type:alert", [1, 2, 4, 5, 6]), ("pushType:nonsense", []), ("is:accepted", [1, 2, 3, 6]),
        ("is:rejected", [4, 5]), ("!is:rejected", [1, 2, 3, 6]), ("is:stored", [1]), ("is:delivered", [2, 3, 6]),
        ("is:unverified", [1, 2, 3, 4, 5, 6]), ("is:verified", []), ("reason:BadPriority", [4]), ("status:403", [5]),
        ("status:200", [1, 2, 3, 6]), ("topic:com.example.app", [1, 2, 3, 4, 5, 6]), ("topic:com.example", []),
        ("token:AAA", [1]), ("token:3f2a", [2, 3, 4, 5]), ("device:alice", [1]), ("device:@alice", [1]),
        ("device:bob", [2, 3, 4, 5]), ("!has:device", [6]), ("priority:5", [3]), ("priority:10", [1, 2, 5, 6]),
        ("collapse:\"order 17\"", [1]), ("has:collapse", [1]), ("has:badge", [2, 4, 5]), ("has:title", [1, 4, 5]),
        ("has:body", [6]), ("title:Order", [1]), ("title:\"Order shipped\"", [1]), ("title:order", []),
        ("title:Hi", [4, 5]), ("body:Caf", [6]), ("!has:body has:title", [1, 4, 5]),
        ("key:ABC123DEFG", [1, 2, 3, 4, 5, 6]), ("team:nobody", []), ("conn:c8", [5]), ("env:production", [6]),
        ("auth:bad-signature", [5]), ("payload:/aps/alert/title=\"Order shipped\"", [1]),
        ("payload:/aps/badge=3", [2, 4, 5]), ("payload:/order/id=17", [1]), ("payload:/order", [1]),
        ("payload:/order/items/1=y", [1]), ("payload:/aps/badge=4", []), ("header:apns-priority=5", [3]),
        ("header:apns-collapse-id", [1]), ("\"order SHIPPED\"", [1]), ("shipped", [1]), ("text:shipped", [1]),
        ("café", [6]), ("!shipped is:accepted", [2, 3, 6]), ("after:seq:{2}", [3, 4, 5, 6]), ("before:seq:{2}", [1]),
        ("after:2026-01-01T00:00:00Z", [1, 2, 3, 4, 5, 6]), ("before:2026-01-01T00:00:00Z", []),
        ("after:-100000d", [1, 2, 3, 4, 5, 6]), ("delivery:not-attempted", [4, 5]),
        ("apns:00000000-0000-0ABC-0000-000000000DEF is:rejected", [4, 5]),
        ("apns:00000000-0000-0abc-0000-000000000def !status:200", [4, 5]), ("type:alert is:accepted has:badge", [2]),
    ]

    /// Operators, parentheses, comparisons, and words without a key.
    static let foundAsTyped: [(String, [Int])] = [
        ("type:background OR is:rejected", [3, 4, 5]), ("is:rejected AND priority:7", [4]),
        ("NOT is:rejected", [1, 2, 3, 6]), ("NOT NOT is:rejected", [4, 5]), ("-is:rejected has:body", [6]),
        ("type:background OR has:badge is:rejected", [3, 4, 5]),
        ("(type:background OR has:badge) is:accepted", [2, 3]), ("is:accepted (type:background OR has:badge)", [2, 3]),
        ("NOT type:background OR is:rejected", [1, 2, 4, 5, 6]), ("NOT (type:background OR is:rejected)", [1, 2, 6]),
        ("NOT(type:background OR is:rejected)", [1, 2, 6]), ("!(type:background OR is:rejected) !shipped", [2, 6]),
        ("-(type:background OR is:rejected)", [1, 2, 6]), ("((is:rejected))", [4, 5]),
        ("is:stored OR type:background OR conn:c8", [1, 3, 5]),
        ("reason:BadPriority OR NOT is:rejected", [1, 2, 3, 4, 6]), ("4xx", [4, 5]), ("4XX !403", [4]),
        ("2xx", [1, 2, 3, 6]), ("5xx", []), ("403", [5]), ("!403", [1, 2, 3, 4, 6]), ("status:4xx", [4, 5]),
        ("status:>=400", [4, 5]), ("status:<400", [1, 2, 3, 6]), ("status:5xx", []), ("#{2}", [2]), ("seq:{2}", [2]),
        ("seq:>{2}", [3, 4, 5, 6]), ("seq:<={2}", [1, 2]), ("priority:<10", [3, 4]),
        ("priority:>=7 is:rejected", [4, 5]), ("expiration:>0", [1]), ("size:>70", [1]), ("size:<24 is:accepted", [2]),
        ("size:>=19 size:<=19", [2]), ("latency:<1h", [1, 2, 3, 4, 5, 6]), ("latency:>1h", []),
        ("latency:>=0", [1, 2, 3, 4, 5, 6]), ("age:<1000000d", [1, 2, 3, 4, 5, 6]), ("age:>1000000d", []),
        ("time:>2026-01-01T00:00:00Z", [1, 2, 3, 4, 5, 6]), ("time:<=2026-01-01T00:00:00Z", []),
        ("time:>=-1000000d", [1, 2, 3, 4, 5, 6]), ("badpriority", [4]), ("BadPrior", [4]), ("background", [3]),
        ("alice", [1]), ("@alice", [1]), ("ALICE", [1]), ("cccc", [6]), ("3f2a", [2, 3, 4, 5]), ("c8", [5]),
        ("4000000000", [1]), ("400000000", []), ("example.app", [1, 2, 3, 4, 5, 6]),
        ("ABC123DEFG", [1, 2, 3, 4, 5, 6]), ("\"order 17\"", [1]), ("/3/device", [1, 2, 3, 4, 5, 6]), ("device", []),
        ("0000-0abc", [1, 2, 3, 4, 5, 6]), ("POST", []), ("\"AND\"", []), ("!AND", [1, 2, 3, 4, 5, 6]),
        ("-nothing", []), ("and", []), ("header:apns-collapse-id=\"order 17\"", [1]),
        ("header:\"apns-collapse-id=order 17\"", [1]), ("TYPE:background", [3]), ("title:\">x\"", []),
        ("priority:\">5\"", []), ("is:faulted", []),
    ]

    static let devices =
        #"[{"label":"alice","state":"offline","registrations":[{"token":"aaaa","topic":"com.example.app"}]},"#
        + #"{"label":"bob","registrations":[{"token":""# + Fixture.token + #"","topic":"com.example.app"}]}]"#

    private func withPushes(_ use: (Fixture, [UInt64]) async throws -> Void) async throws {
        try await withFixture { fixture in
            _ = fixture.server.world.stopClock(at: Fixture.now)
            _ = await fixture.send("PUT", "/api/v1/devices", Self.devices)
            fixture.publish(Self.pushes)
            var query = PushQuery()
            query.order = .ascending
            try await use(fixture, fixture.journal.pushes(query).pushes.map(\.seq))
        }
    }

    @Test func `a search finds its pushes, as a parameter and in a matcher`() async throws {
        try await withPushes { fixture, seqs in
            #expect(seqs.count == 6)
            for (search, positions) in Self.found + Self.foundAsTyped {
                let text = search.replacing("{2}", with: "\(seqs[1])")
                let wanted = positions.map { JSONValue(seqs[$0 - 1]) }
                let encoded = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                let parameter = encoded.isEmpty ? "" : "&q=\(encoded)"
                let answer = await fixture.get("/api/v1/pushes?order=asc\(parameter)")
                guard case .array(let found) = answer.json["pushes"] else {
                    Issue.record("\(text): \(answer.json)")
                    continue
                }
                #expect(found.map { $0["seq"] } == wanted, "\(text)")

                let subject = fixture.api.subject
                var complaints: [Complaint] = []
                let matcher = PushMatcher.read(["q": .string(text)], at: "", now: Fixture.now, complaints: &complaints)
                // A matcher that asks for nothing says so: an empty text is a variable that was not set.
                if text.allSatisfy(\.isWhitespace) {
                    #expect(complaints.map(\.path) == ["/q"], "\(text)")
                    continue
                }
                var query = PushQuery()
                query.condition = matcher?.query(in: subject.context, StepBudget(.max))
                var matched: [JSONValue?] = []
                _ = fixture.journal.visit(query) { _, outline in
                    matched.append(JSONValue(outline.seq))
                    return true
                }
                #expect(matched == wanted, "\(text)")
                // A push that was taken out of the journal answers as one that lies in it.
                for seq in seqs {
                    let push = try #require(fixture.journal.push(seq: seq))
                    let holds = Candidate.with(push, in: subject.context, StepBudget(.max)) {
                        matcher?.condition.holds(for: $0)
                    }
                    #expect(holds == wanted.contains(JSONValue(seq)), "\(text) of \(seq)")
                }
            }
        }
    }

    static let refused: [(String, Int, Int, String?)] = [
        ("tpe:alert", 0, 9, "type:alert"), ("is:acepted", 0, 10, "is:accepted"), ("type:alert is:x", 11, 4, nil),
        ("has:bagde", 0, 9, "has:badge"), ("!reason:BadTokn", 0, 15, nil),
        ("reason:badDeviceToken", 0, 21, "reason:BadDeviceToken"), ("\"open", 0, 5, nil), ("payload:aps=1", 0, 13, nil),
        ("after:yesterday", 0, 15, nil), ("!", 0, 1, nil), ("topic:", 0, 6, nil), ("a !", 2, 1, nil),
        ("header:=1", 0, 9, nil), ("delivery:delivred", 0, 17, "delivery:delivered"), ("(is:rejected", 0, 1, nil),
        ("is:rejected)", 11, 1, nil), ("a (b (c) d", 2, 1, nil), ("a () b", 2, 2, nil), ("AND a", 0, 3, nil),
        ("a AND", 2, 3, nil), ("a OR", 2, 2, nil), ("OR", 0, 2, nil), ("a OR OR b", 2, 2, nil),
        ("a AND OR b", 2, 3, nil), ("(a OR) b", 3, 2, nil), ("( AND a)", 2, 3, nil), ("a NOT", 2, 3, nil),
        ("NOT )", 0, 3, nil), ("(", 0, 1, nil), (")", 0, 1, nil), ("! a", 0, 1, nil),
        ("(a OR tpe:x)", 6, 5, "(a OR type:x)"), ("a tpe:\"b c\" d", 2, 9, "a type:\"b c\" d"),
        ("-tpe:x is:acepted", 0, 6, "-type:x is:acepted"), ("size:>4kb", 0, 9, nil), ("seq:>x", 0, 6, nil),
        ("latency:5ms", 0, 11, nil), ("age:5m", 0, 6, nil), ("age:>-5m", 0, 8, nil), ("time:5m", 0, 7, nil),
        ("time:>yesterday", 0, 15, nil),
    ]

    @Test(arguments: refused) func `an invalid term is reported with its position`(
        text: String, offset: Int, length: Int, suggestion: String?
    ) {
        do {
            _ = try SearchText(text, now: Fixture.now)
            Issue.record("\(text) was read")
        } catch {
            #expect(error.offset == offset)
            #expect(error.length == length)
            #expect(error.suggestion(in: text) == suggestion)
            // The list of keys is for those who get no suggestion.
            if suggestion != nil { #expect(!error.problem.contains("there are")) }
            let lines = error.message(in: text).split(separator: "\n")
            #expect(lines.count == 3)
            let caret = String(repeating: " ", count: offset + 2) + String(repeating: "^", count: length)
            #expect(lines.last.map(String.init) == caret)
        }
    }

    @Test func `an invalid search is refused, not ignored`() async throws {
        try await withPushes { fixture, _ in
            for method in ["GET", "DELETE"] {
                let answer = await fixture.send(method, "/api/v1/pushes?q=tpe%3Aalert")
                #expect(answer.status == 400)
                #expect(answer.text("errors", "0", "suggestion") == "type:alert")
            }
            #expect(await fixture.get("/api/v1/pushes/count").text("count") == "6")
            let long = String(repeating: "a", count: 2_001)
            #expect(await fixture.get("/api/v1/pushes?q=\(long)").status == 400)
            let deepest = String(repeating: "(", count: 50) + "a" + String(repeating: ")", count: 50)
            #expect(await fixture.get("/api/v1/pushes?q=\(deepest)").status == 200)
            #expect(await fixture.get("/api/v1/pushes?q=(\(deepest))").status == 400)
        }
    }
}

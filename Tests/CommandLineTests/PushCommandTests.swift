import Foundation
import Testing

@testable import MockAPNsAPI
@testable import mock_apns

/// Commands about pushes against a scripted API.
@Suite struct PushCommandTests {
    static let summary =
        #"{"id":"psh_0000010000000001","seq":1,"receivedAt":"2026-01-05T10:11:12.345678Z","token":"\#(Samples.token)","device":"alice","topic":"com.example.app","pushType":"alert","priority":10,"title":"Hi\u001b[31m","body":"There","status":200,"reason":null,"delivery":"delivered"}"#

    static func page(_ pushes: [String], matched: Int, satisfied: Bool = true, note: String = "null") -> String {
        let summaries = pushes.map { Samples.whole(PushSummaryShape.self, $0) }.joined(separator: ",")
        return Samples.whole(
            PushPageShape.self,
            #"{"pushes":[\#(summaries)],"matched":\#(matched),"satisfied":\#(satisfied),"nextAfter":7,"note":\#(note)}"#
        )
    }

    private static let comparison = Samples.whole(
        PushComparisonShape.self,
        #"""
        {"left":\#(Samples.whole(PushSummaryShape.self, #"{"id":"psh_1"}"#)),
        "right":\#(Samples.whole(PushSummaryShape.self, #"{"id":"psh_2"}"#)),
        "differences":[{"kind":"header","name":"apns-priority","left":"10","right":null},
        {"kind":"payload","name":"","left":"\u001b[31m","right":"\#(String(repeating: "a", count: 61))"}],
        "moreDifferences":1}
        """#)

    private static let empty = page([], matched: 0)
    private static let count = Samples.whole(PushCountShape.self, #"{"count":3,"satisfied":true}"#)

    /// A command, its request and the API's response.
    struct Case: CustomTestStringConvertible, Sendable {
        let line: [String]
        let asked: String
        let answer: String

        init(_ line: String, _ asked: String, _ answer: String) {
            self.line = line.split(separator: " ").map(String.init)
            self.asked = asked
            self.answer = answer
        }

        var testDescription: String { line.joined(separator: " ") }
    }

    static let cases: [Case] = [
        Case("pushes", "GET /api/v1/pushes", empty),
        Case("pushes list --limit 5 --order asc", "GET /api/v1/pushes?order=asc&limit=5", empty),
        Case(
            "pushes -q is:rejected -q a=b&c --topic com.a --token \(Samples.token) --device alice --type voip --after 7",
            "GET /api/v1/pushes?q=is%3Arejected&q=a%3Db%26c&topic=com.a&token=\(Samples.token)"
                + "&device=@alice&pushType=voip&after=7", empty),
        Case("pushes show 12", "GET /api/v1/pushes/seq%3A12", Samples.pushInFull()),
        Case("pushes show latest", "GET /api/v1/pushes/latest", Samples.pushInFull()),
        Case(
            "pushes compare 12 psh_0000010000000001", "GET /api/v1/pushes/seq%3A12/compare/psh_0000010000000001",
            comparison), Case("pushes count --topic com.a", "GET /api/v1/pushes/count?topic=com.a", count),
        Case("pushes clear --all", "DELETE /api/v1/pushes?all=true", #"{"deleted":2}"#),
        Case("pushes clear -q is:rejected", "DELETE /api/v1/pushes?q=is%3Arejected", #"{"deleted":2}"#),
    ]

    @Test(arguments: cases) func `prints the JSON of the API`(_ example: Case) throws {
        let api = try FakeAPI([.json(example.answer)])
        let outcome = try Program.run(example.line + ["--api", api.url])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(api.asked.map { "\($0.method) \($0.target)" } == [example.asked])
        #expect(outcome.output == example.answer + "\n")
        #expect(outcome.errors == "")
    }

    @Test(arguments: cases) func `prints a text with --table`(_ example: Case) throws {
        let api = try FakeAPI([.json(example.answer)])
        let outcome = try Program.run(example.line + ["--table", "--api", api.url])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(!outcome.output.contains("{\""))
        #expect(outcome.output.isEmpty != outcome.errors.isEmpty, "\(outcome)")
    }

    @Test func `differences are printed as a table`() throws {
        let api = try FakeAPI([.json(Self.comparison)])
        let outcome = try Program.run(["pushes", "compare", "1", "2", "--table", "--api", api.url])
        #expect(
            outcome.output == """
                KIND     NAME           psh_1  psh_2
                header   apns-priority  10     -
                payload  -              \u{fffd}[31m  \(String(repeating: "a", count: 61))
                and 1 difference more

                """)
    }

    @Test func `a list is a table and reports what it does not show`() throws {
        let refused =
            #"{"id":"psh_2","seq":2,"receivedAt":"2026-01-05T10:11:12.345678Z","token":"ab","device":null,"topic":null,"pushType":"alert","title":null,"body":null,"status":400,"reason":"MissingTopic","delivery":"not-attempted"}"#
        let page = Self.page([Self.summary, refused], matched: 9, note: #""dropped\n""#)
        let api = try FakeAPI([.json(page), .json(page)])
        let outcome = try Program.run(["pushes", "--table", "--api", api.url])
        #expect(
            outcome.output == """
                PUSH                  SEQ  RECEIVED              RESPONSE          DELIVERY       TYPE   TOPIC            DEVICE  TEXT
                psh_0000010000000001    1  2026-01-05 10:11:12Z  200               delivered      alert  com.example.app  alice   Hi\u{fffd}[31m: There
                psh_2                   2  2026-01-05 10:11:12Z  400 MissingTopic  not-attempted  alert  -                ab      -

                """)
        #expect(outcome.errors == "mock-apns: 2 of 9 pushes shown; --limit 9 shows more\ndropped \n")
        #expect(api.asked.map(\.target) == ["/api/v1/pushes?fields=summary"])
        let full = try Program.run(["pushes", "--table", "--full", "--api", api.url]).output
        #expect(full.contains("  alice \(Samples.token)  "))
    }

    @Test func `reports that there are no pushes`() throws {
        let api = try FakeAPI([.json(Self.empty), .json(Self.empty)])
        #expect(try Program.run(["pushes", "--table", "--api", api.url]).errors.contains("No pushes."))
        #expect(
            try Program.run(["pushes", "--table", "-q", "x", "--api", api.url]).errors
                == "mock-apns: No matching pushes.\n")
    }

    @Test func `similar searches are printed as options`() throws {
        let found = #"[{"q":"reason:BadTopic","count":3},{"q":"title:\"it's\"","count":1}]"#
        let page = Samples.whole(
            PushPageShape.self, #"{"pushes":[],"matched":0,"satisfied":true,"suggestions":\#(found)}"#)
        let outcome = try Program.run(["pushes", "--table", "-q", "BadTopik", "--api", FakeAPI([.json(page)]).url])
        #expect(
            outcome.errors == """
                mock-apns: No matching pushes. Similar searches that match:
                  -q 'reason:BadTopic'  (3)
                  -q 'title:"it'\\''s"'  (1)

                """)
    }

    @Test func `lines are those of the API`() throws {
        let lines = "{\"id\":1}\n{\"id\":2}\n"
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\ncontent-length: \(lines.utf8.count)"
        let api = try FakeAPI([FakeAPI.Script(pieces: ["\(head)\r\n\r\n\(lines)"])])
        let outcome = try Program.run(["pushes", "--ndjson", "--api", api.url])
        #expect(outcome.status == 0 && outcome.output == lines && outcome.errors == "", "\(outcome)")
        #expect(api.headers.first?.contains("accept: application/x-ndjson") == true)
    }

    @Test func `a mistake in a search is shown with its position`() throws {
        let problem = #"{"title":"T","detail":"'q' has a term at character 5: x\n  a tpic:b\n    ^^^^^^.","errors":[]}"#
        let api = try FakeAPI([.json(problem, status: 400), .json(problem, status: 400)])
        for more in [[], ["--ndjson"]] {
            let outcome = try Program.run(["pushes", "-q", "a tpic:b", "--api", api.url] + more)
            #expect(outcome.status == 64 && outcome.output == "")
            #expect(outcome.errors == "mock-apns: 'q' has a term at character 5: x\n  a tpic:b\n    ^^^^^^\n")
        }
    }

    @Test(arguments: [("raw", "raw"), ("curl", "curl"), ("simctl", "simctl.apns")])
    func `a body is printed byte for byte`(_ command: String, _ path: String) throws {
        let body = "{\"a\":\"\u{1b}[31m\"}"
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: \(body.utf8.count)\r\n\r\n"
        let latest = FakeAPI.Script.json(Samples.whole(PushShape.self, #"{"id":"psh_7"}"#))
        let api = try FakeAPI([latest, FakeAPI.Script(pieces: [head + body])])
        let outcome = try Program.run(["pushes", command, "latest", "--api", api.url])
        #expect(outcome.status == 0 && outcome.output == body && outcome.errors == "", "\(outcome)")
        #expect(api.asked.map(\.target) == ["/api/v1/pushes/latest", "/api/v1/pushes/psh_7/\(path)"])
    }

    @Test func `control characters of a body are not written to a terminal`() throws {
        #expect(TerminalText.plainLines(Array("a\u{1b}[31m\nb\u{202e}\n".utf8)) == "a\u{fffd}[31m\nb\u{fffd}")
        #expect(TerminalText.plainLines([0xff, 0x61] as [UInt8]) == "\u{fffd}a")
    }

    @Test(arguments: [
        ("12", "seq:12"), ("#12", "seq:12"), ("psh_1", "psh_1"), ("seq:3", "seq:3"), ("latest", "latest"),
        ("5101B8C4-E5BC-C90B-67F2-2F711992AAE1", "apns:5101B8C4-E5BC-C90B-67F2-2F711992AAE1"),
    ]) func `reads names of a push`(_ text: String, _ reference: String) {
        #expect(PushArgument(argument: text)?.reference == reference)
        #expect(PushArgument(argument: "") == nil)
    }
}

/// The exact output of `pushes show`.
@Suite struct PushDetailTests {
    private func text(_ sample: String) throws -> String { try Samples.decoded(sample, as: PushShape.self).text }

    @Test func `a refused push shows why`() throws {
        let sample = Samples.pushInFull(
            verdict:
                #"{"outcome":"rejected","status":400,"reason":"BadTopic","meaning":"M.","hint":"Do it.","checks":[{"id":"path","ok":true},{"id":"topic","ok":false,"expected":"a topic","actual":"a\u0007b"},{"id":"size","ok":null}],"problem":null}"#,
            body: #"{"aps":{"alert":"\u202e","n":[1, 2],"e":{},"s":"a,b:{\"}"}}"#,
            lints:
                #"[{"id":"badge-not-integer","severity":"warning","pointer":"/aps/badge","message":"odd\u001b","hint":"Send 3."}]"#
        )
        #expect(
            try text(sample) == """
                push        psh_0000010000000001  #1
                received    2026-01-05T10:11:12.345678Z from 127.0.0.1:51644
                verdict     rejected, 400 BadTopic
                why         Do it.
                checks      1 passed, 1 not reached
                apns-id     0c6b
                token       \(Samples.token)
                device      alice
                topic       com.example.app
                type        alert
                provider    key ABC123DEFG, team DEF123GHIJ, verified, 12 s old
                connection  c7, stream 15, sandbox
                delivery    delivered, Delivered to Device
                reaction    Banner.
                verified    vfy_3

                checks that failed
                  ✘ topic: expected a topic; saw 'a\u{fffd}b'

                warnings
                  warning badge-not-integer at aps.badge: odd\u{fffd}
                    hint: Send 3.

                headers
                  POST /3/device/\(Samples.token)
                  apns-topic: com.example.app
                  x-odd: a\u{fffd}[31m

                payload, 59 bytes
                  {
                    "aps": {
                      "alert": "\\u202e",
                      "n": [
                        1,
                        2
                      ],
                      "e": {},
                      "s": "a,b:{\\"}"
                    }
                  }

                timeline
                  AT                           SEQ  EVENT      DETAIL
                  2026-01-05T10:11:12.345678Z   #1  received
                  2026-01-05T10:11:12.345900Z   #2  responded  200
                  2026-01-05T10:11:14.000000Z   #3  delivered  from-storage
                """)
    }

    @Test func `shows the client's certificate`() throws {
        let certificate =
            #"{"subject":"CN=a\u001b","notAfter":"2027-01-05T10:11:12Z","authenticated":false,"problem":"Why."}"#
        let sample = Samples.pushInFull(tls: #"{"version":"TLSv1.3","clientCertificate":\#(certificate)}"#)
        let line = "certificate  CN=a\u{fffd}, valid until 2027-01-05T10:11:12Z, not authenticated. Why.\n"
        let shown = try text(sample)
        #expect(shown.contains(line), "\(shown)")
    }

    @Test(arguments: [
        ("not { json", "payload, 10 bytes, not JSON\n  not { json"), ("", "payload, 0 bytes\n"),
        ("\u{1b}[31m", "payload, 5 bytes, not JSON\n  \u{fffd}[31m"), ("[]", "payload, 2 bytes\n  []"),
        ("7", "payload, 1 bytes\n  7"),
    ]) func `shows payloads of all kinds`(_ body: String, _ words: String) throws {
        let text = try text(Samples.pushInFull(body: body))
        #expect(text.contains(words), "\(text)")
    }

    @Test func `bytes that are not text are shown as bytes`() throws {
        let sample = Samples.pushInFull(base64: Data([0xff, 0x00]).base64EncodedString())
        #expect(try text(sample).contains("payload, 0 bytes, not a text\n  ff 00"))
        #expect(try text(Samples.pushInFull(bodyKept: false)).contains(", too many to keep"))
    }
}

import MockAPNsFormats
import MockAPNsRules
import Testing

@testable import MockAPNsAPI

@Suite struct FormReaderTests {
    private enum Colour: String, CaseIterable, Sendable {
        case red
        case green
    }

    /// What is wrong with one part of a body: the part, what the message has in it, and what was probably meant.
    struct Mistake: Sendable, CustomTestStringConvertible {
        let body: String
        let path: String
        let message: String
        let suggestion: String?
        var testDescription: String { body }

        init(_ body: String, _ path: String, _ message: String, _ suggestion: String? = nil) {
            self.body = body
            self.path = path
            self.message = message
            self.suggestion = suggestion
        }
    }

    private struct Thing: Equatable, Sendable {
        var name: String?
        var colour: Colour?
        var isLarge: Bool?
        var token: DeviceToken?
        var at: Timestamp?
        var during: Int64?
        var parts: [String] = []
        var tags: [Colour]?
    }

    /// Reads everything that there are forms for.
    private static let form = Form<Thing>.object(
        Thing(), .required("name", .text("a name"), "What it is called.") { $0.name = $1 },
        .optional("colour", .word, default: "red") { $0.colour = $1 }, .optional("large", .boolean) { $0.isLarge = $1 },
        .optional("token", .deviceToken) { $0.token = $1 }, .optional("at", .time) { $0.at = $1 },
        .optional("during", .duration) { $0.during = $1 }, .optional("parts", .list(of: part)) { $0.parts = $1 },
        .optional("tags", .list(of: .word)) { $0.tags = $1 })
    private static let part = Form<String>.object(
        "", .required("name", .text("a name")) { $0 = $1 }, .optional("a/b~c", .boolean) { _, _ in }
    ).described(as: "Part")

    private func thing(_ text: String, use: SchemaUse = .request) throws(Problem) -> Thing {
        try Self.form.read(Array(text.utf8), use: use)
    }

    private func refusal(of text: String) -> Problem? {
        do {
            _ = try thing(text)
            return nil
        } catch { return error }
    }

    @Test func `valid members are read`() throws {
        let text = """
            {"name": "n", "colour": "green", "large": false, "token": "AAbb", "at": "1970-01-01T00:00:01Z",
             "during": "-2m", "parts": [{"name": "p"}, {"name": "q", "a/b~c": true}], "tags": ["red", "green"]}
            """
        #expect(
            try thing(text)
                == Thing(
                    name: "n", colour: .green, isLarge: false, token: DeviceToken(hex: "aabb"),
                    at: Timestamp(seconds: 1), during: -120_000_000, parts: ["p", "q"], tags: [.red, .green]))
        #expect(try thing(#"{"name": "n"}"#) == Thing(name: "n"))
        #expect(try thing(#"{"name": "n", "parts": [], "tags": []}"#) == Thing(name: "n", tags: []))
    }

    static let mistakes = [
        Mistake("{}", "/name", "is missing; expected a name"),
        Mistake(#"{"name":""}"#, "/name", "is ''; expected a name"),
        Mistake(#"{"name":5}"#, "/name", "is the number 5; expected a name"),
        Mistake(#"{"name":["a"]}"#, "/name", "is a list of 1 entry; expected a name"),
        Mistake(#"{"name":{}}"#, "/name", "is an object; expected a name"),
        Mistake(#"{"name":null}"#, "/name", "a member that is left out stays as it is"),
        Mistake(#"{"name":"n","color":"red"}"#, "/color", "is not a member of this object; it takes: name", "colour"),
        Mistake(#"{"name":"n","x":1}"#, "/x", "is not a member of this object"),
        Mistake(#"{"name":"n","":1}"#, "/", "is not a member of this object"),
        Mistake(#"{"name":"n","colour":"grean"}"#, "/colour", "is 'grean'; expected red or green", "green"),
        Mistake(#"{"name":"n","colour":"Red"}"#, "/colour", "is 'Red'; expected red or green", "red"),
        Mistake(#"{"name":"n","colour":true}"#, "/colour", "is true; expected red or green"),
        Mistake(#"{"name":"n","large":"true"}"#, "/large", "is 'true'; expected true or false"),
        Mistake(#"{"name":"n","large":1}"#, "/large", "is the number 1; expected true or false"),
        Mistake(#"{"name":"n","token":"abc"}"#, "/token", "is 'abc'; expected a device token"),
        Mistake(#"{"name":"n","token":""}"#, "/token", "is ''; expected a device token"),
        Mistake(#"{"name":"n","at":"2026-01-05"}"#, "/at", "expected a time such as 2026-01-05T10:11:12Z"),
        Mistake(#"{"name":"n","at":1767607872}"#, "/at", "is the number 1767607872; expected a time"),
        Mistake(#"{"name":"n","during":"5"}"#, "/during", "as in 500ms, 5s, 2m, 1h or 30d"),
        Mistake(#"{"name":"n","during":5}"#, "/during", "is the number 5; expected a duration"),
        Mistake(#"{"name":"n","parts":{}}"#, "/parts", "is an object; expected a list of objects"),
        Mistake(#"{"name":"n","parts":[1]}"#, "/parts/0", "is the number 1; expected an object"),
        Mistake(#"{"name":"n","parts":[{"name":"a"},{}]}"#, "/parts/1/name", "is missing"),
        Mistake(#"{"name":"n","parts":[{"name":"a","nam":1}]}"#, "/parts/0/nam", "is not a member", "name"),
        Mistake(#"{"name":"n","parts":[{"name":"a","a/b~c":1}]}"#, "/parts/0/a~1b~0c", "is the number 1"),
        Mistake(#"{"name":"n","tags":"red"}"#, "/tags", "expected a list, with red or green in each entry"),
        Mistake(#"{"name":"n","tags":["red","gren"]}"#, "/tags/1", "is 'gren'", "green"),
        Mistake("[]", "", "is a list of 0 entries; expected an object"),
        Mistake("true", "", "is true; expected an object"), Mistake(#""name""#, "", "is 'name'; expected an object"),
    ]

    @Test(arguments: mistakes) func `a mistake is reported with its path and what is expected`(mistake: Mistake) throws
    {
        let problem = try #require(refusal(of: mistake.body))
        #expect(problem.kind == .badBody)
        let complaint = try #require(problem.complaints.first { $0.path == mistake.path })
        #expect(complaint.message.contains(mistake.message), "\(complaint.message)")
        #expect(complaint.suggestion == mistake.suggestion)
        let subject = mistake.path.isEmpty ? "The body " : "'\(mistake.path)' "
        #expect(problem.detail.contains(subject + complaint.message))
    }

    @Test func `all mistakes are reported at once`() throws {
        let text = #"{"nme":"n","colour":"blue","parts":[{"name":1},{"name":"x"},3]}"#
        let problem = try #require(refusal(of: text))
        #expect(problem.complaints.map(\.path) == ["/nme", "/name", "/colour", "/parts/0/name", "/parts/2"])
        #expect(problem.detail.contains("(did you mean 'name'?)"))
    }

    @Test func `too many mistakes are counted`() throws {
        let parts = Array(repeating: "{}", count: 100_000).joined(separator: ",")
        let problem = try #require(refusal(of: #"{"name":"n","parts":[\#(parts)]}"#))
        #expect(problem.complaints.count == 20)
        #expect(problem.detail.hasSuffix("There are 99980 more mistakes."))
    }

    @Test func `long values are cut`() throws {
        let problem = try #require(refusal(of: #"{"name":"n","colour":"\#(String(repeating: "é", count: 5_000))"}"#))
        #expect(problem.complaints[0].message.hasPrefix("is '" + String(repeating: "é", count: 60) + "…'; "))
        #expect(problem.detail.utf8.count < 1_000)
    }

    @Test func `null is accepted for an optional member`() throws {
        let text = #"{"name":"n","colour":null,"large":null,"parts":null,"tags":null}"#
        #expect(try thing(text, use: .draft) == Thing(name: "n"))
        #expect(refusal(of: text)?.complaints.map(\.path) == ["/colour", "/large", "/parts", "/tags"])
        #expect(throws: Problem.self) { try thing(#"{"name":null}"#, use: .draft) }
    }

    static let notJSON: [(String, String)] = [
        ("", "has no body; expected JSON"), (" ", "is the end; expected a JSON value"),
        ("state=offline", "at line 1, column 1 (byte 0) is 'state=offlin'; expected a JSON value"),
        ("{\"name\":\n \"n\",\n}", "at line 3, column 1 (byte 15) is '}'; expected '\"'"),
        (#"{"name":"n""#, "is the end; expected ',' or '}'"), (#"{"name" "n"}"#, "expected ':'"),
        (#"{"name":"n"} x"#, "(byte 13) is 'x'; expected the end"), ("[1 2]", "expected ',' or ']'"),
        (#"{"name":'n'}"#, "(byte 8) is ''n'}'; expected a JSON value"), (#"{"name":"n","name":"m"}"#, "(byte 12)"),
        (#"{"name":"n","name":"m"}"#, "'name' comes twice"), (#"{"name":01}"#, "no leading 0"),
        (#"{"name":"\x"}"#, "(byte 9)"), (#"{"name":-}"#, "expected a digit"),
        (#"{"name":"a"#, "is the end; expected '\"'"), ("{\"name\":\"a\nb\"}", "no control character"),
        (String(repeating: "[", count: 200), "less nesting: 128 levels are the most"),
    ]

    @Test(arguments: notJSON) func `a body that is not JSON says where`(body: String, message: String) throws {
        let problem = try #require(refusal(of: body))
        #expect(problem.kind == .badBody)
        #expect(problem.detail.contains(message), "\(problem.detail)")
        #expect(problem.complaints.map(\.path) == [""])
    }

    @Test func `bytes that are not UTF-8 are no JSON`() {
        let bytes = Array(#"{"name":""#.utf8) + [0xff] + Array(#""}"#.utf8)
        #expect { try Self.form.read(bytes, use: .request) } throws: { error in
            (error as? Problem)?.detail.contains("(byte 9)") == true
                && (error as? Problem)?.detail.contains("expected UTF-8") == true
        }
    }

    @Test func `an empty body is accepted if every member is optional`() throws {
        let form = Form<String?>.object(nil, .optional("name", .text("a name")) { $0 = $1 })
        let body = RequestBody(form, isRequired: false, example: [:])
        #expect(try body.read([], now: Timestamp(seconds: 0)) == nil)
        #expect(throws: Problem.self) { try RequestBody(form, example: [:]).read([], now: Timestamp(seconds: 0)) }
    }

    @Test(arguments: [
        #"{"at":"2026-01-05T10:11:12.000000Z","colour":"green","during":"1500ms","large":true,"name":"a"}"#,
        #"{"colour":"red","large":false,"name":"b","tags":["red","green"]}"#,
    ]) func `a form writes what it reads`(_ text: String) throws {
        let form = Form<Thing>.object(
            Thing(), .optional("name", .text("a name"), as: \.name), .optional("colour", .word, as: \.colour),
            .optional("large", .boolean, as: \.isLarge), .optional("at", .time, as: \.at),
            .optional("during", .duration, as: \.during), .optional("tags", .list(of: .word), as: \.tags))
        let thing = try form.read(Array(text.utf8), use: .request)
        #expect(String(decoding: form.json(thing).text, as: UTF8.self) == text)
    }

    @Test func `the schema is made of the members that are read`() {
        let schemas = Self.form.schema(.draft).named
        #expect(Array(schemas.keys) == ["PartDraft"])
        let part = Schema.closed(["name": .text(atLeast: 1), "a/b~c": Schema.boolean.orNull], required: ["name"])
        #expect(schemas["PartDraft"] == part.json)
        let draft = Self.form.schema(.draft).json
        #expect(draft["required"] == ["name"])
        #expect(draft["properties"]?["name"]?["description"] == "What it is called.")
        #expect(draft["properties"]?["colour"]?["enum"] == ["red", "green", .null])
        #expect(draft["properties"]?["colour"]?["default"] == "red")
        // Without null: it would not mean the same as an absent member.
        let change = Self.form.schema(.request).json
        #expect(change["properties"]?["colour"]?["enum"] == ["red", "green"])
        #expect(change["properties"]?["parts"]?["items"] == ["$ref": "#/components/schemas/Part"])
    }
}

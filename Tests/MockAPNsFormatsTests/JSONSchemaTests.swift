import Testing

@testable import MockAPNsFormats

@Suite struct JSONSchemaTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let keyword: JSONSchemaKeyword
        let schema: String
        let fitting: [String]
        /// Values that do not fit, each with the pointer and the text of the first mismatch.
        let others: [(value: String, pointer: String, message: String)]
        var testDescription: String { "\(keyword.rawValue): \(schema)" }

        init(
            _ keyword: JSONSchemaKeyword, _ schema: String, _ fitting: [String],
            not others: (value: String, pointer: String, message: String)...
        ) { (self.keyword, self.schema, self.fitting, self.others) = (keyword, schema, fitting, others) }
    }

    static let rows: [Row] = [
        Row(
            .type, #"{"type":"string"}"#, [#""a""#, #""""#], not: ("3", "", "the value is 3; expected a string"),
            ("null", "", "the value is null; expected a string")),
        Row(
            .type, #"{"type":"integer"}"#, ["3", "-1", "1.0", "10e2", "18446744073709551615", "1e300"],
            not: ("1.5", "", "the value is 1.5; expected an integer"),
            (#""3""#, "", #"the value is the string "3"; expected an integer"#)),
        Row(.type, #"{"type":"number"}"#, ["3", "1.5"], not: ("true", "", "the value is true; expected a number")),
        Row(
            .type, #"{"type":["integer","null"]}"#, ["3", "null"],
            not: ("[]", "", "the value is an array; expected an integer or null")),
        Row(.type, #"{"type":"boolean"}"#, ["true", "false"], not: ("0", "", "the value is 0; expected a boolean")),
        Row(.type, #"{"type":"object"}"#, ["{}"], not: ("[]", "", "the value is an array; expected an object")),
        Row(.type, #"{"type":"array"}"#, ["[]"], not: ("{}", "", "the value is an object; expected an array")),
        Row(
            .enum, #"{"enum":["open",3,{"a":[1]}]}"#, [#""open""#, "3", "3.0", #"{"a":[1.0]}"#],
            not: (#""closed""#, "", #"the value is the string "closed"; expected one of "open", 3, {"a":[1]}"#),
            ("[1]", "", #"the value is an array; expected one of "open", 3, {"a":[1]}"#)),
        Row(.enum, #"{"enum":[false]}"#, ["false"], not: ("0", "", "the value is 0; expected false")),
        Row(.const, #"{"const":1}"#, ["1", "1.0"], not: ("true", "", "the value is true; expected 1")),
        Row(
            .const, #"{"const":"\u00e9"}"#, [#""é""#],
            not: (#""e\u0301""#, "", "the value is the string \"e\u{301}\"; expected \"\u{e9}\"")),
        Row(
            .anyOf, #"{"anyOf":[{"type":"null"},{"type":"object","required":["id"]}]}"#, ["null", #"{"id":1}"#],
            not: ("{}", "", "the value is an object without 'id'; expected this member"),
            ("3", "", "the value is 3; expected one of 2 schemas to fit: null; an object")),
        Row(
            .reference, ##"{"$defs":{"id":{"type":"integer"}},"items":{"$ref":"#/$defs/id"}}"##, ["[1]"],
            not: (#"["1"]"#, "/0", #"[0] is the string "1"; expected an integer"#)),
        Row(
            .reference, ##"{"properties":{"next":{"$ref":"#"}},"required":["id"]}"##, [#"{"id":1,"next":{"id":2}}"#],
            not: (#"{"id":1,"next":{}}"#, "/next", "next is an object without 'id'; expected this member")),
        Row(
            .reference, ##"{"properties":{"a/b":{"type":"null"},"c":{"$ref":"#/properties/a~1b"}}}"##, [#"{"c":null}"#],
            not: (#"{"c":1}"#, "/c", "c is 1; expected null")),
        Row(
            .properties, #"{"properties":{"a":{"type":"integer"},"b~/":{"type":"string"}}}"#,
            ["{}", #"{"a":1,"b~/":"x","c":[]}"#, "3"],
            not: (#"{"a":"1"}"#, "/a", #"a is the string "1"; expected an integer"#),
            (#"{"b~/":1}"#, "/b~0~1", "b~/ is 1; expected a string")),
        Row(
            .required, #"{"required":["orderID"]}"#, [#"{"orderID":null}"#, "[]"],
            not: ("{}", "", "the value is an object without 'orderID'; expected this member"),
            (#"{"orderId":1}"#, "", "the value is an object without 'orderID'; expected this member; it has 'orderId'")),
        Row(
            .additionalProperties, #"{"properties":{"total":{}},"additionalProperties":false}"#, [#"{"total":1}"#],
            not: (
                #"{"totl":1}"#, "/totl",
                "totl is a member that the schema does not have; expected only total; did you mean total?"
            )),
        Row(
            .additionalProperties, #"{"additionalProperties":{"type":"integer"}}"#, [#"{"a":1}"#],
            not: (#"{"a":true}"#, "/a", "a is true; expected an integer")),
        Row(
            .items, #"{"items":{"items":{"type":"integer"}}}"#, ["[]", "[[1],[]]", #"{"a":1}"#],
            not: ("[[1],[2,null]]", "/1/1", "[1][1] is null; expected an integer")),
        Row(
            .minItems, #"{"minItems":2}"#, ["[1,2]", "3"],
            not: ("[1]", "", "the value is an array of 1 item; expected at least 2")),
        Row(
            .maxItems, #"{"maxItems":1.0}"#, ["[1]", "[]"],
            not: ("[1,2]", "", "the value is an array of 2 items; expected at most 1")),
        Row(
            .minLength, #"{"minLength":2}"#, [#""ab""#, "1"],
            not: (#""😀""#, "", #"the value is the string "😀" of 1 character; expected at least 2"#)),
        Row(
            .maxLength, #"{"maxLength":2}"#, [#""😀😀""#],
            not: (#""abc""#, "", #"the value is the string "abc" of 3 characters; expected at most 2"#)),
        Row(
            .pattern, #"{"pattern":"^[A-Z]{2}-\\d+$"}"#, [#""AB-12""#, "3"],
            not: (#""ab-12""#, "", #"the value is the string "ab-12"; expected a text that matches ^[A-Z]{2}-\d+$"#)),
        Row(
            .format, #"{"format":"date-time"}"#,
            [#""2030-01-31T09:30:00Z""#, #""2030-01-31t09:30:00.5+01:00""#, #""1998-12-31T15:59:60-08:00""#, "3"],
            not: (
                #""2030-02-31T09:30:00Z""#, "",
                #"the value is the string "2030-02-31T09:30:00Z"; expected a date and time such as 2030-01-31T09:30:00Z"#
            ),
            (
                #""2030-01-31 09:30:00Z""#, "",
                #"the value is the string "2030-01-31 09:30:00Z"; expected a date and time such as 2030-01-31T09:30:00Z"#
            ),
            (
                #""1998-12-31T22:59:60Z""#, "",
                #"the value is the string "1998-12-31T22:59:60Z"; expected a date and time such as 2030-01-31T09:30:00Z"#
            )),
        Row(
            .format, #"{"format":"uri"}"#,
            [#""https://u:p@example.com:80/a?b=c#d""#, #""mailto:a@b.c""#, #""app://[::1]/x%20""#],
            not: (
                #""/orders/1""#, "",
                #"the value is the string "/orders/1"; expected a URI such as https://example.com/orders/1"#
            ),
            (
                #""https://a b""#, "",
                #"the value is the string "https://a b"; expected a URI such as https://example.com/orders/1"#
            ),
            (
                #""https://a/%2""#, "",
                #"the value is the string "https://a/%2"; expected a URI such as https://example.com/orders/1"#
            )),
        Row(
            .minimum, #"{"minimum":-1.5}"#, ["-1.5", "0", #""a""#],
            not: ("-2", "", "the value is -2; expected at least -1.5")),
        Row(
            .maximum, #"{"maximum":9007199254740993}"#, ["9007199254740993"],
            not: ("9007199254740994", "", "the value is 9007199254740994; expected at most 9007199254740993")),
        Row(
            .exclusiveMinimum, #"{"exclusiveMinimum":0}"#, ["0.1"],
            not: ("0", "", "the value is 0; expected more than 0"),
            ("-0.0", "", "the value is -0.0; expected more than 0")),
        Row(
            .exclusiveMaximum, #"{"exclusiveMaximum":1e2}"#, ["99.9"],
            not: ("100", "", "the value is 100; expected less than 1e2")),
        Row(
            .multipleOf, #"{"multipleOf":0.01}"#, ["0", "19.99", "1e300", "-0.07"],
            not: ("0.075", "", "the value is 0.075; expected a multiple of 0.01")),
        Row(.definitions, #"{"$defs":{"a":false}}"#, ["1"]),
        Row(.dialect, #"{"$schema":"https://json-schema.org/draft/2020-12/schema"}"#, ["1"]),
        Row(.identifier, #"{"$id":"https://example.com/order"}"#, ["1"]),
        Row(.comment, #"{"$comment":"for people"}"#, ["1"]), Row(.title, #"{"title":"Order"}"#, ["1"]),
        Row(.description, #"{"description":"An order."}"#, ["1"]), Row(.default, #"{"default":3}"#, [#""a""#]),
        Row(.examples, #"{"examples":[3]}"#, [#""a""#]),
    ]

    @Test(arguments: rows) func `values fit, or differ at a place and for a reason`(_ row: Row) throws {
        let schema = try JSONSchema(Array(row.schema.utf8))
        for value in row.fitting { #expect(schema.check(try json(value)) == .fits, "\(value)") }
        for other in row.others {
            guard case .differs(let mismatches) = schema.check(try json(other.value)), let first = mismatches.first
            else {
                Issue.record("\(other.value) fits")
                continue
            }
            #expect(first.pointer == other.pointer)
            #expect(first.message() == other.message)
        }
    }

    @Test func `every keyword has a row here, and every keyword that requires something a value that does not fit`() {
        let silent: Set<JSONSchemaKeyword> = [
            .definitions, .dialect, .identifier, .comment, .title, .description, .default, .examples,
        ]
        for keyword in JSONSchemaKeyword.allCases {
            let rows = Self.rows.filter { $0.keyword == keyword }
            #expect(!rows.isEmpty, "\(keyword)")
            #expect(rows.isEmpty || rows.contains { !$0.others.isEmpty } != silent.contains(keyword), "\(keyword)")
        }
    }

    static let refused: [(schema: String, pointer: String, message: String, suggestion: String?)] = [
        ("", "", "is not JSON: expected a JSON value at byte 0", nil),
        ("3", "", "is 3; expected a schema: an object, true or false", nil),
        (#"{"type":"text"}"#, "/type", #"has the string "text"; expected each of these at most once"#, nil),
        (#"{"type":"strin"}"#, "/type", #"has the string "strin"; expected each"#, "string"),
        (#"{"type":["null","null"]}"#, "/type", #"has the string "null"; expected each"#, "null"),
        (#"{"type":[]}"#, "/type", "is an array; expected a type or a list of types", nil),
        (#"{"enum":[]}"#, "/enum", "is an array; expected a list of values", nil),
        (#"{"anyOf":{}}"#, "/anyOf", "is an object; expected a list of schemas", nil),
        (#"{"properties":{"a/b":{"minimun":3}}}"#, "/properties/a~1b/minimun", "is not a keyword", "minimum"),
        (#"{"propertys":{}}"#, "/propertys", "is not a keyword that this server checks", "properties"),
        (#"{"oneOf":[{}]}"#, "/oneOf", "is not a keyword", nil),
        (#"{"items":[{}]}"#, "/items", "is an array; expected a schema", nil),
        (#"{"required":true}"#, "/required", "is true; expected a list of different names", nil),
        (#"{"required":["a","a"]}"#, "/required", "is an array; expected a list of different names", nil),
        (#"{"minLength":-1}"#, "/minLength", "is -1; expected a whole number from 0", nil),
        (#"{"minItems":1.5}"#, "/minItems", "is 1.5; expected a whole number from 0", nil),
        (#"{"maximum":"3"}"#, "/maximum", #"is the string "3"; expected a number"#, nil),
        (#"{"multipleOf":0}"#, "/multipleOf", "is 0; expected a positive number of up to 18 digits", nil),
        (#"{"multipleOf":1234567890123456789}"#, "/multipleOf", "is 1234567890123456789; expected a positive", nil),
        (#"{"pattern":"("}"#, "/pattern", "is not a regular expression that this server checks: at character 2", nil),
        (#"{"pattern":"(?=a)"}"#, "/pattern", "is not a regular expression that this server checks", nil),
        (#"{"format":"datetime"}"#, "/format", #"is the string "datetime"; expected date-time or uri"#, "date-time"),
        (#"{"$ref":"other.json"}"#, "/$ref", "is 'other.json'; expected '#', or '#/'", nil),
        (
            ##"{"$ref":"#/$defs/Ordr","$defs":{"Order":{}}}"##, "/$ref", "where the document has no schema",
            "#/$defs/Order"
        ), (##"{"$ref":"#/required/0","required":["a"]}"##, "/$ref", "where the document has no schema", nil),
        (##"{"$ref":"#"}"##, "/$ref", "leads back to itself", nil),
        (
            ##"{"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/b"}]},"b":{"$ref":"#/$defs/a"}}}"##, "/$defs/b/$ref",
            "leads back to itself", nil
        ), (#"{"properties":{"a":{"$id":"x"}}}"#, "/properties/a/$id", "is inside the document", nil),
        (#"{"title":3}"#, "/title", "is 3; expected a string", nil),
        (#"{"type":"null","type":"null"}"#, "", "is not JSON: expected every name once in an object", nil),
    ]

    @Test(arguments: refused) func `a document that cannot be checked is refused with the place`(
        _ schema: String, _ pointer: String, _ message: String, _ suggestion: String?
    ) throws {
        let refusal = try #require(throws: JSONSchema.Refusal.self) { try JSONSchema(Array(schema.utf8)) }
        #expect(refusal.complaints.first?.path == pointer)
        #expect(refusal.complaints.first?.message.contains(message) == true, "\(refusal.message)")
        #expect(refusal.complaints.first?.suggestion == suggestion)
    }

    // MARK: Bounds

    static let tooLarge: [(String, String)] = [
        (#"{"title":""# + String(repeating: "a", count: JSONSchema.largest) + #""}"#, "bytes; expected 65536 at most"),
        (
            String(repeating: #"{"items":"#, count: JSONSchema.deepest) + "1"
                + String(repeating: "}", count: JSONSchema.deepest), "less nesting: 64 levels are the most"
        ),
        (
            #"{"anyOf":["# + Array(repeating: "{}", count: JSONSchema.mostParts).joined(separator: ",") + "]}",
            "is one schema too many; expected 2000 at most"
        ),
        (
            #"{"anyOf":["# + Array(repeating: #"{"pattern":"(a{30}){30}"}"#, count: 9).joined(separator: ",") + "]}",
            "makes all regular expressions together too large"
        ),
    ]

    @Test(arguments: tooLarge) func `a document beyond a limit is refused`(_ schema: String, _ message: String) throws {
        let refusal = try #require(throws: JSONSchema.Refusal.self) { try JSONSchema(Array(schema.utf8)) }
        #expect(refusal.message.contains(message), "\(refusal.message.prefix(200))")
    }

    /// Each level has two alternatives that lead to the next one, so that there are 2³⁰ ways through the schema.
    @Test func `a check that takes too many steps ends`() throws {
        let levels = (0..<30).map {
            ##""a\##($0)":{"anyOf":[{"$ref":"#/$defs/a\##($0 + 1)"},{"$ref":"#/$defs/a\##($0 + 1)"}]}"##
        }
        let document = ##"{"$ref":"#/$defs/a0","$defs":{\##(levels.joined(separator: ",")),"a30":false}}"##
        let schema = try JSONSchema(Array(document.utf8))
        var steps = 0
        #expect(schema.check(1, steps: 1_000, spent: { steps = $0 }) == .tooCostly)
        #expect(steps == 1_000)
    }

    @Test func `a long chain of references ends a check instead of the stack`() throws {
        let links = (0..<500).map { ##""a\##($0)":{"$ref":"#/$defs/a\##($0 + 1)"}"## }
        let document = ##"{"$ref":"#/$defs/a0","$defs":{\##(links.joined(separator: ",")),"a500":{}}}"##
        #expect(try JSONSchema(Array(document.utf8)).check(1) == .tooCostly)
    }

    @Test func `the deepest value that the parser reads can be checked`() throws {
        let schema = try JSONSchema(Array(##"{"$defs":{"a":{"items":{"$ref":"#/$defs/a"}}},"$ref":"#/$defs/a"}"##.utf8))
        let depth = JSONParser.maximumDepth
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(schema.check(try json(text)) == .fits)
    }

    @Test func `only the first few mismatches are kept, in the order of names`() throws {
        let schema = try JSONSchema(Array(#"{"additionalProperties":{"type":"null"}}"#.utf8))
        let value = JSONValue.object(Dictionary(uniqueKeysWithValues: (10..<90).map { ("a\($0)", .integer($0)) }))
        guard case .differs(let found) = schema.check(value) else { return #expect(Bool(false)) }
        #expect(found.map(\.pointer) == (10..<20).map { "/a\($0)" })
        guard case .differs(let two) = schema.check(value, atMost: 2) else { return #expect(Bool(false)) }
        #expect(two.map(\.pointer) == ["/a10", "/a11"])
    }

    @Test func `a schema is kept as it was written`() throws {
        let text = "{ \"type\" : \"string\",\n\"title\":\"\u{e9}\" }"
        let schema = try JSONSchema(Array(text.utf8))
        #expect(schema.text == text)
        var archive = try ArchiveReader(schema.archive)
        #expect(try archive.read(JSONSchema.self) == schema)
    }

    private func json(_ text: String) throws -> JSONValue { try #require(JSONParser.value(of: Array(text.utf8))) }
}

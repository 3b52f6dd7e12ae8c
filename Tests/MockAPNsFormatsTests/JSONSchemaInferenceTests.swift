import Testing

@testable import MockAPNsFormats

@Suite struct JSONSchemaInferenceTests {
    static let rows: [(values: [String], schema: String)] = [
        ([], "{}"), (["1"], #"{"type":"integer"}"#), (["1", "2.5"], #"{"type":"number"}"#),
        (["1.0", "null"], #"{"type":["integer","null"]}"#), (["[]"], #"{"type":"array"}"#),
        (["[1]", #"["a"]"#], #"{"items":{"type":["string","integer"]},"type":"array"}"#),
        (["{}"], #"{"type":"object"}"#),
        (
            [#"{"a":1,"b":"x"}"#, #"{"a":2,"c":{"d":true}}"#],
            #"{"properties":{"a":{"type":"integer"},"b":{"type":"string"},"#
                + #""c":{"properties":{"d":{"type":"boolean"}},"required":["d"],"type":"object"}},"#
                + #""required":["a"],"type":"object"}"#
        ), ([#"{"a":1}"#, "{}", "3"], #"{"properties":{"a":{"type":"integer"}},"type":["integer","object"]}"#),
    ]

    @Test(arguments: rows) func `types, members and required members follow from values`(
        _ values: [String], _ expected: String
    ) throws {
        var inference = JSONSchemaInference()
        for value in values { inference.note(try #require(JSONParser.value(of: Array(value.utf8)))) }
        let schema = try #require(inference.schema())
        guard case .object(var members)? = JSONParser.value(of: Array(schema.text.utf8)) else {
            return #expect(Bool(false))
        }
        #expect(members.removeValue(forKey: "$schema") == "https://json-schema.org/draft/2020-12/schema")
        #expect(String(decoding: JSONValue.object(members).text, as: UTF8.self) == expected)
    }

    @Test(arguments: 0..<200 as Range<UInt64>) func `every value fits the schema that follows from all of them`(
        _ seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let values = (0..<Int.random(in: 1...8, using: &random)).map { _ in Self.value(depth: 0, &random) }
        var inference = JSONSchemaInference()
        for value in values { inference.note(value) }
        let schema = try #require(inference.schema(title: "Payload"))
        for value in values { #expect(schema.check(value, steps: .max) == .fits, "\(schema.text)") }
    }

    @Test func `what is too large is described by its types, and still fits`() throws {
        var random = SplitMix64(seed: 7)
        let name = String(repeating: "n", count: 900)
        let wide = JSONValue.object(Dictionary(uniqueKeysWithValues: (0..<100).map { ("\(name)\($0)", .integer($0)) }))
        let many = JSONValue.object(Dictionary(uniqueKeysWithValues: (0..<101).map { ("\($0)", .integer($0)) }))
        let deep = (0..<100).reduce(JSONValue.integer(1)) { value, _ in .array([value]) }
        for value in [wide, many, deep, .array([wide, Self.value(depth: 0, &random)])] {
            var inference = JSONSchemaInference()
            inference.note(value)
            let schema = try #require(inference.schema())
            #expect(schema.text.utf8.count <= JSONSchema.largest)
            #expect(schema.check(value, steps: .max) == .fits)
        }
    }

    private static func value(depth: Int, _ random: inout SplitMix64) -> JSONValue {
        switch Int.random(in: 0..<(depth < 4 ? 9 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .integer(Int64.random(in: -5...5, using: &random))
        case 3:
            return .literal(
                ["1.5", "1.0", "1e300", "123456789012345678901234567890"].randomElement(using: &random) ?? "0.5")
        case 4, 5: return .string(["", "a", "2030-01-31T09:30:00Z"].randomElement(using: &random) ?? "")
        case 6: return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth: depth + 1, &random) })
        default:
            let names = ["a", "b", "c/d", "\u{e9}"].filter { _ in Bool.random(using: &random) }
            return .object(Dictionary(uniqueKeysWithValues: names.map { ($0, value(depth: depth + 1, &random)) }))
        }
    }
}

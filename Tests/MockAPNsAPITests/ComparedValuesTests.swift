import MockAPNsFormats
import Testing

@testable import MockAPNsAPI

@Suite struct ComparedValuesTests {
    /// Two bodies, and the lines that describe the result: `name: left | right` of a difference, `name = value`.
    struct Case: Sendable, CustomTestStringConvertible {
        let left: String
        let right: String
        let result: [String]

        init(_ left: String, _ right: String, _ result: String...) {
            (self.left, self.right, self.result) = (left, right, result)
        }

        var testDescription: String { "\(left) \(right)" }
    }

    static let cases: [Case] = [
        Case(#"{"a":1,"b":"x"}"#, #"{"b":"x","a":1}"#, "/a = 1", #"/b = "x""#),
        Case(#"{"a":1}"#, #"{"a":1.0}"#, "/a: 1 | 1.0"), Case(#"{"a":"1"}"#, #"{"a":1}"#, #"/a: "1" | 1"#),
        Case(#"{"a":null}"#, "{}", "/a: null | -"),
        Case(#"{"a":{"b":[1,2]}}"#, #"{"a":{"b":[1,3,4]}}"#, "/a/b/1: 2 | 3", "/a/b/2: - | 4", "/a/b/0 = 1"),
        Case(#"{"a":"x"}"#, #"{"a":{"t":"x"}}"#, #"/a: "x" | {"t":"x"}"#),
        Case(#"{"a":{},"b":[]}"#, #"{"a":{},"b":{}}"#, "/b: [] | {}", "/a = {}"),
        Case(#"{"a/b":1,"c~":{"":2}}"#, "{}", "/a~1b: 1 | -", #"/c~0: {"":2} | -"#),
        Case(#"{"a":"\u00e9"}"#, #"{"a":"e\u0301"}"#, "/a: \"\u{e9}\" | \"e\u{301}\""),
        Case("[1]", #"{"0":1}"#, #": [1] | {"0":1}"#), Case("1", "1", " = 1"), Case("null", "nul", ": null | nul"),
        Case("{", "{", " = {"), Case("", "{}", ":  | {}"),
    ]

    @Test(arguments: cases) func `bodies are compared value by value`(_ example: Case) {
        #expect(Self.lines(Self.compared(example.left, example.right)) == example.result)
        let mirrored = Self.compared(example.right, example.left)
        let one = Self.compared(example.left, example.right)
        #expect(mirrored.differences.map(\.left) == one.differences.map(\.right))
        #expect(mirrored.same.map(\.name) == one.same.map(\.name))
    }

    @Test func `named values are compared by kind and name`() {
        var values = ComparedValues()
        values.compare(
            [(.header, "a", "1"), (.header, "b", "2"), (.response, "a", nil)],
            [(.header, "c", "3"), (.response, "a", nil), (.header, "b", "2"), (.header, "a", "")])
        #expect(Self.lines(values) == ["a: 1 | ", "c: - | 3", "b = 2"])
        #expect(values.differences.map(\.kind) == [.header, .header])
    }

    @Test func `a body that was not kept is absent`() {
        var values = ComparedValues()
        values.compare(body: .text(nil), .json(["a": 1]))
        values.compare(body: .text(nil), .text(nil))
        #expect(Self.lines(values) == [#": - | {"a":1}"#])
    }

    @Test func `values beyond the limits are counted`() {
        let numbers = (0..<2_000).map(String.init).joined(separator: ",")
        let others = (0..<2_000).map { $0 < 800 ? "-1" : String($0) }.joined(separator: ",")
        let many = Self.compared("[\(numbers)]", "[\(others)]")
        #expect(many.differences.count == 500 && many.moreDifferences == 300)
        #expect(many.same.count == 200 && many.moreSame == 1_000)

        // The pointers are long here, and there is one of them for each of the numbers.
        let name = String(repeating: "n", count: 30_000)
        let long = Self.compared(#"{"\#(name)":[\#(numbers)]}"#, #"{"\#(name)":[\#(others)]}"#)
        #expect(long.differences.count == 9 && long.moreDifferences == 791)
        #expect(long.same.count == 9 && long.moreSame == 1_191)
    }

    @Test func `the deepest payload that is read is compared`() {
        let depth = JSONParser.maximumDepth - 1
        func nested(_ value: Int) -> String {
            String(repeating: "[", count: depth) + String(value) + String(repeating: "]", count: depth)
        }
        let pointer = String(repeating: "/0", count: depth)
        #expect(Self.lines(Self.compared(nested(1), nested(2))) == ["\(pointer): 1 | 2"])
    }

    private static func compared(_ left: String, _ right: String) -> ComparedValues {
        func body(_ text: String) -> ComparedValues.Body {
            JSONParser.value(of: Array(text.utf8)).map { .json($0) } ?? .text(text)
        }
        var values = ComparedValues()
        values.compare(body: body(left), body(right))
        return values
    }

    private static func lines(_ values: ComparedValues) -> [String] {
        values.differences.map { "\($0.name): \($0.left ?? "-") | \($0.right ?? "-")" }
            + values.same.map { "\($0.name) = \($0.value)" }
    }
}

internal import MockAPNsFormats

extension BodyReader {
    /// Longer texts are cut where they are shown.
    private static let longestShown = 60

    /// A value as a complaint shows it: short, whatever was sent.
    static func shown(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .integer, .unsigned, .number, .literal:
            "the number \(cut(String(decoding: value.text, as: UTF8.self)))"
        case .string(let text): "'\(cut(text))'"
        case .array(let values): values.count == 1 ? "a list of 1 entry" : "a list of \(values.count) entries"
        case .object, .written: "an object"
        }
    }

    /// What to answer where a body is not JSON.
    static func problem(of failure: JSONParser.Failure, in body: [UInt8]) -> Problem {
        guard !body.isEmpty else {
            return Problem(
                kind: .badBody,
                detail: "The request has no body; expected JSON.",
                complaints: [Problem.Complaint(path: "", message: "is empty; expected JSON", suggestion: nil)]
            )
        }
        let before = body[..<failure.offset]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let column = failure.offset - lineStart + 1
        let seen = String(decoding: body[failure.offset...].prefix(12), as: UTF8.self)
        let found = failure.offset == body.count ? "the end" : "'\(seen)'"
        let message =
            "is not JSON: at line \(line), column \(column) (byte \(failure.offset)) is \(found);"
            + " expected \(failure.expected)"
        return Problem(
            kind: .badBody,
            detail: "The body \(message).",
            complaints: [Problem.Complaint(path: "", message: message, suggestion: nil)]
        )
    }

    private static func cut(_ text: String) -> String {
        let start = text.prefix(longestShown)
        return start.endIndex == text.endIndex ? text : start + "…"
    }
}

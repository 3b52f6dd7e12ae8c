internal import MockAPNsFormats

extension BodyReader {
    /// What to answer where a body is not JSON.
    static func problem(of failure: JSONParser.Failure, in body: [UInt8]) -> Problem {
        guard !body.isEmpty else {
            return Problem(
                kind: .badBody,
                detail: "The request has no body; expected JSON.",
                complaints: [Complaint(path: "", message: "is empty; expected JSON")]
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
            complaints: [Complaint(path: "", message: message)]
        )
    }
}

/// What became of a push that was forwarded to another push service.
package struct ForwardRecord: Sendable {
    /// A comparison of the response with the mock's.
    package enum Outcome: String, CaseIterable, Sendable {
        /// The status and the reason are those of the mock.
        case same
        /// The status or the reason is another one.
        case differs
        /// There was no response.
        case failed
        /// It was not sent, because too many pushes were waiting.
        case dropped
    }

    /// The maximum number of header fields.
    static let mostHeaders = 16
    /// The maximum size of a value, and of the other texts, in bytes.
    static let longestText = 512
    /// The maximum size of the body, in bytes.
    static let largestBody = 1_024

    package let outcome: Outcome
    /// The status, 200 to 599; `nil` without a response.
    package let status: Int?
    /// The reason in the response's body; `nil` if there is none.
    package let reason: String?
    /// The header fields in the order received; at most 16, with values of at most 512 bytes.
    package let headers: [(name: String, value: String)]
    /// The first 1,024 bytes of the body.
    package let body: [UInt8]
    /// The microseconds from sending to the end of the response, or to the failure.
    package let microseconds: Int64
    /// Why there is no response.
    package let error: String?

    /// Creates the record of a response; `isSame` says whether the mock gave the same one.
    package init(
        status: Int, reason: String?, headers: [(name: String, value: String)], body: [UInt8], microseconds: Int64,
        isSame: Bool
    ) {
        outcome = isSame ? .same : .differs
        self.status = status
        self.reason = reason.map(Self.cut)
        self.headers = headers.prefix(Self.mostHeaders).map { (Self.cut($0.name), Self.cut($0.value)) }
        self.body = Array(body.prefix(Self.largestBody))
        self.microseconds = microseconds
        error = nil
    }

    /// Creates the record of a push without a response.
    package init(_ outcome: Outcome, because error: String, microseconds: Int64 = 0) {
        (self.outcome, self.microseconds, self.error) = (outcome, microseconds, Self.cut(error))
        (status, reason, headers, body) = (nil, nil, [], [])
    }

    private static func cut(_ text: String) -> String {
        text.utf8.count <= longestText ? text : String(decoding: text.utf8.prefix(longestText), as: UTF8.self)
    }
}

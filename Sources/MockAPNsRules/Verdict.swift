/// The result of the rules for a request.
public struct Verdict: Equatable, Sendable {
    /// The reason for which the request is rejected; `nil` if it is accepted.
    public let reason: Reason?
    /// The position in the pipeline of the check that rejected it; `nil` if it is accepted.
    public let decidedBy: UInt8?

    /// The verdict if every check passes.
    public static let accepted = Verdict(reason: nil, decidedBy: nil)

    /// Creates a verdict.
    public init(reason: Reason?, decidedBy: UInt8?) {
        self.reason = reason
        self.decidedBy = decidedBy
    }

    /// The HTTP status of the answer.
    public var status: UInt16 { reason?.status ?? 200 }
}

/// What the rules say of one request.
public struct Verdict: Equatable, Sendable {
    /// Why the request is refused; `nil` when it is accepted.
    public let reason: Reason?
    /// The position in the pipeline of the check that refused it; `nil` when it is accepted.
    public let decidedBy: UInt8?

    /// Every check passed.
    public static let accepted = Verdict(reason: nil, decidedBy: nil)

    /// What a check at a position of the pipeline, or nothing, refused.
    public init(reason: Reason?, decidedBy: UInt8?) {
        self.reason = reason
        self.decidedBy = decidedBy
    }

    /// The HTTP status of the answer.
    public var status: UInt16 { reason?.status ?? 200 }
}

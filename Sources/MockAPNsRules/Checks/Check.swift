/// A condition that APNs checks before it accepts a push.
///
/// To add one, write its function in the file of its stage and add it to the services that have it in `Pipeline.standard`.
public final class Check: Sendable {
    /// The part of a request that a check examines.
    public enum Stage: String, CaseIterable, Sendable {
        case connection
        case path
        case headers
        case auth
        case topic
        case payload
        case device
    }

    /// The kind of check that decided about a push; the names are part of the API.
    public enum Decider: String, CaseIterable, Sendable {
        case validation
        case auth
        case rateLimit = "rate-limit"
        case deviceState = "device-state"
        case transport
        case answerToken = "answer-token"
    }

    /// The location of the value that a check examines, so that a report can show it.
    public enum Subject: Sendable {
        case header(HeaderName)
        case devicePart
        case bodyLength
        case none
    }

    /// The stable name, used in records, options, documents and tests.
    public let id: String
    /// The part of a request that the check examines.
    public let stage: Stage
    /// The kind of check.
    public let decider: Decider
    /// The reasons that the check may return.
    public let reasons: [Reason]
    /// The location of the value that the check examines.
    public let subject: Subject
    /// A description of what the check expects.
    public let expects: String
    /// Whether pushes with the same `RequestView.headerVersion` have the same result while the rules stay the
    /// same.
    ///
    /// Such a check is not repeated for them once it has passed.
    let isStable: Bool
    /// Examines a request and returns the reason to reject it, or `nil`.
    let run: @Sendable (borrowing RequestView, inout Situation) -> Reason?
    /// Finds why the check has rejected a request; called when a push is read, not when it is judged.
    package let cause: @Sendable (borrowing RequestView, Evidence) -> Cause

    init(
        _ id: String, _ stage: Stage, _ reasons: [Reason], _ subject: Subject = .none, decider: Decider? = nil,
        isStable: Bool = false, expects: String, cause: @escaping @Sendable (borrowing RequestView, Evidence) -> Cause,
        run: @escaping @Sendable (borrowing RequestView, inout Situation) -> Reason?
    ) {
        self.id = id
        self.stage = stage
        let usual: Decider =
            switch stage {
            case .connection: .transport
            case .auth: .auth
            case .path, .headers, .topic, .payload, .device: .validation
            }
        self.decider = decider ?? usual
        self.reasons = reasons
        self.subject = subject
        self.isStable = isStable
        self.expects = expects
        self.cause = cause
        self.run = run
    }
}

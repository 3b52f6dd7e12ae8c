/// One thing that APNs looks at before it accepts a push.
///
/// To add one: write its function in the file of its stage, and place it in `Pipeline.standard`.
public final class Check: Sendable {
    /// What part of a request a check is about.
    public enum Stage: String, CaseIterable, Sendable {
        case connection
        case path
        case headers
        case auth
        case topic
        case payload
        case device
    }

    /// What kind of check decided on a push; the names are part of the API.
    public enum Decider: String, CaseIterable, Sendable {
        case validation
        case auth
        case rateLimit = "rate-limit"
        case deviceState = "device-state"
        case transport
        case answerToken = "answer-token"
    }

    /// Where the value lies that a check looks at, so that a report can show it.
    public enum Subject: Sendable {
        case header(HeaderName)
        case devicePart
        case bodyLength
        case none
    }

    /// The stable name: used in records, options, documents and tests.
    public let id: String
    /// What part of a request it is about.
    public let stage: Stage
    /// What kind of check it is.
    public let decider: Decider
    /// The answers it may give.
    public let reasons: [Reason]
    /// Where the value lies that it looks at.
    public let subject: Subject
    /// What it wants to see, for people.
    public let expects: String
    /// Looks at a request; answers with the reason to refuse it.
    let run: @Sendable (borrowing RequestView, inout Situation) -> Reason?

    init(
        _ id: String,
        _ stage: Stage,
        _ reasons: [Reason],
        _ subject: Subject = .none,
        decider: Decider? = nil,
        expects: String,
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
        self.expects = expects
        self.run = run
    }
}

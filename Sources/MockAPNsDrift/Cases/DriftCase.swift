/// A request whose answers are compared.
///
/// No request can reach a phone: the device token belongs to no device, so every one is refused.
package struct DriftCase: Sendable {
    /// An option of `serve` that makes the mock answer like the service.
    package struct Choice: Sendable, Equatable {
        /// The option with its value.
        package let option: String
        /// The reason that the service gives if it behaves like this.
        package let reason: String

        package init(_ option: String, _ reason: String) { (self.option, self.reason) = (option, reason) }
    }

    /// The stable name, for reports.
    package let id: String
    /// What the case decides, for people.
    package let decides: String
    /// Where the expectation comes from.
    package let source: String
    /// What would explain another reason than the mock's.
    package let choices: [Choice]
    /// Whether the request has a provider token of its own, so that it is sent on another connection, after the others.
    package let hasOwnToken: Bool
    /// Whether the service may accept the token, which would count as an update of an earlier one on its connection.
    var needsConnection = false
    let change: @Sendable (inout DriftDraft, DriftProvider) -> Void

    /// Returns the draft of the request.
    package func draft(_ provider: DriftProvider) -> DriftDraft {
        var draft = DriftDraft(provider)
        change(&draft, provider)
        return draft
    }
}

/// One mistake of a request, and the check that finds it.
struct DriftDefect: Sendable {
    /// What a defect changes; two that change the same cannot be combined.
    enum Part: Sendable {
        case method
        case path
        case token
        case messageID
        case expiration
        case priority
        case collapseID
        case pushType
        case topic
        case body
    }

    let id: String
    let part: Part
    /// The name of the check in `--check-order`.
    let check: String
    let decides: String
    let source: String
    var choices: [DriftCase.Choice] = []
    /// Whether sources disagree whether the provider token is valid.
    var mayBeValid = false
    let change: @Sendable (inout DriftDraft, DriftProvider) -> Void
}

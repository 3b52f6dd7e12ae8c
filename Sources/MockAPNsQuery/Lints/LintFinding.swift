/// A problem that a lint found in a push.
public struct LintFinding: Equatable, Sendable {
    /// The lint that found it.
    public let lint: Lint
    /// The location: a JSON Pointer into the payload or `headers/<name>`.
    ///
    /// Empty for the payload as a whole. `nil` if the finding is about how the push relates to others.
    public let pointer: String?
    /// What was found and what was expected.
    public let message: String
    /// How to fix it.
    public let fix: String

    /// The severity of the lint.
    public var severity: Lint.Severity { lint.row.severity }
}

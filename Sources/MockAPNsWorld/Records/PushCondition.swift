/// A condition on pushes, and its text.
public struct PushCondition: Sendable {
    /// The condition.
    public let condition: PushQuery.Condition
    /// The text of the condition, which the world does not interpret.
    public let text: String
    /// The number of pushes for which the condition was given up because it took too much work; they did not match.
    ///
    /// Counted in this process, since the fault was added or the server started.
    public let tooCostly: @Sendable () -> UInt64

    /// Creates a condition.
    public init(
        text: String, tooCostly: @escaping @Sendable () -> UInt64 = { 0 }, condition: @escaping PushQuery.Condition
    ) {
        self.text = text
        self.tooCostly = tooCostly
        self.condition = condition
    }
}

/// What answers wait for before they are sent: that what they acknowledge is safe.
public struct AnswerHold: Sendable {
    private let wait: @Sendable (@escaping @Sendable (Bool) -> Void) -> Void

    /// Creates a hold.
    ///
    /// - Parameter wait: Calls its argument once, from any thread: with `true` when the answers may be sent, with `false`
    ///   if they must not be sent, which ends the connection.
    public init(_ wait: @escaping @Sendable (@escaping @Sendable (Bool) -> Void) -> Void) { self.wait = wait }

    func wait(_ proceed: @escaping @Sendable (Bool) -> Void) { wait(proceed) }
}

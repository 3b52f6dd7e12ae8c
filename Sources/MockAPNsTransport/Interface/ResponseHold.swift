/// Holds responses back until what they acknowledge is stored.
public struct ResponseHold: Sendable {
    private let wait: @Sendable (@escaping @Sendable (Bool) -> Void) -> Void

    /// Creates a hold.
    ///
    /// - Parameter wait: Calls its argument once, from any thread: with `true` when the responses may be sent, or with
    ///   `false` if they must not be sent, which ends the connection.
    public init(_ wait: @escaping @Sendable (@escaping @Sendable (Bool) -> Void) -> Void) { self.wait = wait }

    func wait(_ proceed: @escaping @Sendable (Bool) -> Void) { wait(proceed) }
}

/// Decides when client input is processed.
public protocol InputGate: Sendable {
    /// Calls `use` once, from any thread, when input may be processed; `use` calls its argument once when it is done.
    func enter(_ use: @escaping @Sendable (_ leave: @escaping @Sendable () -> Void) -> Void)
}

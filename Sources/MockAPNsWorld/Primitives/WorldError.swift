/// The reason why an operation on a world failed; nothing has changed.
public struct WorldError<Code: Equatable & Sendable>: Error, Equatable, Sendable {
    /// The kind of problem.
    public let code: Code
    /// A description of the problem and of what was expected.
    public let message: String
    /// The location of the problem, as a JSON Pointer into the input; empty for the whole.
    public let pointer: String

    init(_ code: Code, _ message: String, at pointer: String = "") {
        self.code = code
        self.message = message
        self.pointer = pointer
    }

    /// The same for a part of the input, if it has the problem.
    func below(_ prefix: String) -> WorldError {
        guard pointer.hasPrefix(prefix) else { return self }
        return WorldError(code, message, at: String(pointer.dropFirst(prefix.count)))
    }
}

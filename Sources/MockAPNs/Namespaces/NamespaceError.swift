/// The reason why an operation on a namespace failed.
public struct NamespaceError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: Sendable {
        /// A namespace has this name.
        case nameTaken
        /// The name is invalid.
        case badName
        /// The maximum number of namespaces is reached.
        case tooMany
        /// No port could be bound for the namespace.
        case cannotListen
        /// Its world cannot be kept.
        case cannotKeep
        /// The server is stopping.
        case stopping
    }

    /// The kind of error.
    public let code: Code
    /// The problem and how to fix it.
    public let description: String

    static let stopping = NamespaceError(code: .stopping, description: "the server is stopping")
}

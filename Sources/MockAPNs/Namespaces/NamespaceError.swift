/// The reason why an operation on a namespace failed.
public struct NamespaceError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: Sendable {
        /// Another namespace has this name.
        case nameTaken
        /// The name is invalid.
        case badName
        /// The maximum number of namespaces is reached.
        case tooMany
        /// The port of the namespace cannot be bound.
        case cannotListen
        /// Its world cannot be stored.
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

/// Why a namespace could not be created.
public struct NamespaceError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: Sendable {
        /// There is one of this name.
        case nameTaken
        /// The name is invalid.
        case badName
        /// There are as many as a server holds.
        case tooMany
        /// No port could be bound for it.
        case cannotListen
        /// The server is going down.
        case stopping
    }

    /// The kind of error.
    public let code: Code
    /// What was seen, and what to do about it.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

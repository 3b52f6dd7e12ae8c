/// What is wrong with one part of an input, in words for people.
public struct Complaint: Equatable, Sendable {
    /// The part: a JSON Pointer into a body, or the name of a parameter.
    ///
    /// Empty for the input as a whole.
    public let path: String
    /// What was found and what was expected, without the path: "is 'x'; expected a number".
    public let message: String
    /// What was probably meant.
    public let suggestion: String?

    /// Creates a complaint about the part at `path`.
    public init(path: String, message: String, suggestion: String? = nil) {
        self.path = path
        self.message = message
        self.suggestion = suggestion
    }
}

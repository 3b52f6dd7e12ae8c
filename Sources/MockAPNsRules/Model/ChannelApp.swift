/// An app in an environment, which has its own channels.
public struct ChannelApp: Hashable, Sendable, CustomStringConvertible {
    /// The bundle identifier.
    public let bundleID: String
    /// The environment.
    public let environment: Environment

    /// Creates a reference to an app.
    public init(bundleID: String, environment: Environment) {
        self.bundleID = bundleID
        self.environment = environment
    }

    /// Both, as error texts name an app.
    public var description: String { "\(bundleID) (\(environment.rawValue))" }
}

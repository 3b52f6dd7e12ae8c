/// Why a push belongs to its world, if there are several.
///
/// To add one, add a case and its name. The names are part of the debug API (`routedBy`).
public enum PushRouting: UInt8, CaseIterable, Sendable {
    /// The push belonged to no other world.
    case standard
    /// The push arrived at a port of the world.
    case listener
    /// Its device token is registered only in this world.
    case token
    /// The debug API sent the push to this world.
    case api

    /// The name in the debug API.
    public var name: String {
        switch self {
        case .standard: "default"
        case .listener: "listener"
        case .token: "token"
        case .api: "api"
        }
    }
}

/// Why a push came to the world that has it, where there are several.
///
/// To add one: add a case and its name. The names are part of the debug API (`routedBy`).
public enum PushRouting: UInt8, CaseIterable, Sendable {
    /// It belonged to no other world.
    case standard
    /// It came to a port of the world's own.
    case listener
    /// Its device token is registered there, and nowhere else.
    case token
    /// The debug API sent it, to this world.
    case api

    /// The word of the debug API.
    public var name: String {
        switch self {
        case .standard: "default"
        case .listener: "listener"
        case .token: "token"
        case .api: "api"
        }
    }
}

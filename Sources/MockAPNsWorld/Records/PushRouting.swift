internal import MockAPNsFormats

/// Why a push belongs to its world, if there are several; the raw values are names in the debug API.
public enum PushRouting: String, CaseIterable, Sendable {
    /// The push belonged to no other world.
    case standard = "default"
    /// The push arrived at a port of the world.
    case listener
    /// Its device token is registered only in this world.
    case token
    /// The debug API sent the push to this world.
    case api
}

extension PushRouting: Archived {}

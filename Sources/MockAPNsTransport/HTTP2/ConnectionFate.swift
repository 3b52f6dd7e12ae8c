internal import MockAPNsRules

/// What a fault does to a connection after all earlier output is sent.
enum ConnectionFate {
    /// Closes it in the usual way, with close_notify.
    case close
    case rst
    case fin
    case stall
    case blackhole

    init(_ connection: FaultAction.Break) {
        switch connection {
        case .rst: self = .rst
        case .fin: self = .fin
        case .stall: self = .stall
        case .blackhole: self = .blackhole
        }
    }

    /// The reason to report when the connection has ended.
    var reason: CloseReason {
        switch self {
        case .close: CloseReason(.fault, "a fault closed the connection after a GOAWAY")
        case .rst: CloseReason(.fault, "a fault reset the connection")
        case .fin: CloseReason(.fault, "a fault ended the connection without a goodbye")
        case .stall: CloseReason(.fault, "a fault stalled the connection")
        case .blackhole: CloseReason(.fault, "a fault made a black hole of the connection")
        }
    }
}

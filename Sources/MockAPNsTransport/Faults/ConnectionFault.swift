public import NIOCore

/// What goes wrong with a connection from its beginning, on purpose.
///
/// Of the handshake's faults, clear-text connections have `refuse` and `delay` alone.
public struct ConnectionFault: Sendable {
    /// What goes wrong with the TLS handshake.
    public enum Handshake: Equatable, Sendable {
        /// The TCP connection is closed when it is accepted.
        case refuse
        /// The handshake begins so much later.
        case delay(TimeAmount)
        /// The certificate is no longer valid.
        case expiredCertificate
        /// The certificate is for another host.
        case wrongHost
        /// No application protocol is agreed on, whatever the client offers.
        case noApplicationProtocol
        /// A fatal alert of this number (RFC 8446, section 6) answers the client's hello.
        ///
        /// Any number, also one that TLS does not know.
        case alert(UInt8)
    }

    /// What goes wrong with the TLS handshake.
    public var handshake: Handshake?
    /// SETTINGS_MAX_CONCURRENT_STREAMS, from the first SETTINGS frame on; no token raises it.
    public var maxConcurrentStreams: UInt32?
    /// SETTINGS_INITIAL_WINDOW_SIZE.
    public var initialWindowSize: UInt32?
    /// The first SETTINGS frame leaves so much later, and everything else behind it.
    ///
    /// What the client sends meanwhile is looked at.
    public var settingsDelay: TimeAmount?
    /// A GOAWAY leaves instead of the first SETTINGS frame, and the connection is closed.
    ///
    /// With `close: never` it stays open, and nothing more is said or looked at. There is no stream that the frame
    /// could name: the last one is 0, or with `max` the highest there can be.
    public var goAwayBeforeSettings: WireFault.GoAway?

    /// Nothing goes wrong.
    public init() {}
}

extension ConnectionFault {
    /// The limit that no fault may go beyond: `StreamLimits` needs the bits above it.
    private static let highestStreamLimit: UInt32 = (1 << 30) - 1

    /// The options of a connection with this fault.
    func applied(to options: TransportOptions) -> TransportOptions {
        var options = options
        if let streams = maxConcurrentStreams {
            options.streamsBeforeAuthentication = min(streams, Self.highestStreamLimit)
            options.maxConcurrentStreams = min(streams, Self.highestStreamLimit)
        }
        // RFC 9113, section 6.5.2: more is a FLOW_CONTROL_ERROR.
        if let window = initialWindowSize { options.initialWindowSize = min(window, 0x7fff_ffff) }
        return options
    }
}

extension ConnectionFault.Handshake {
    /// Why a handshake with this fault failed; `nil` where the fault is not to blame.
    func blame(for failure: String) -> CloseReason? {
        switch self {
        case .refuse: CloseReason(.fault, "a fault refused the connection")
        case .delay: nil
        case .expiredCertificate: CloseReason(.fault, "a fault showed an expired certificate: \(failure)")
        case .wrongHost: CloseReason(.fault, "a fault showed a certificate for another host: \(failure)")
        case .noApplicationProtocol: CloseReason(.fault, "a fault left out ALPN: \(failure)")
        case .alert(let number):
            CloseReason(.fault, "a fault answered the client's hello with alert \(number)")
        }
    }
}

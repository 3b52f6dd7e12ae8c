public import MockAPNsRules

/// What goes wrong with a connection from its beginning, on purpose.
public struct ConnectionFault: Sendable {
    /// How the TLS handshake goes wrong.
    public var handshake: FaultAction.Handshake?
    /// How HTTP/2 begins.
    public var settings = FaultAction.SettingsFrame()

    /// Nothing goes wrong.
    public init() {}
}

extension ConnectionFault {
    /// The limit that no fault may go beyond: `StreamLimits` needs the bits above it.
    private static let highestStreamLimit: UInt32 = (1 << 30) - 1

    /// The options of a connection with this fault.
    func applied(to options: TransportOptions) -> TransportOptions {
        var options = options
        if let streams = settings.maxConcurrentStreams {
            options.streamsBeforeAuthentication = min(streams, Self.highestStreamLimit)
            options.maxConcurrentStreams = min(streams, Self.highestStreamLimit)
        }
        // RFC 9113, section 6.5.2: more is a FLOW_CONTROL_ERROR.
        if let window = settings.initialWindow { options.initialWindowSize = min(window, 0x7fff_ffff) }
        return options
    }
}

extension FaultAction.Handshake {
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

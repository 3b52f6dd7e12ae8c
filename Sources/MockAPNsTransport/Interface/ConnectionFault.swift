public import MockAPNsRules

/// A fault that applies to a connection from its beginning.
public struct ConnectionFault: Sendable {
    /// The defect of the TLS handshake.
    public var handshake: FaultAction.Handshake?
    /// The changes to the server's first SETTINGS frame.
    public var settings = FaultAction.SettingsFrame()

    /// Creates a fault without effects.
    public init() {}
}

extension ConnectionFault {
    /// The highest stream limit that a fault can set: `StreamLimits` uses the bits above it.
    private static let highestStreamLimit: UInt32 = (1 << 30) - 1

    /// Returns the options of a connection with this fault.
    func applied(to options: TransportOptions) -> TransportOptions {
        var options = options
        if let streams = settings.maxConcurrentStreams {
            options.streamsBeforeAuthentication = min(streams, Self.highestStreamLimit)
            options.maxConcurrentStreams = min(streams, Self.highestStreamLimit)
        }
        // RFC 9113, section 6.5.2: a larger value is a FLOW_CONTROL_ERROR.
        if let window = settings.initialWindow { options.initialWindowSize = min(window, 0x7fff_ffff) }
        return options
    }
}

extension FaultAction.Handshake {
    /// Why a refused connection was closed.
    static let refused = CloseReason(.fault, "a fault refused the connection")

    /// Returns why a handshake with this fault failed; `nil` if the fault is not the cause.
    func blame(for failure: String) -> CloseReason? {
        switch self {
        case .refuse: Self.refused
        case .delay: nil
        case .expiredCertificate: CloseReason(.fault, "a fault showed an expired certificate: \(failure)")
        case .wrongHost: CloseReason(.fault, "a fault showed a certificate for another host: \(failure)")
        case .noApplicationProtocol: CloseReason(.fault, "a fault left out ALPN: \(failure)")
        case .alert(let number): CloseReason(.fault, "a fault answered the client's hello with alert \(number)")
        }
    }
}

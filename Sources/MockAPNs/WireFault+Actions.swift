internal import MockAPNsTransport
internal import MockAPNsWorld
internal import NIOCore

// The world's words for what goes wrong, in those of the transport, which does it.

extension WireFault.GoAway {
    /// The frame, as a fault asks for it.
    ///
    /// - Parameters:
    ///   - frame: what the fault says of it.
    ///   - replacesSettings: whether it is the first frame and the last one, so that nothing is answered.
    init(_ frame: FaultAction.GoAway, replacesSettings: Bool = false) {
        let goesOnAnswering = frame.close == .never && frame.then == nil && !replacesSettings
        self.init(
            code: frame.code.rawValue,
            lastStream: frame.lastStream == .answered && goesOnAnswering
                ? .max : WireFault.GoAway.LastStream(frame.lastStream),
            debugData: Array(frame.debug.utf8),
            close: WireFault.GoAway.Close(frame.close)
        )
    }
}

extension WireFault.GoAway.LastStream {
    init(_ stream: FaultAction.GoAway.LastStream) {
        self =
            switch stream {
            case .answered: .answered
            case .current: .current
            case .previous: .previous
            case .zero: .zero
            case .max: .max
            }
    }
}

extension WireFault.GoAway.Close {
    init(_ close: FaultAction.GoAway.Close) {
        self =
            switch close {
            case .never: .never
            case .drain: .drain
            case .now: .now
            }
    }
}

extension WireFault.Connection {
    init(_ end: FaultAction.Break) {
        self =
            switch end {
            case .rst: .rst
            case .fin: .fin
            case .stall: .stall
            case .blackhole: .blackhole
            }
    }
}

extension WireFault.Body {
    init(_ body: FaultAction.Body) {
        self =
            switch body {
            case .empty: .empty
            case .truncated: .truncated
            case .malformed: .malformed
            case .huge: .huge
            }
    }
}

extension WireFault {
    /// What happens to a connection on which nothing moves; `nil` for faults that need a push.
    convenience init?(idle firing: FaultFiring) {
        switch firing.action {
        case .connection(let end): self.init(connection: WireFault.Connection(end))
        case .goAway(let frame):
            let silence: WireFault.Connection? =
                switch frame.then {
                case .stall: .stall
                case .blackhole: .blackhole
                case .refuse, nil: nil
                }
            self.init(goAway: WireFault.GoAway(frame), connection: silence)
        default: return nil
        }
    }
}

extension ConnectionFault {
    /// What happens to a connection that is accepted; `nil` for faults that need more than that.
    init?(_ firing: FaultFiring) {
        self.init()
        switch firing.action {
        case .handshake(let handshake): self.handshake = Handshake(handshake)
        case .settings(let settings):
            maxConcurrentStreams = settings.maxConcurrentStreams
            initialWindowSize = settings.initialWindow
            settingsDelay = settings.delay.map { .microseconds($0) }
            goAwayBeforeSettings = settings.replaceWithGoAway.map {
                WireFault.GoAway($0, replacesSettings: true)
            }
        default: return nil
        }
    }
}

extension ConnectionFault.Handshake {
    init(_ handshake: FaultAction.Handshake) {
        self =
            switch handshake {
            case .refuse: .refuse
            case .delay(let time): .delay(.microseconds(time))
            case .expiredCertificate: .expiredCertificate
            case .wrongHost: .wrongHost
            case .noApplicationProtocol: .noApplicationProtocol
            case .alert(let number): .alert(number)
            }
    }
}

extension FaultConnection {
    init(_ record: ConnectionRecord) {
        self.init(id: record.id, remoteAddress: record.remoteAddress, environment: record.environment)
    }
}

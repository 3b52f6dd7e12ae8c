internal import MockAPNsRules
internal import MockAPNsTransport
internal import MockAPNsWorld
internal import NIOCore

/// The effects of a fault on the response to a push: the content, the wire and the journal's mark.
struct FaultedResponse {
    /// The HTTP status; 0 if there is no response.
    private(set) var status: UInt16
    /// The reason for a rejection; `nil` if the push is accepted, or if there is no response.
    private(set) var reason: Reason?
    /// The fault on the wire.
    private(set) var wire: WireFault?
    /// The mark for the journal.
    let mark: FaultMark
    /// Whether every later request of the connection is refused.
    let refusesFurther: Bool

    /// Applies a fault to the response from the rules.
    ///
    /// - Parameters:
    ///   - firing: The fault.
    ///   - verdict: The verdict of the rules.
    ///   - hasGoneAway: Whether the connection has had a GOAWAY of a fault. It gets no second one, which
    ///     would name a later stream than the first (forbidden by RFC 9113, section 6.8).
    init(_ firing: FaultFiring, verdict: Verdict, hasGoneAway: Bool) {
        status = verdict.status
        reason = verdict.reason
        var effect: FaultMark.Effect = firing.action.row.verdict == .kept ? [] : .decides
        var headers: [FaultAction.Header] = []
        var refusesFurther = false
        switch firing.action {
        case .respond(let response):
            (status, reason, headers) = (response.status, response.reason, response.headers)
            wire = Self.wire(of: response)
        case .delay: wire = WireFault(delay: .microseconds(firing.wait))
        case .resetStream(let code):
            (status, reason) = (0, nil)
            wire = WireFault(reset: code.rawValue)
        case .goAway(let frame):
            if let response = frame.respond {
                (status, reason, headers) = (response.status, response.reason, response.headers)
            }
            refusesFurther = frame.then == .refuse
            wire = hasGoneAway ? frame.respond.flatMap(Self.wire) : Self.wire(of: frame)
        case .connection(let end):
            (status, reason) = (0, nil)
            wire = WireFault(connection: end)
        case .body(let body): wire = WireFault(body: body)
        case .lose: effect = [.decides, .loses]
        case .duplicate: effect = .duplicates
        case .slow(let rate): wire = WireFault(bytesPerSecond: rate)
        // Connections are checked for these when they are accepted.
        case .settings, .handshake: break
        }
        self.refusesFurther = refusesFurther
        mark = FaultMark(firing.id, effect, headers: headers)
    }

    /// Creates the response on a connection whose streams a fault refuses since its GOAWAY.
    init(refusedBy fault: FaultID) {
        status = 0
        reason = nil
        wire = WireFault(reset: HTTP2Code.refusedStream.rawValue)
        mark = FaultMark(fault, .decides)
        refusesFurther = true
    }

    private static func wire(of response: FaultAction.Response) -> WireFault? {
        guard response.body != nil || !response.headers.isEmpty else { return nil }
        return WireFault(body: response.body, headers: response.headers)
    }

    private static func wire(of frame: FaultAction.GoAway) -> WireFault {
        WireFault(
            body: frame.respond?.body, headers: frame.respond?.headers ?? [], goAway: frame.sent,
            connection: frame.then?.silence, answers: true)
    }
}

extension FaultAction.GoAway {
    /// The frame as it is sent after a response.
    ///
    /// On a connection that continues to answer, it names the highest possible stream.
    fileprivate var sent: FaultAction.GoAway {
        var frame = self
        if lastStream == .answered, close == .never, then == nil { frame.lastStream = .max }
        return frame
    }
}

extension WireFault {
    /// Creates the fault of an idle connection; `nil` for faults that need a push.
    convenience init?(idle firing: FaultFiring) {
        switch firing.action {
        case .connection(let end): self.init(connection: end)
        case .goAway(let frame): self.init(goAway: frame.sent, connection: frame.then?.silence)
        default: return nil
        }
    }
}

extension ConnectionFault {
    /// Creates the fault of an accepted connection; `nil` for faults that need a request.
    init?(_ firing: FaultFiring) {
        self.init()
        switch firing.action {
        case .handshake(let handshake): self.handshake = handshake
        case .settings(let settings): self.settings = settings
        default: return nil
        }
    }
}

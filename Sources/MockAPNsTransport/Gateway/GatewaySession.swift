internal import MockAPNsRules
internal import NIOCore

/// The binary interface on a connection: notifications in, at most one error packet out.
///
/// Documented: an accepted notification has no response. After a rejected one, everything that follows on the
/// connection is discarded, and the connection is closed.
final class GatewaySession: ConnectionSession {
    private let options: TransportOptions
    private var responder: (any GatewayResponder)?
    private var parser = GatewayParser()
    /// The packet that is not sent yet.
    private var output: [UInt8] = []
    /// The identifier of the last accepted notification; 0 if it had none.
    private var lastAccepted: UInt32 = 0
    /// Why the connection ends; once set, input is ignored.
    private var departure: CloseReason?
    /// What a fault does to the connection; once set, input is ignored.
    private var fate: ConnectionFate?
    /// The time until which a fault holds the packet back.
    private var heldUntil: NIODeadline?
    private var hasNews = false
    private var now: NIODeadline
    private var lastActivity: NIODeadline
    /// When the current frame began.
    private var frameSince: NIODeadline

    let isBusy = false

    init(options: TransportOptions, responder: any GatewayResponder, now: NIODeadline) {
        self.options = options
        self.responder = responder
        self.now = now
        (lastActivity, frameSince) = (now, now)
    }

    private var isEnding: Bool { departure != nil || fate != nil }

    // MARK: Input

    func receive(_ bytes: UnsafeBufferPointer<UInt8>, now: NIODeadline) {
        self.now = now
        var rest = bytes
        if !parser.isInFrame { frameSince = now }
        while !isEnding, let notification = parser.next(&rest) {
            take(notification)
            frameSince = now
        }
    }

    private func take(_ notification: GatewayNotification) {
        guard let responder else { return }
        hasNews = true
        let idle = max(.zero, now - lastActivity)
        lastActivity = now
        let answer = responder.respond(to: notification, after: idle)
        if let fault = answer.fault {
            if let delay = fault.delay, answer.status != nil { heldUntil = now + delay }
            fate = Self.fate(of: fault)
        }
        let isShutDown = answer.fault?.goAway != nil
        // Whatever else ends the connection also swallows the packet.
        guard fate == nil || isShutDown else { return }
        if let status = answer.status {
            reject(notification, status)
        } else {
            lastAccepted = notification.identifier ?? 0
            if isShutDown { output = shutdownPacket }
        }
    }

    private func reject(_ notification: GatewayNotification, _ status: GatewayStatus) {
        output = notification.packet(status, lastAccepted: lastAccepted)
        let why = notification.violation ?? status.text
        if status == .protocolError {
            depart(.protocolError, why)
        } else {
            depart(.rejected, "a notification was rejected: \(why) (\(status.rawValue))")
        }
    }

    private func depart(_ code: CloseReason.Code, _ detail: String) {
        departure = departure ?? CloseReason(code, detail)
    }

    // MARK: Faults

    /// Returns what a fault does to the connection.
    ///
    /// The binary interface has no streams to reset and no GOAWAY: the connection ends instead.
    private static func fate(of fault: WireFault) -> ConnectionFate? {
        if let connection = fault.connection { return .breaks(connection) }
        return fault.reset != nil || fault.goAway != nil ? .close : nil
    }

    private var shutdownPacket: [UInt8] { GatewayStatus.shutdown.packet(identifier: lastAccepted) }

    var pendingFault: (fate: ConnectionFate?, due: NIODeadline?)? {
        guard fate != nil || heldUntil != nil else { return nil }
        return (heldUntil == nil ? fate : nil, heldUntil)
    }

    func wake(now: NIODeadline) {
        self.now = now
        if let until = heldUntil, until <= now { heldUntil = nil }
    }

    // MARK: Output

    func fill(_ target: UnsafeMutableRawBufferPointer) -> Int {
        guard heldUntil == nil else { return 0 }
        defer { output = [] }
        target.copyBytes(from: output)
        return output.count
    }

    func readCompleted() {
        hasNews = false
        responder?.readCompleted()
    }

    func publishNews() { if hasNews { readCompleted() } }

    func takeHold() -> ResponseHold? { responder?.takeHold() }

    // MARK: Time

    func tick(now: NIODeadline) {
        self.now = now
        guard !isEnding, let responder else { return }
        if parser.isInFrame, now - frameSince >= options.requestTimeout {
            if let half = parser.fail(because: "no end of the frame within \(options.requestTimeout)") { take(half) }
        } else if let idle = options.idleTimeout, now - lastActivity >= idle {
            depart(.idle, "no notification for \(idle)")
        } else if responder.watchesIdleness, let fault = responder.idle(for: now - lastActivity) {
            if fault.goAway != nil { output = shutdownPacket }
            fate = Self.fate(of: fault)
        }
    }

    // MARK: End

    var isFinished: Bool { departure != nil && output.isEmpty && heldUntil == nil }

    var finishReason: CloseReason { departure ?? CloseReason(.closedByPeer, "the session ended") }

    func inputEnded(because reason: CloseReason) { departure = departure ?? reason }

    func goAway(reason: Reason?, because departure: CloseReason) {
        guard !isEnding else { return }
        // Documented: the identifier is that of the last accepted notification.
        output = shutdownPacket
        self.departure = departure
    }

    func endNow(because reason: CloseReason) {
        heldUntil = nil
        departure = reason
    }

    func close(because reason: CloseReason) {
        responder?.closed(because: reason)
        responder = nil
    }
}

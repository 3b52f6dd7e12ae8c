internal import MockAPNsRules
internal import MockAPNsTransport
internal import MockAPNsWorld
internal import NIOCore

extension ConnectionRecord {
    /// The topic of the binary interface: the app of the client's certificate; `nil` if it names none.
    ///
    /// Documented: a frame has no topic, and a certificate is for one app.
    var certificateTopic: String? {
        guard let app = clientCertificate?.app, !app.isEmpty else { return nil }
        return app
    }
}

/// A notification of the binary interface is judged, recorded and delivered as the same push over HTTP/2.
extension PushResponder: GatewayResponder {
    func respond(to notification: GatewayNotification, after idle: TimeAmount) -> GatewayResponse {
        notification.withRequest(topic: connection.certificateTopic) { request in
            if let violation = notification.violation {
                refused(request, streamID: 0, because: .badFrame(violation))
                return GatewayResponse(status: .protocolError)
            }
            let response = respond(to: request, streamID: 0, after: idle, problem: notification.problem)
            return GatewayResponse(status: response.packet, fault: response.fault)
        }
    }
}

/// Sends the feedback list's news to one client of the feedback service.
final class FeedbackSender: FeedbackResponder {
    /// The number of registrations read while holding the world's lock.
    private static let step = 4_096

    private let worker: Worker
    private let connection: ConnectionRecord

    init(worker: Worker, connection: ConnectionRecord) {
        self.worker = worker
        self.connection = connection
    }

    /// Documented: the time in UNIX seconds, then the device token with its length.
    func nextTuples() -> [UInt8] {
        guard let topic = connection.certificateTopic else { return [] }
        let entries = worker.world.devices.takeFeedback(of: topic, in: connection.environment, limit: Self.step)
        return entries.flatMap { entry in
            let seconds = UInt32(clamping: entry.unregisteredAt.microseconds / 1_000_000)
            let token = entry.token.bytes
            return Self.bytes(of: seconds) + Self.bytes(of: UInt16(clamping: token.count)) + token
        }
    }

    private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    func takeHold() -> ResponseHold? { worker.world.logEnd.map { end in ResponseHold { end.whenSafe($0) } } }

    func closed(because reason: CloseReason) { worker.connectionEnded(connection, because: reason) }
}

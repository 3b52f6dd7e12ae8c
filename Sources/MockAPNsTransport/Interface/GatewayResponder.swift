public import MockAPNsRules
public import NIOCore

/// Answers the notifications of one connection of the binary interface.
///
/// Created by a `ResponderFactory`; used only on the connection's event loop.
public protocol GatewayResponder: AnyObject {
    /// Judges a notification, or records a frame that cannot be parsed.
    ///
    /// Called while input is processed: it must not close the connection or wait.
    ///
    /// - Parameters:
    ///   - notification: The notification; one with a `violation` is the connection's last one.
    ///   - idle: How long the connection had no notification before this one.
    /// - Returns: The response, with its fault if there is one.
    func respond(to notification: GatewayNotification, after idle: TimeAmount) -> GatewayResponse

    /// Whether `idle(for:)` should be called.
    var watchesIdleness: Bool { get }

    /// Returns the fault for a connection without notifications for this time; `nil` for none.
    func idle(for time: TimeAmount) -> WireFault?

    /// Makes the results of a read visible.
    func readCompleted()

    /// Returns the hold on the responses of the completed reads, only once; `nil` if they may be sent.
    func takeHold() -> ResponseHold?

    /// Records that the connection has ended.
    func closed(because reason: CloseReason)
}

/// The response to a notification of the binary interface.
public struct GatewayResponse {
    /// The status of the error packet, after which the connection ends; `nil` for an accepted notification.
    public let status: GatewayStatus?
    /// The fault that applies to the response.
    public let fault: WireFault?

    /// Creates a response.
    public init(status: GatewayStatus?, fault: WireFault? = nil) {
        self.status = status
        self.fault = fault
    }
}

/// Provides what one connection of the feedback service reads.
///
/// Created by a `ResponderFactory`; used only on the connection's event loop.
public protocol FeedbackResponder: AnyObject {
    /// Returns the next tuples, which then count as read; empty if there are none.
    func nextTuples() -> [UInt8]

    /// Returns the hold on the tuples returned so far, only once; `nil` if they may be sent.
    func takeHold() -> ResponseHold?

    /// Records that the connection has ended.
    func closed(because reason: CloseReason)
}

internal import MockAPNsFormats

/// A notification parsed from a frame of the binary interface.
///
/// Documented: Apple, "Binary Provider API". Lengths are those in the frame; of a longer token or payload only
/// the allowed part is kept.
public struct GatewayNotification: Equatable, Sendable {
    /// The size of a device token in bytes.
    public static let tokenSize = 32
    /// The maximum size of a payload in bytes.
    public static let largestPayload = 2_048

    /// The command of the frame: 0, 1 or 2.
    public var command: UInt8
    /// The provider's number, returned in an error packet; `nil` if the frame has none.
    public var identifier: UInt32?
    /// The time until which the notification may be stored, in UNIX seconds; `nil` if the frame has none.
    public var expiration: UInt32?
    /// The priority; `nil` if the frame has none.
    public var priority: UInt8?
    /// The device token; at most 100 bytes are kept.
    public var token: [UInt8] = []
    /// The length of the device token in the frame; 0 if it has none.
    public var tokenLength = 0
    /// The payload; at most 2,048 bytes are kept.
    public var payload: [UInt8] = []
    /// The length of the payload in the frame; 0 if it has none.
    public var payloadLength = 0
    /// Why the frame cannot be parsed; `nil` if it can.
    public var violation: String?

    /// Creates a notification without fields.
    public init(command: UInt8) { self.command = command }

    /// What the frame itself gets wrong; `nil` if nothing.
    ///
    /// Inferred: a frame with several problems gets the one that the checks of the pipeline find first.
    public var problem: GatewayStatus? {
        if violation != nil { return .protocolError }
        if tokenLength == 0 { return .missingDeviceToken }
        if payloadLength == 0 { return .missingPayload }
        if payloadLength > Self.largestPayload { return .invalidPayloadSize }
        return tokenLength == Self.tokenSize ? nil : .invalidTokenSize
    }

    /// Returns the packet that reports an error.
    ///
    /// Documented: it is empty for command 0, and a shutdown has the identifier of the last accepted
    /// notification of the connection, `lastAccepted`.
    public func packet(_ status: GatewayStatus, lastAccepted: UInt32 = 0) -> [UInt8] {
        if status == .shutdown { return status.packet(identifier: lastAccepted) }
        return command == 0 ? [] : status.packet(identifier: identifier ?? 0)
    }
}

extension GatewayNotification {
    /// The names of the fields that have no counterpart in HTTP/2, in the fields of a request.
    public enum FieldName {
        /// The command.
        public static let command = "command"
        /// The notification identifier.
        public static let identifier = "identifier"
    }

    /// Passes a view of the request that asks the same over HTTP/2 to a closure.
    ///
    /// - Parameters:
    ///   - topic: The topic, which the client's certificate determines; `nil` if it has none.
    ///   - use: The closure; it must not keep the view.
    /// - Returns: The result of the closure.
    public func withRequest<Result>(topic: String?, _ use: (borrowing RequestView) throws -> Result) rethrows -> Result
    {
        var headers = [
            (name: ":method", value: "POST"), (name: ":path", value: "/3/device/" + HexDigit.text(of: token)),
            (name: FieldName.command, value: "\(command)"),
        ]
        if let identifier { headers.append((FieldName.identifier, "\(identifier)")) }
        if let topic { headers.append((HeaderName.apnsTopic.text.description, topic)) }
        if let expiration { headers.append((HeaderName.apnsExpiration.text.description, "\(expiration)")) }
        if let priority { headers.append((HeaderName.apnsPriority.text.description, "\(priority)")) }
        return try RequestView.withRequest(headers: headers, body: payload, bodyLength: payloadLength, use)
    }
}

/// Parses the frames of the binary interface as their bytes arrive.
///
/// All integers are big-endian (documented). The parser keeps no more than a token and a payload of the allowed
/// sizes, whatever lengths a frame claims. After an error it takes no more input, because it no longer knows
/// where a frame begins.
public struct GatewayParser: Sendable {
    /// The maximum length of the items of a frame: each of the five once, of the largest size.
    static let longestFrame = 5 * (3 + Int(UInt16.max))

    private enum Step: Sendable {
        case command, identifier, expiration, tokenLength, token, payloadLength, payload
        case frameLength, item, itemNumber, itemToken, itemPayload
    }

    /// The items of command 2.
    private enum Item: UInt8 {
        case token = 1
        case payload, identifier, expiration, priority
    }

    private var step = Step.command
    private var notification = GatewayNotification(command: 0)
    /// The bytes missing from the current number or data.
    private var missing = 1
    /// The number so far.
    private var number: UInt64 = 0
    /// The bytes missing from the items of the current frame.
    private var frameRest = 0
    private var item = Item.token
    /// The items of the current frame so far, a bit for each.
    private var seen: UInt8 = 0
    /// Whether a frame could not be parsed.
    public private(set) var hasFailed = false

    /// Creates a parser at the beginning of a connection.
    public init() {}

    /// Whether a frame has begun and has not ended.
    public var isInFrame: Bool { !hasFailed && step != .command }

    /// Removes the bytes up to the end of the next frame, and returns its notification.
    ///
    /// - Returns: `nil` if all bytes were taken and the frame continues. A notification with a `violation` is
    ///   the last one.
    public mutating func next(_ input: inout UnsafeBufferPointer<UInt8>) -> GatewayNotification? {
        while !hasFailed {
            switch step {
            case .token, .itemToken: Self.move(&input, &missing, to: &notification.token, upTo: DeviceToken.maximumSize)
            case .payload, .itemPayload:
                let limit = GatewayNotification.largestPayload
                Self.move(&input, &missing, to: &notification.payload, upTo: limit)
            default:
                while missing > 0, let byte = input.first {
                    number = number << 8 | UInt64(byte)
                    missing -= 1
                    input = UnsafeBufferPointer(rebasing: input.dropFirst())
                }
            }
            guard missing == 0 else { return nil }
            if endStep() {
                defer { begin(.command, 1) }
                return notification
            }
        }
        return nil
    }

    /// Ends a frame that the client does not complete.
    ///
    /// - Returns: What is known of it; `nil` if no frame has begun.
    public mutating func fail(because violation: String) -> GatewayNotification? {
        guard isInFrame else { return nil }
        _ = violated(violation)
        return notification
    }

    /// Moves data, of which only the first `limit` bytes are kept.
    private static func move(
        _ input: inout UnsafeBufferPointer<UInt8>, _ missing: inout Int, to data: inout [UInt8], upTo limit: Int
    ) {
        let count = min(missing, input.count)
        data += input.prefix(min(count, limit - data.count))
        input = UnsafeBufferPointer(rebasing: input.dropFirst(count))
        missing -= count
    }

    private mutating func begin(_ next: Step, _ count: Int) {
        step = next
        missing = count
        number = 0
    }

    private mutating func violated(_ detail: String) -> Bool {
        notification.violation = detail
        hasFailed = true
        return true
    }

    /// Continues after the last byte of a step; returns whether the notification is complete, or invalid.
    private mutating func endStep() -> Bool {
        switch step {
        case .command:
            notification = GatewayNotification(command: UInt8(truncatingIfNeeded: number))
            switch notification.command {
            case 0: begin(.tokenLength, 2)
            case 1: begin(.identifier, 4)
            case 2: begin(.frameLength, 4)
            case let other: return violated("invalid command \(other): expected 0, 1 or 2")
            }
        case .identifier:
            notification.identifier = UInt32(truncatingIfNeeded: number)
            begin(.expiration, 4)
        case .expiration:
            notification.expiration = UInt32(truncatingIfNeeded: number)
            begin(.tokenLength, 2)
        case .tokenLength:
            notification.tokenLength = Int(number)
            begin(.token, Int(number))
        case .token: begin(.payloadLength, 2)
        case .payloadLength:
            notification.payloadLength = Int(number)
            begin(.payload, Int(number))
        case .payload: return true
        case .frameLength:
            frameRest = Int(number)
            seen = 0
            guard frameRest <= Self.longestFrame else {
                return violated("invalid frame length \(frameRest): the items have at most \(Self.longestFrame) bytes")
            }
            return endItem()
        case .item: return beginItem(id: UInt8(truncatingIfNeeded: number >> 16), length: Int(number & 0xffff))
        case .itemNumber:
            switch item {
            case .identifier: notification.identifier = UInt32(truncatingIfNeeded: number)
            case .expiration: notification.expiration = UInt32(truncatingIfNeeded: number)
            default: notification.priority = UInt8(truncatingIfNeeded: number)
            }
            return endItem()
        case .itemToken, .itemPayload: return endItem()
        }
        return false
    }

    private mutating func beginItem(id: UInt8, length: Int) -> Bool {
        guard let item = Item(rawValue: id) else { return violated("invalid item \(id): expected 1 to 5") }
        guard seen & 1 << id == 0 else { return violated("item \(id) is repeated: expected it once") }
        guard length <= frameRest - 3 else {
            return violated("item \(id) has \(length) bytes: the frame has only \(frameRest - 3) more")
        }
        seen |= 1 << id
        frameRest -= 3 + length
        self.item = item
        switch item {
        case .token:
            notification.tokenLength = length
            begin(.itemToken, length)
        case .payload:
            notification.payloadLength = length
            begin(.itemPayload, length)
        case .identifier, .expiration, .priority:
            let expected = item == .priority ? 1 : 4
            guard length == expected else {
                return violated("invalid length \(length) of item \(id): expected \(expected)")
            }
            begin(.itemNumber, length)
        }
        return false
    }

    /// Begins the next item of a frame; returns whether there is none, or no room for one.
    private mutating func endItem() -> Bool {
        if frameRest == 0 { return true }
        guard frameRest >= 3 else {
            return violated("\(frameRest) bytes after the last item of a frame: expected none")
        }
        begin(.item, 3)
        return false
    }
}

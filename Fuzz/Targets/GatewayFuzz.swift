@testable import MockAPNsRules

/// The frames of the binary interface: the first byte says how the others are torn.
enum GatewayFuzz {
    static func run(_ bytes: [UInt8]) throws {
        guard let tear = bytes.first else { return }
        let stream = Array(bytes.dropFirst())
        let whole = try parse(stream, pieces: max(1, stream.count))
        try require(try parse(stream, pieces: Int(tear) + 1) == whole, "torn, the stream says something else")
        try require(whole == model(stream), "the model reads something else")
        for notification in whole {
            try require(notification.token.count <= 100, "\(notification.token.count) bytes of a token are kept")
            try require(notification.payload.count <= 2_048, "\(notification.payload.count) bytes are kept")
            try require(
                (notification.violation != nil) == (notification.problem == .protocolError),
                "\(notification.violation ?? "no violation") is \(String(describing: notification.problem))")
            let packet = notification.packet(notification.problem ?? .unknown)
            try require(packet.count == (notification.command == 0 ? 0 : 6), "a packet of \(packet.count) bytes")
        }
    }

    private static func parse(_ stream: [UInt8], pieces length: Int) throws -> [GatewayNotification] {
        var parser = GatewayParser()
        var found: [GatewayNotification] = []
        for start in stride(from: 0, to: stream.count, by: length) {
            try stream[start..<min(start + length, stream.count)].withUnsafeBufferPointer {
                var rest = $0
                while let next = parser.next(&rest) { found.append(withoutText(next)) }
                try require(rest.isEmpty || parser.hasFailed, "bytes are left without an error")
            }
        }
        return found
    }

    /// The model does not say why a frame is invalid.
    private static func withoutText(_ notification: GatewayNotification) -> GatewayNotification {
        var notification = notification
        if notification.violation != nil { notification.violation = "invalid" }
        return notification
    }

    // MARK: Model

    /// What ends the reading of a stream.
    private enum End: Error { case waits, fails }

    /// Reads a stream that is there as a whole.
    private static func model(_ stream: [UInt8]) -> [GatewayNotification] {
        var rest = stream[...]
        var found: [GatewayNotification] = []
        while let command = rest.popFirst() {
            var notification = GatewayNotification(command: command)
            do {
                try read(&notification, from: &rest)
                found.append(notification)
            } catch End.fails {
                notification.violation = "invalid"
                return found + [notification]
            } catch { return found }
        }
        return found
    }

    private static func read(_ notification: inout GatewayNotification, from rest: inout ArraySlice<UInt8>) throws {
        switch notification.command {
        case 0, 1:
            if notification.command == 1 {
                notification.identifier = UInt32(try number(&rest, 4))
                notification.expiration = UInt32(try number(&rest, 4))
            }
            notification.tokenLength = try number(&rest, 2)
            notification.token = Array(try data(&rest, notification.tokenLength).prefix(100))
            notification.payloadLength = try number(&rest, 2)
            notification.payload = Array(try data(&rest, notification.payloadLength).prefix(2_048))
        case 2: try readItems(of: &notification, from: &rest)
        default: throw End.fails
        }
    }

    private static func readItems(of notification: inout GatewayNotification, from rest: inout ArraySlice<UInt8>) throws
    {
        var left = try number(&rest, 4)
        guard left <= GatewayParser.longestFrame else { throw End.fails }
        var seen: Set<UInt8> = []
        while left > 0 {
            guard left >= 3 else { throw End.fails }
            let head = try number(&rest, 3)
            let (id, length) = (UInt8(head >> 16), head & 0xffff)
            guard 1...5 ~= id, seen.insert(id).inserted, length <= left - 3 else { throw End.fails }
            if id == 5, length != 1 { throw End.fails }
            if id == 3 || id == 4, length != 4 { throw End.fails }
            left -= 3 + length
            if id == 1 { notification.tokenLength = length }
            if id == 2 { notification.payloadLength = length }
            let bytes = try data(&rest, length)
            let value = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            switch id {
            case 1: notification.token = Array(bytes.prefix(100))
            case 2: notification.payload = Array(bytes.prefix(2_048))
            case 3: notification.identifier = UInt32(value)
            case 4: notification.expiration = UInt32(value)
            default: notification.priority = UInt8(value)
            }
        }
    }

    private static func data(_ rest: inout ArraySlice<UInt8>, _ length: Int) throws -> ArraySlice<UInt8> {
        guard rest.count >= length else { throw End.waits }
        defer { rest = rest.dropFirst(length) }
        return rest.prefix(length)
    }

    private static func number(_ rest: inout ArraySlice<UInt8>, _ length: Int) throws -> Int {
        try data(&rest, length).reduce(0) { $0 << 8 | Int($1) }
    }
}

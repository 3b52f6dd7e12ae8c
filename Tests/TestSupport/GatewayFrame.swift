/// Frames of the binary interface, byte by byte as Apple documented them.
public enum GatewayFrame {
    /// A big-endian number of so many bytes.
    public static func number(_ value: Int, _ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * (length - 1 - $0))) }
    }

    /// Bytes after their length in two bytes.
    public static func data(_ bytes: [UInt8]) -> [UInt8] { number(bytes.count, 2) + bytes }

    /// Command 0.
    public static func simple(token: [UInt8], payload: [UInt8]) -> [UInt8] { [0] + data(token) + data(payload) }

    /// Command 1.
    public static func enhanced(identifier: Int, expiry: Int = 0, token: [UInt8], payload: [UInt8]) -> [UInt8] {
        [1] + number(identifier, 4) + number(expiry, 4) + data(token) + data(payload)
    }

    /// Command 2 with these items in this order.
    public static func framed(_ items: [(id: UInt8, bytes: [UInt8])]) -> [UInt8] {
        let frame = items.flatMap { [$0.id] + data($0.bytes) }
        return [2] + number(frame.count, 4) + frame
    }

    /// Command 2 with the items that are given, in the order of their numbers.
    public static func framed(
        token: [UInt8]? = nil, payload: [UInt8]? = nil, identifier: Int? = nil, expiry: Int? = nil, priority: Int? = nil
    ) -> [UInt8] {
        let numbers = [identifier.map { number($0, 4) }, expiry.map { number($0, 4) }, priority.map { number($0, 1) }]
        let all = [token, payload] + numbers
        return framed(zip(1..., all).compactMap { id, bytes in bytes.map { (UInt8(id), $0) } })
    }

    /// An error packet.
    public static func packet(_ status: UInt8, _ identifier: Int) -> [UInt8] { [8, status] + number(identifier, 4) }
}

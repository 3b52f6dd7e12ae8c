internal import NIOCore

/// The stream limit of a client: the announced one and the enforced one.
///
/// A limit is enforced once the client has acknowledged the SETTINGS that announced it; streams opened
/// earlier are served. The real service's HTTP/2 library (netty, judging by its error texts) also applies its
/// settings at that moment (inferred). A raised limit applies immediately.
///
/// nghttp2 would close the connection for a stream above the limit, but the real service resets the stream
/// (inferred). So nghttp2 gets a limit that is never reached, and `unmark` writes the real one to the wire.
struct StreamLimits {
    /// A bit that is set in every limit given to nghttp2.
    private static let mark: UInt32 = 1 << 30

    private var announced: UInt32
    private var enforced: UInt32
    private var unacknowledged: [UInt32] = []
    /// When the oldest unacknowledged SETTINGS were sent.
    private(set) var unacknowledgedSince: NIODeadline?
    /// Whether the client has sent a valid provider token.
    var isLifted: Bool

    init(initial: UInt32, full: UInt32) {
        announced = initial
        enforced = full
        isLifted = initial == full
    }

    /// Requests another limit; returns `false` if it is already announced.
    mutating func want(_ limit: UInt32) -> Bool {
        guard limit != announced else { return false }
        announced = limit
        enforced = max(enforced, limit)
        return true
    }

    /// Returns the value for nghttp2 to announce.
    mutating func announce() -> UInt32 {
        unacknowledged.append(announced)
        return announced | Self.mark
    }

    /// Records that SETTINGS were sent.
    mutating func sent(at now: NIODeadline) { unacknowledgedSince = unacknowledgedSince ?? now }

    /// Applies the oldest unacknowledged SETTINGS.
    mutating func acknowledged(at now: NIODeadline) {
        guard !unacknowledged.isEmpty else { return }
        let limit = unacknowledged.removeFirst()
        enforced = unacknowledged.reduce(limit, max)
        unacknowledgedSince = unacknowledged.isEmpty ? nil : now
    }

    /// Whether this number of streams is within the limit.
    func admits(_ streams: Int) -> Bool { streams <= Int(enforced) }

    /// Writes the real limit into an outgoing SETTINGS frame.
    static func unmark(_ frame: UnsafeMutableBufferPointer<UInt8>) {
        let (headerLength, entryLength) = (9, 6)
        let isSettings = frame.count > headerLength && frame[3] == 4 && frame[4] & 1 == 0
        guard isSettings else { return }
        for entry in stride(from: headerLength, to: frame.count - entryLength + 1, by: entryLength)
        where frame[entry] == 0 && frame[entry + 1] == 3 { frame[entry + 2] &= ~UInt8(Self.mark >> 24) }
    }
}

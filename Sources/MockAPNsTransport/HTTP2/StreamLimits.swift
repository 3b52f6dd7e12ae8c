internal import NIOCore

/// How many streams a client may have: what was announced, and what it has to keep to.
///
/// A limit binds the client once it has acknowledged the SETTINGS that announced it; streams opened before are
/// served. The real service's HTTP/2 library (netty, by its error texts) applies its settings at that moment too
/// (inferred). A raised limit holds at once.
///
/// nghttp2 would end the connection over a stream too many, where the real service resets the stream (inferred).
/// So nghttp2 is given a limit that nobody reaches, and `unmark` writes the real one on the wire.
struct StreamLimits {
    /// Set in every limit that nghttp2 is told of.
    private static let mark: UInt32 = 1 << 30

    private let full: UInt32
    private var announced: UInt32
    private var enforced: UInt32
    private var unacknowledged: [UInt32] = []
    /// When the oldest SETTINGS without acknowledgement were sent.
    private(set) var unacknowledgedSince: NIODeadline?
    /// Whether the client has shown valid credentials.
    var isLifted: Bool

    init(initial: UInt32, full: UInt32) {
        self.full = full
        announced = initial
        enforced = full
        isLifted = initial == full
    }

    /// Wants another limit; `false` when it is the one announced last.
    mutating func want(_ limit: UInt32) -> Bool {
        guard limit != announced else { return false }
        announced = limit
        enforced = max(enforced, limit)
        return true
    }

    /// The value for nghttp2 to announce.
    mutating func announce() -> UInt32 {
        unacknowledged.append(announced)
        return announced | Self.mark
    }

    /// SETTINGS have been sent.
    mutating func sent(at now: NIODeadline) { unacknowledgedSince = unacknowledgedSince ?? now }

    /// The client has acknowledged the oldest SETTINGS.
    mutating func acknowledged(at now: NIODeadline) {
        guard !unacknowledged.isEmpty else { return }
        let limit = unacknowledged.removeFirst()
        enforced = unacknowledged.reduce(limit, max)
        unacknowledgedSince = unacknowledged.isEmpty ? nil : now
    }

    /// Whether so many streams are within the limit.
    func admits(_ streams: Int) -> Bool { streams <= Int(enforced) }

    /// Writes the real limit into a SETTINGS frame on its way out.
    static func unmark(_ frame: UnsafeMutableBufferPointer<UInt8>) {
        let (headerLength, entryLength) = (9, 6)
        let isSettings = frame.count > headerLength && frame[3] == 4 && frame[4] & 1 == 0
        guard isSettings else { return }
        for entry in stride(from: headerLength, to: frame.count - entryLength + 1, by: entryLength)
        where frame[entry] == 0 && frame[entry + 1] == 3 {
            frame[entry + 2] &= ~UInt8(Self.mark >> 24)
        }
    }
}

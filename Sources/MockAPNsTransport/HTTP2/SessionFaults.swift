internal import MockAPNsRules
internal import NIOCore

/// The pending actions of faults on a session.
///
/// Created for the first fault, so a session without faults only checks one pointer.
final class SessionFaults {
    /// A response with a fault, kept until its stream is closed.
    struct FaultyResponse {
        var fault: WireFault
        let stream: H2Stream.Pointer
        /// The response, while it is held back.
        var response: Response?
        /// When the next action is due.
        var due: NIODeadline?
        /// Whether the actions after the response were performed.
        var isFollowed = false
        var body: FaultyBody

        /// Whether the client is waiting because of the server.
        var isHeldBack: Bool { response != nil || !fault.answers }
    }

    /// The maximum size of a frame that every client accepts, with its header.
    private static let maximumFrame = 9 + 16_384

    /// The responses by stream.
    var responses: [Int32: FaultyResponse] = [:]
    /// The answers that responses wait for, until the connection watches them.
    var awaited: [(stream: Int32, answer: LateAnswer)] = []
    /// What happens to the connection after all earlier output is sent; once set, input is ignored.
    private(set) var fate: ConnectionFate?
    /// The time until which nothing is sent.
    var heldUntil: NIODeadline?
    /// Whether no more of nghttp2's output is sent.
    var isMute = false
    /// Whether new streams are served on a connection that ends with its last stream.
    var takesNewStreams = false

    /// Frames that nghttp2 would not send as required.
    private var frames: [[UInt8]] = []
    /// The frame that is being sent.
    private let output = UnsafeMutablePointer<UInt8>.allocate(capacity: maximumFrame)

    deinit { output.deallocate() }

    /// Decides what happens to the connection; the first decision is final.
    func decide(_ fate: ConnectionFate) { self.fate = self.fate ?? fate }

    /// Whether timeouts of the client are suspended.
    var stopsTime: Bool { heldUntil != nil || fate != nil }

    /// Whether everything before the fate was sent.
    var isFateDue: Bool { fate != nil && heldUntil == nil && frames.isEmpty }

    /// When the next action is due; `nil` if none is pending.
    var nextDue: NIODeadline? { [heldUntil, responses.values.lazy.compactMap(\.due).min()].compactMap(\.self).min() }

    /// The streams with actions that are due, in ascending order.
    func due(at now: NIODeadline) -> [Int32] {
        responses.filter { $0.value.due.map { $0 <= now } == true }.keys.sorted()
    }

    /// Queues a GOAWAY that names `last` as the last stream.
    func say(code: UInt32, last: Int32, debugData: [UInt8]) {
        let payload =
            Self.number(UInt32(bitPattern: last), 4) + Self.number(code, 4)
            + debugData.prefix(Self.maximumFrame - 9 - 8)
        frames.append(Self.number(UInt32(payload.count), 3) + [7, 0, 0, 0, 0, 0] + payload)
    }

    /// Returns the next queued frame, valid until the next call; `nil` if there is none.
    func takeFrame() -> UnsafeBufferPointer<UInt8>? {
        guard heldUntil == nil, !frames.isEmpty else { return nil }
        let frame = frames.removeFirst()
        output.update(from: frame, count: frame.count)
        return UnsafeBufferPointer(start: output, count: frame.count)
    }

    private static func number(_ value: UInt32, _ length: Int) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0.suffix(length)) }
    }
}

internal import NIOCore

/// What one session has still to do of the faults that struck its connection.
///
/// There once one has; so a session without faults looks at one pointer.
final class SessionFaults {
    /// An answer with a fault, until its stream is over.
    struct Answer {
        let fault: WireFault
        let stream: H2Stream.Pointer
        /// The answer, as long as it is held back.
        var response: Response?
        /// When something is to be done next.
        var due: NIODeadline?
        /// Whether what comes after the answer has been seen to.
        var isFollowed = false
        var body: FaultyBody

        /// Whether it is the server that keeps the client waiting.
        var isHeldBack: Bool { response != nil || !fault.answers }
    }

    /// The largest frame that every client takes, with its header.
    private static let maximumFrame = 9 + 16_384

    /// By stream.
    var answers: [Int32: Answer] = [:]
    /// What becomes of the connection when everything at hand has left; from then on nothing is looked at.
    private(set) var fate: ConnectionFate?
    /// Until when nothing leaves.
    var heldUntil: NIODeadline?
    /// Whether nothing of nghttp2's leaves any more.
    var isMute = false
    /// Whether streams are still served on a connection that is to end with its last one.
    var takesNewStreams = false

    /// Frames that nghttp2 would not send as they are wanted.
    private var frames: [[UInt8]] = []
    /// The frame on its way.
    private let output = UnsafeMutablePointer<UInt8>.allocate(capacity: maximumFrame)

    deinit { output.deallocate() }

    /// Decides what becomes of the connection; the first decision wins.
    func decide(_ fate: ConnectionFate) { self.fate = self.fate ?? fate }

    /// Whether what the client does or leaves has no consequences for now.
    var stopsTime: Bool { heldUntil != nil || fate != nil }

    /// Whether everything that comes before the fate has left.
    var isFateDue: Bool { fate != nil && heldUntil == nil && frames.isEmpty }

    /// When something is to be done next; `nil` for never.
    var nextDue: NIODeadline? {
        answers.values.reduce(heldUntil) { earliest, answer in
            guard let due = answer.due else { return earliest }
            return earliest.map { min($0, due) } ?? due
        }
    }

    /// The streams whose answers something is to be done about, in their order.
    func due(at now: NIODeadline) -> [Int32] {
        answers.values.filter { answer in answer.due.map { $0 <= now } ?? false }.map(\.stream.pointee.id)
            .sorted()
    }

    /// Sends a GOAWAY that names `last` as the last stream.
    func say(code: UInt32, last: Int32, debugData: [UInt8]) {
        let payload =
            Self.number(UInt32(bitPattern: last), 4) + Self.number(code, 4)
            + debugData.prefix(Self.maximumFrame - 9 - 8)
        frames.append(Self.number(UInt32(payload.count), 3) + [7, 0, 0, 0, 0, 0] + payload)
    }

    /// The next frame of those made here, valid until the next call; `nil` if there is none.
    func takeFrame() -> UnsafeBufferPointer<UInt8>? {
        guard heldUntil == nil, !frames.isEmpty else { return nil }
        let frame = frames.removeFirst()
        output.update(from: frame, count: frame.count)
        return UnsafeBufferPointer(start: output, count: frame.count)
    }

    private static func number(_ value: UInt32, _ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * (length - 1 - $0))) }
    }
}

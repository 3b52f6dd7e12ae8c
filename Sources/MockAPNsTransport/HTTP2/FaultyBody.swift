internal import MockAPNsRules

/// The body of a response with a fault while it is being sent.
struct FaultyBody {
    /// The length of a huge body.
    static let hugeLength = 1 << 20
    /// The content of a malformed body.
    static let page = Array("<!DOCTYPE html><title>Bad Gateway</title><h1>This is not JSON</h1>".utf8)
    /// The body to use if a response has none.
    static let standIn = Array("{}".utf8)

    /// The bytes to send, without the trailing spaces.
    let bytes: [UInt8]
    /// The number of bytes to send.
    let length: Int
    /// The value of `content-length`; `nil` if the response has no such header.
    let announcedLength: Int?
    /// The offset of the bytes in the stream's memory.
    var start = 0
    /// The number of bytes passed to the connection.
    private(set) var sent = 0
    /// The number of bytes that may be passed now.
    var allowance = Int.max

    init(_ body: [UInt8], with fault: FaultAction.Body?) {
        let whole = body.isEmpty && fault != nil ? Self.standIn : body
        switch fault {
        case .empty: bytes = []
        case .truncated: bytes = Array(whole.prefix(whole.count / 2))
        case .malformed: bytes = Self.page
        case nil, .huge: bytes = whole
        }
        length = fault == .huge ? Self.hugeLength : bytes.count
        announcedLength = fault == .truncated ? whole.count : nil
    }

    /// Whether all of it was passed to the connection.
    var isOver: Bool { sent >= length }

    /// Writes as much as may be sent now; `source` is the current address of the bytes.
    mutating func write(to target: UnsafeMutableBufferPointer<UInt8>, from source: UnsafePointer<UInt8>) -> Int {
        let count = min(target.count, allowance, length - sent)
        let kept = max(0, min(count, bytes.count - sent))
        guard count > 0, let start = target.baseAddress else { return 0 }
        if kept > 0 { start.update(from: source + self.start + sent, count: kept) }
        (start + kept).update(repeating: UInt8(ascii: " "), count: count - kept)
        sent += count
        if allowance < .max { allowance -= count }
        return count
    }
}

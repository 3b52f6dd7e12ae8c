internal import MockAPNsRules

/// The body of an answer with a fault, on its way.
struct FaultyBody {
    /// The length of a huge one.
    static let hugeLength = 1 << 20
    /// What a malformed one consists of.
    static let page = Array("<!DOCTYPE html><title>Bad Gateway</title><h1>This is not JSON</h1>".utf8)
    /// What an answer without a body has where one is needed.
    static let standIn = Array("{}".utf8)

    /// What is sent of it, up to the blanks at the end.
    let bytes: [UInt8]
    /// The number of bytes sent.
    let length: Int
    /// What `content-length` says; `nil` where the answer has no such header.
    let announcedLength: Int?
    /// Where the bytes lie among those of the stream.
    var start = 0
    /// The number of bytes given to the connection.
    private(set) var sent = 0
    /// The number of bytes that may be given now.
    var allowance = Int.max

    /// The body that the fault makes of `body`.
    init(_ body: [UInt8], with fault: FaultAction.Body?) {
        let whole = body.isEmpty && fault != nil ? Self.standIn : body
        switch fault {
        case nil: bytes = body
        case .empty: bytes = []
        case .truncated: bytes = Array(whole.prefix(whole.count / 2))
        case .malformed: bytes = Self.page
        case .huge: bytes = whole
        }
        length = fault == .huge ? Self.hugeLength : bytes.count
        announcedLength = fault == .truncated ? whole.count : nil
    }

    /// Whether all of it has been given to the connection.
    var isOver: Bool { sent >= length }

    /// Writes what may be sent now, of `source`, where the bytes lie by now.
    mutating func write(
        to target: UnsafeMutableBufferPointer<UInt8>,
        from source: UnsafePointer<UInt8>
    ) -> Int {
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

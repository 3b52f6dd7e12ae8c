internal import MockAPNsRules

/// How one push lies in the journal's memory: a head of fixed size, then the parts it counts, in this order.
///
/// fields · header values, and names that the rules do not know · body · key id · team id · problem text · header fields a fault added
///
/// A record is made once, copied as bytes, and only parsed when it is read.
struct RecordHead {
    /// What an absent byte-sized value is written as.
    static let none: UInt8 = 0xff
    /// Records start at multiples of this.
    static let alignment = 8
    /// The most header fields that a record can count.
    static let mostFields = Int(UInt16.max)

    /// The length of the record in bytes, a multiple of the alignment.
    var length: UInt32 = 0
    var fieldCount: UInt16 = 0
    var status: UInt16 = 0
    var seq: UInt64 = 0
    var receivedAt: Int64 = 0
    var answeredAt: Int64 = 0
    var clockTime: Int64 = 0
    var connection: UInt64 = 0
    var streamID: Int32 = 0
    var requestOnConnection: UInt32 = 0
    /// The registration that the device token belongs to.
    var place = SlotPlace.none
    var generation: UInt32 = 0
    var headerBytes: UInt32 = 0
    var headerBlockLength: UInt32 = 0
    var bodyLength: UInt32 = 0
    var bodyKept: UInt32 = 0
    var keyIDLength: UInt16 = 0
    var teamIDLength: UInt16 = 0
    var problemLength: UInt16 = 0
    var environment: UInt8 = 0
    var reason: UInt8 = RecordHead.none
    var decidedBy: UInt8 = RecordHead.none
    var verification: UInt8 = 0
    var hasUniqueID = false
    var echoesID = false
    var hasContentType = false
    /// What a fault did about the answer and the delivery.
    var faultEffect = FaultMark.Effect()
    /// The number of the fault that fired; 0 for none.
    var fault: UInt32 = 0
    /// Of the header fields that a fault added to the answer.
    var addedLength: UInt16 = 0
    var routing: UInt8 = 0
    var index = HeaderIndex()
    var issuedAt = Double.nan
    var deadSince: Int64 = .min
    var idHigh: UInt64 = 0
    var idLow: UInt64 = 0
    var uniqueIDHigh: UInt64 = 0
    var uniqueIDLow: UInt64 = 0

    /// Whether the answer came from the service; what the transport refused was not answered by it.
    var isAnswered: Bool { status == 200 || reason != RecordHead.none || (fault != 0 && status != 0) }

    /// The record's length with its parts.
    var computedLength: Int {
        let parts =
            Int(fieldCount) * MemoryLayout<HeaderField>.stride + Int(headerBytes) + Int(bodyKept)
            + Int(keyIDLength)
            + Int(teamIDLength) + Int(problemLength) + Int(addedLength)
        let length = MemoryLayout<RecordHead>.stride + parts
        return (length + Self.alignment - 1) & ~(Self.alignment - 1)
    }
}

/// A record where it lies; valid as long as its memory.
struct RecordView {
    let start: UnsafeRawPointer

    init(at start: UnsafeRawPointer) { self.start = start }

    var head: RecordHead { start.assumingMemoryBound(to: RecordHead.self).pointee }
    var length: Int { Int(head.length) }
    var seq: UInt64 { head.seq }

    /// Whether the transport refused the request, so that no rule has seen it.
    var isRefusedByTransport: Bool { headPointer.pointee.problemLength > 0 }

    private var fieldsStart: UnsafeRawPointer { start + MemoryLayout<RecordHead>.stride }

    private func bytesStart(fields: UInt16) -> UnsafePointer<UInt8> {
        (fieldsStart + Int(fields) * MemoryLayout<HeaderField>.stride).assumingMemoryBound(to: UInt8.self)
    }

    /// Lends the request as the rules saw it, but for the signature of its provider token.
    func withRequest<Result>(_ use: (borrowing RequestView) -> Result) -> Result {
        // Where it lies: a head is too large to be copied for each look.
        let head = headPointer
        let bytes = bytesStart(fields: head.pointee.fieldCount)
        let headerBytes = Int(head.pointee.headerBytes)
        return use(
            RequestView(
                bytes: bytes,
                fields: UnsafeBufferPointer(
                    start: fieldsStart.assumingMemoryBound(to: HeaderField.self),
                    count: Int(head.pointee.fieldCount)
                ),
                index: head.pointee.index,
                body: ByteSpan(start: bytes + headerBytes, count: Int(head.pointee.bodyKept)),
                bodyLength: Int(head.pointee.bodyLength),
                headerBlockLength: Int(head.pointee.headerBlockLength)
            )
        )
    }

    /// The key id, the team id, the problem and the header fields that a fault added, which follow the body.
    var texts: (keyID: String, teamID: String, problem: String, added: String) {
        let head = head
        var at = bytesStart(fields: head.fieldCount) + Int(head.headerBytes) + Int(head.bodyKept)
        func next(_ length: UInt16) -> String {
            defer { at += Int(length) }
            return ByteSpan(start: at, count: Int(length)).text
        }
        let keyID = next(head.keyIDLength)
        let teamID = next(head.teamIDLength)
        let problem = next(head.problemLength)
        return (keyID, teamID, problem, next(head.addedLength))
    }

    /// Whether the answer came from the service; what the transport refused was not answered by it.
    private var isAnswered: Bool { head.isAnswered }

    /// Whether the answer carried the request's own `apns-id`.
    var echoesID: Bool { isAnswered && head.echoesID }

    /// The `apns-id` that was made for the answer.
    var ownID: UniqueID? {
        let head = head
        guard isAnswered, !head.echoesID, head.idHigh != 0 || head.idLow != 0 else { return nil }
        return UniqueID(high: head.idHigh, low: head.idLow)
    }

    /// Whether the answer carried this `apns-id`, given in lower case.
    func hasID(_ id: String) -> Bool {
        withRequest { request in PushOutline.hasID(id, own: ownID, echo: echoesID ? request[.apnsID] : nil) }
    }
}

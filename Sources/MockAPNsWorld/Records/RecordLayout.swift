internal import MockAPNsRules

/// The layout of a push in the journal's memory: a head of fixed size, then variable parts in this order.
///
/// fields · header values, and unknown names · body · key ID · team ID · problem text · header fields added
/// by a fault
///
/// A record is created once, copied as bytes, and parsed only when it is read.
struct RecordHead {
    static let alignment = 8
    static let mostFields = Int(UInt16.max)

    /// The length of the record in bytes, a multiple of the alignment.
    var length: UInt32 = 0
    var fieldCount: UInt16 = 0
    var status: UInt16 = 0
    var seq: UInt64 = 0
    var receivedAt = Timestamp(microseconds: 0)
    var answeredAt = Timestamp(microseconds: 0)
    var clockTime = Timestamp(microseconds: 0)
    var connection: UInt64 = 0
    var streamID: Int32 = 0
    var requestOnConnection: UInt32 = 0
    var place = SlotPlace.none
    var generation: UInt32 = 0
    var headerBytes: UInt32 = 0
    var headerBlockLength: UInt32 = 0
    var bodyLength: UInt32 = 0
    var bodyKept: UInt32 = 0
    var index = HeaderIndex()
    // The properties of one byte come after optional ones, whose padding they fill.
    var id: UniqueID?
    var environment = Environment.sandbox
    var verdict = Verdict.accepted
    var verification = TokenVerification.notChecked
    var echoesID = false
    var hasContentType = false
    var uniqueID: UniqueID?
    var routing = PushRouting.standard
    /// The effects of a fault on the response and the delivery.
    var faultEffect = FaultMark.Effect()
    /// The number of the fault that fired; 0 if none did.
    var fault: UInt32 = 0
    var issuedAt: Double?
    var keyIDLength: UInt16 = 0
    var teamIDLength: UInt16 = 0
    var problemLength: UInt16 = 0
    var deadSince: Timestamp?
    var addedLength: UInt16 = 0

    /// Whether the service sent a response; it sends none for requests that the transport rejected.
    var isAnswered: Bool { status == 200 || verdict.reason != nil || (fault != 0 && status != 0) }

    var computedLength: Int {
        let parts =
            Int(fieldCount) * MemoryLayout<HeaderField>.stride + Int(headerBytes) + Int(bodyKept)
            + Int(keyIDLength) + Int(teamIDLength) + Int(problemLength) + Int(addedLength)
        let length = MemoryLayout<RecordHead>.stride + parts
        return (length + Self.alignment - 1) & ~(Self.alignment - 1)
    }
}

/// A record in place; valid as long as its memory.
struct RecordView {
    let start: UnsafeRawPointer

    init(at start: UnsafeRawPointer) { self.start = start }

    var headPointer: UnsafePointer<RecordHead> { start.assumingMemoryBound(to: RecordHead.self) }
    var head: RecordHead { headPointer.pointee }
    var length: Int { Int(head.length) }
    var seq: UInt64 { head.seq }

    /// Whether the transport rejected the request, so that the rules did not see it.
    var isRefusedByTransport: Bool { headPointer.pointee.problemLength > 0 }

    private var fieldsStart: UnsafeRawPointer { start + MemoryLayout<RecordHead>.stride }

    private func bytesStart(fields: UInt16) -> UnsafePointer<UInt8> {
        (fieldsStart + Int(fields) * MemoryLayout<HeaderField>.stride).assumingMemoryBound(to: UInt8.self)
    }

    /// Calls `use` with the request as the rules saw it, without the signature of its provider token.
    func withRequest<Result>(_ use: (borrowing RequestView) -> Result) -> Result {
        // Accessed in place: a head is too large to copy for each access.
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

    /// The key ID, the team ID, the problem, and the header fields added by a fault, which follow the body.
    var texts: (keyID: String, teamID: String, problem: String, added: String) {
        let head = head
        var at = bytesStart(fields: head.fieldCount) + Int(head.headerBytes) + Int(head.bodyKept)
        func next(_ length: UInt16) -> String {
            defer { at += Int(length) }
            return ByteSpan(start: at, count: Int(length)).text
        }
        return (
            next(head.keyIDLength), next(head.teamIDLength), next(head.problemLength), next(head.addedLength)
        )
    }

    /// Whether the response has the request's `apns-id`.
    var echoesID: Bool { head.isAnswered && head.echoesID }

    /// The `apns-id` generated for the response.
    var ownID: UniqueID? {
        let head = head
        return head.isAnswered && !head.echoesID ? head.id : nil
    }

    /// Whether the response has this `apns-id`, given in lower case.
    func hasID(_ id: String) -> Bool {
        withRequest { request in PushOutline.hasID(id, own: ownID, echo: echoesID ? request[.apnsID] : nil) }
    }
}

extension RecordView {
    /// The connection, and the number of this request on it, from 1.
    var connection: (id: UInt64, request: UInt32) {
        (headPointer.pointee.connection, headPointer.pointee.requestOnConnection)
    }

    var status: UInt16 { headPointer.pointee.status }

    var environment: Environment { headPointer.pointee.environment }

    /// The fault that fired; usually `nil`.
    var fault: (id: FaultID, effect: FaultMark.Effect)? {
        let number = headPointer.pointee.fault
        return number == 0 ? nil : (FaultID(number: number), headPointer.pointee.faultEffect)
    }

    /// The slot and generation of the device token's registration when the push was judged.
    var place: (UInt32, UInt32)? {
        let place = headPointer.pointee.place
        return place == SlotPlace.none ? nil : (place, headPointer.pointee.generation)
    }

    var deviceToken: DeviceToken? {
        withRequest { request in request.devicePart.flatMap { DeviceToken(hex: $0) } }
    }

    var topic: String? { withRequest { $0[.apnsTopic]?.text } }

    func notification(at now: Timestamp) -> Notification {
        let seq = headPointer.pointee.seq
        return withRequest { request in
            let type = request.notificationType
            return Notification(
                seq: seq,
                collapse: request[.apnsCollapseID].map(Self.collapse) ?? 0,
                storableUntil: Notification.storableUntil(
                    request[.apnsExpiration].flatMap { Expiration($0) },
                    at: now
                ),
                priority: request[.apnsPriority].flatMap { Priority($0) } ?? .standard,
                isBackground: type == .background,
                needsPermission: type.row.needsPermission
            )
        }
    }

    /// Returns a number for a collapse ID, never 0: FNV-1a, compared with only one other number of the app.
    private static func collapse(_ id: ByteSpan) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in id.bytes { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01b3 }
        return hash | 1
    }
}

extension RequestView {
    /// The push type from the header, or else from the topic's suffix or the payload.
    ///
    /// Inferred: how the real service treats a push without the header is unknown. In this case the payload
    /// is only searched for words, because this code does not parse JSON.
    fileprivate var notificationType: PushType {
        if let type = self[.apnsPushType].flatMap({ PushType($0) }) { return type }
        if let type = self[.apnsTopic].flatMap({ Topic($0).suffixType }) { return type }
        guard body.contains("\"content-available\""), !body.contains("\"alert\""),
            !body.contains("\"sound\""), !body.contains("\"badge\"")
        else { return .alert }
        return .background
    }
}

extension UnsafeRawBufferPointer {
    /// Removes and returns the first of several records.
    mutating func popRecord() -> UnsafeRawBufferPointer? {
        guard let start = baseAddress, !isEmpty else { return nil }
        let length = RecordView(at: start).length
        defer { self = UnsafeRawBufferPointer(rebasing: self[length...]) }
        return UnsafeRawBufferPointer(rebasing: self[..<length])
    }
}

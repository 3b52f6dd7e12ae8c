internal import MockAPNsFormats
public import MockAPNsRules

/// The properties of a push in the journal that have a fixed size.
///
/// In the journal's memory, the variable parts follow in this order: fields · header values, and unknown names ·
/// body · key ID · team ID · problem text · header fields added by a fault · app of a certificate · body of the
/// response. A record is created once, copied as bytes, and parsed only when it is read.
public struct RecordHead: Sendable {
    static let alignment = 8
    static let mostFields = Int(UInt16.max)

    /// The length of the record in bytes, a multiple of the alignment.
    var length: UInt32 = 0
    var fieldCount: UInt16 = 0
    /// The HTTP status of the response; 0 if the stream was reset.
    public var status: UInt16 = 200
    /// The record's number; 0 for a push that is not in the journal yet.
    public internal(set) var seq: UInt64 = 0
    /// When the request was complete, on the system's clock.
    public var receivedAt = Timestamp(microseconds: 0)
    /// When it was answered, on the system's clock.
    var sentAt = Timestamp(microseconds: 0)
    /// When the request was complete, on the world's clock.
    public var clockTime = Timestamp(microseconds: 0)
    /// The connection's number.
    public var connectionID: UInt64 = 0
    /// The HTTP/2 stream.
    public var streamID: Int32 = 0
    /// The number of requests on the connection so far, including this one.
    public var requestOnConnection: UInt32 = 0
    var place = SlotPlace.none
    var generation: UInt32 = 0
    var headerBytes: UInt32 = 0
    /// The size of the header fields as received, compressed by HPACK, in bytes; 0 if unknown.
    public internal(set) var headerBlockLength: UInt32 = 0
    /// The number of body bytes received.
    public internal(set) var bodyLength: UInt32 = 0
    var bodyKept: UInt32 = 0
    var index = HeaderIndex()
    // The properties of one byte come after optional ones, whose padding they fill.
    /// The `apns-id` generated for the response; `nil` if it is the request's, or if there is no response.
    public var id: UniqueID?
    /// The environment of the listener.
    public var environment = Environment.sandbox
    /// The verdict.
    public var verdict = Verdict.accepted
    /// The result of verifying the provider token.
    public var verification = TokenVerification.notChecked
    /// Whether the push came by the binary interface.
    public var isBinary = false
    /// The status of the error packet on the binary interface; `nil` if nothing was sent.
    public var packet: GatewayStatus?
    /// The service of the request; the verdict's check is one of this service.
    public var service = Service.push
    /// Whether the response has a `content-type`.
    public var hasContentType = false
    /// The `apns-unique-id` of the response; for channel management, the ID of the created channel.
    public var uniqueID: UniqueID?
    /// Why the push belongs to its world.
    public var routing = PushRouting.standard
    /// The effects of a fault on the response and the delivery.
    var faultEffect = FaultMark.Effect()
    /// The number of the fault that fired; 0 if none did.
    var faultNumber: UInt32 = 0
    /// The time of issue that the provider token claims, in UNIX seconds.
    public internal(set) var issuedAt: Double?
    var keyIDLength: UInt16 = 0
    var teamIDLength: UInt16 = 0
    var problemLength: UInt16 = 0
    /// When the device token became invalid, for a 410.
    public var deadSince: Timestamp?
    var addedLength: UInt16 = 0
    var certificateLength: UInt16 = 0
    /// Whether the last header field is the certificate's only topic, which the request did not have.
    public var impliesTopic = false
    var answerLength: UInt16 = 0

    /// Creates the properties of an accepted push.
    public init() {}

    /// The name of the protocol by which the push came.
    public var pushProtocol: String { (isBinary ? ProviderInterface.gateway : .http2).pushProtocol }

    /// The reason for rejection.
    public var reason: Reason? { verdict.reason }

    /// Whether the transport rejected the request, so that the rules did not see it.
    public var hasProblem: Bool { problemLength > 0 }

    /// Whether the response has the request's `apns-id`.
    public var echoesID: Bool { isAnswered && id == nil && status != 0 }

    /// The `apns-id` generated for the response, if there was a response.
    public var ownID: UniqueID? { isAnswered ? id : nil }

    /// The channel that the request has created.
    public var createdChannel: ChannelID? { service == .channels ? uniqueID.map { ChannelID($0) } : nil }

    /// The fault that fired for the push.
    package var fault: FaultID? { faultNumber == 0 ? nil : FaultID(number: faultNumber) }

    /// The microseconds from the end of the request to the response.
    package var answerMicroseconds: Int64 { max(0, sentAt.microseconds(since: receivedAt)) }

    /// Whether the request was accepted: with 200, or as channel management also does with 201 and 204.
    public var isAccepted: Bool { status == 200 || (service == .channels && status / 100 == 2) }

    /// Whether the service sent a response; it sends none for requests that the transport rejected.
    private var isAnswered: Bool { isAccepted || status != 0 && (verdict.reason != nil || faultNumber != 0) }

    var computedLength: Int {
        let parts =
            Int(fieldCount) * MemoryLayout<HeaderField>.stride + Int(headerBytes) + Int(bodyKept) + Int(keyIDLength)
            + Int(teamIDLength) + Int(problemLength) + Int(addedLength) + Int(certificateLength) + Int(answerLength)
        let length = MemoryLayout<RecordHead>.stride + parts
        return (length + Self.alignment - 1) & ~(Self.alignment - 1)
    }
}

/// A record in place; valid as long as its memory.
struct RecordView {
    let start: UnsafeRawPointer

    init(at start: UnsafeRawPointer) { self.start = start }

    /// The head, accessed in place: it is too large to copy for each access.
    var head: RecordHead { _read { yield start.assumingMemoryBound(to: RecordHead.self).pointee } }

    private var fieldsStart: UnsafeRawPointer { start + MemoryLayout<RecordHead>.stride }

    private var bytesStart: UnsafePointer<UInt8> {
        (fieldsStart + Int(head.fieldCount) * MemoryLayout<HeaderField>.stride).assumingMemoryBound(to: UInt8.self)
    }

    var textsStart: UnsafePointer<UInt8> { bytesStart + Int(head.headerBytes) + Int(head.bodyKept) }

    /// Calls `use` with the request as the rules saw it, without the signature of its provider token.
    func withRequest<Result>(_ use: (borrowing RequestView) -> Result) -> Result {
        let bytes = bytesStart
        return use(
            RequestView(
                bytes: bytes,
                fields: UnsafeBufferPointer(
                    start: fieldsStart.assumingMemoryBound(to: HeaderField.self), count: Int(head.fieldCount)),
                index: head.index, body: ByteSpan(start: bytes + Int(head.headerBytes), count: Int(head.bodyKept)),
                bodyLength: Int(head.bodyLength), headerBlockLength: Int(head.headerBlockLength)))
    }

    /// The texts that follow the body; the last is the body of an accepted request's response.
    var texts: (keyID: String, teamID: String, problem: String, added: String, certificate: String, answer: String) {
        var at = textsStart
        func next(_ length: UInt16) -> String {
            defer { at += Int(length) }
            return ByteSpan(start: at, count: Int(length)).text
        }
        return (
            next(head.keyIDLength), next(head.teamIDLength), next(head.problemLength), next(head.addedLength),
            next(head.certificateLength), next(head.answerLength)
        )
    }

    /// Whether the response has this `apns-id`, given in lower case.
    func hasID(_ id: String) -> Bool {
        if head.echoesID {
            return withRequest {
                $0.requestID(for: head.service).map { $0.count == id.utf8.count && $0.text.lowercased() == id } ?? false
            }
        }
        guard let own = head.ownID, id.utf8.count == UniqueID.textLength else { return false }
        return own.text(upperCase: false) == id
    }
}

extension RecordView {
    /// The slot and generation of the device token's registration when the push was judged.
    var place: (UInt32, UInt32)? { head.place == SlotPlace.none ? nil : (head.place, head.generation) }

    var deviceToken: DeviceToken? { withRequest { request in request.devicePart.flatMap { DeviceToken(hex: $0) } } }

    var topic: String? { withRequest { $0[.apnsTopic]?.text } }

    /// The channel of a broadcast, and its app.
    var broadcastTarget: (channel: ChannelID, app: ChannelApp)? {
        withRequest { request in
            let asked = ChannelRequest(request, for: .broadcast, in: head.environment)
            guard let asked, let id = request[.apnsChannelID].flatMap({ ChannelID($0) }) else { return nil }
            return (id, asked.app)
        }
    }

    /// The channel on which a push starts a Live Activity, `nil` within for an invalid ID; `nil` for other pushes.
    var inputPushChannel: (channel: ChannelID?, text: String)? {
        withRequest { request in
            guard request.deliveredType == .liveactivity, request.body.contains("\"input-push-channel\"") else {
                return nil
            }
            let payload = JSONParser.value(of: Array(request.body.bytes))
            let reading = PayloadReading(payload, type: .liveactivity, at: head.clockTime)
            // A start that the device ignores for another reason does not subscribe it, either.
            guard let activity = reading.activity, activity.event == .start, !activity.isIgnored,
                let text = activity.inputChannel
            else { return nil }
            return (ChannelID(text), text)
        }
    }

    func notification(at now: Timestamp) -> Notification {
        withRequest { request in
            let type = request.deliveredType
            return Notification(
                seq: head.seq, collapse: request[.apnsCollapseID].map(Self.collapse) ?? 0,
                storableUntil: Notification.storableUntil(request[.apnsExpiration].flatMap { Expiration($0) }, at: now),
                priority: request[.apnsPriority].flatMap { Priority($0) } ?? .standard,
                isBackground: type == .background, needsPermission: type.row.needsPermission,
                isActivity: type == .liveactivity)
        }
    }

    /// Returns a number for a collapse ID, never 0: FNV-1a, compared with only one other number of the app.
    private static func collapse(_ id: ByteSpan) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in id.bytes { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01b3 }
        return hash | 1
    }
}

extension UnsafeRawBufferPointer {
    /// Removes and returns the first of several records.
    mutating func popRecord() -> UnsafeRawBufferPointer? {
        guard let start = baseAddress, !isEmpty else { return nil }
        let length = Int(RecordView(at: start).head.length)
        defer { self = UnsafeRawBufferPointer(rebasing: self[length...]) }
        return UnsafeRawBufferPointer(rebasing: self[..<length])
    }
}

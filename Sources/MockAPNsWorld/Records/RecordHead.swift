internal import MockAPNsFormats
public import MockAPNsRules

/// The properties of a push in the journal that have a fixed size.
///
/// In the journal's memory, the variable parts follow in this order: fields · header values, and unknown names ·
/// body · key ID · team ID · problem text · header fields added by a fault · app of a certificate · body of the
/// response. A record is created once, copied as bytes, and parsed only when it is read.
///
/// The first `keptSize` bytes are also what a store keeps: `RecordHead.layout` has a row for each property in them. A new
/// one needs its declaration and its row. Whoever changes what is there raises `layoutVersion`.
public struct RecordHead: Sendable {
    static let alignment = 8
    static let mostFields = Int(UInt16.max)
    /// The version of the layout of what is kept.
    static let layoutVersion: UInt8 = 1
    private static let noDecider = UInt8.max

    // MARK: What is kept. The places of enumerations' cases are part of the layout: new cases come last.

    let version = RecordHead.layoutVersion
    /// The environment of the listener.
    public var environment = Environment.sandbox
    /// The service of the request; the verdict's check is one of this service.
    public var service = Service.push
    /// The result of verifying the provider token.
    public var verification = TokenVerification.notChecked
    /// Why the push belongs to its world.
    public var routing = PushRouting.standard
    /// The status of the error packet on the binary interface; `nil` if nothing was sent.
    public var packet: GatewayStatus?
    /// The effects of a fault on the response and the delivery.
    var faultEffect = FaultMark.Effect()
    private(set) var decider = RecordHead.noDecider
    /// Whether the push came by the binary interface.
    public var isBinary = false
    /// Whether the response has a `content-type`.
    public var hasContentType = false
    /// Whether the last header field is the certificate's only topic, which the request did not have.
    public var impliesTopic = false
    private(set) var hasID = false
    private(set) var hasUniqueID = false
    private(set) var hasIssuedAt = false
    private(set) var hasDeadSince = false
    /// Whether a header field that may occur only once was repeated.
    var hasDuplicates = false
    /// When it was answered, on the system's clock.
    var sentAt = Timestamp(microseconds: 0)
    /// When the request was complete, on the world's clock.
    public var clockTime = Timestamp(microseconds: 0)
    /// The connection's number.
    public var connectionID: UInt64 = 0
    private(set) var keptID = UniqueID(high: 0, low: 0)
    private(set) var keptUniqueID = UniqueID(high: 0, low: 0)
    private(set) var keptIssuedAt = 0.0
    private(set) var keptDeadSince = Timestamp(microseconds: 0)
    /// The HTTP/2 stream.
    public var streamID: Int32 = 0
    /// The number of requests on the connection so far, including this one.
    public var requestOnConnection: UInt32 = 0
    var place = SlotPlace.none
    var generation: UInt32 = 0
    /// The size of the header fields as received, compressed by HPACK, in bytes; 0 if unknown.
    public internal(set) var headerBlockLength: UInt32 = 0
    /// The number of body bytes received.
    public internal(set) var bodyLength: UInt32 = 0
    /// The number of the fault that fired; 0 if none did.
    var faultNumber: UInt32 = 0
    /// The number of bytes of the provider token's signature that were removed.
    var removedFromToken: UInt32 = 0
    var keyIDLength: UInt16 = 0
    var teamIDLength: UInt16 = 0
    var problemLength: UInt16 = 0
    var addedLength: UInt16 = 0
    var certificateLength: UInt16 = 0
    var answerLength: UInt16 = 0
    /// The HTTP status of the response; 0 if the stream was reset.
    public var status: UInt16 = 200
    var fieldCount: UInt16 = 0

    // MARK: What a store has in columns of their own, or what follows from the parts.

    /// The record's number; 0 for a push that is not in the journal yet.
    public internal(set) var seq: UInt64 = 0
    /// When the request was complete, on the system's clock.
    public var receivedAt = Timestamp(microseconds: 0)
    var index = HeaderIndex()
    /// The reason for rejection.
    public internal(set) var reason: Reason?
    /// The length of the record in bytes, a multiple of the alignment.
    var length: UInt32 = 0
    var headerBytes: UInt32 = 0
    var bodyKept: UInt32 = 0

    /// Creates the properties of an accepted push.
    public init() {}
}

extension RecordHead {
    /// The verdict.
    public var verdict: Verdict {
        get { Verdict(reason: reason, decidedBy: decider == Self.noDecider ? nil : decider) }
        set { (reason, decider) = (newValue.reason, newValue.decidedBy ?? Self.noDecider) }
    }

    /// The `apns-id` generated for the response; `nil` if it is the request's, or if there is no response.
    public var id: UniqueID? {
        get { hasID ? keptID : nil }
        set { (hasID, keptID) = (newValue != nil, newValue ?? UniqueID(high: 0, low: 0)) }
    }

    /// The `apns-unique-id` of the response; for channel management, the ID of the created channel.
    public var uniqueID: UniqueID? {
        get { hasUniqueID ? keptUniqueID : nil }
        set { (hasUniqueID, keptUniqueID) = (newValue != nil, newValue ?? UniqueID(high: 0, low: 0)) }
    }

    /// The time of issue that the provider token claims, in UNIX seconds.
    public internal(set) var issuedAt: Double? {
        get { hasIssuedAt ? keptIssuedAt : nil }
        set { (hasIssuedAt, keptIssuedAt) = (newValue != nil, newValue ?? 0) }
    }

    /// When the device token became invalid, for a 410.
    public var deadSince: Timestamp? {
        get { hasDeadSince ? keptDeadSince : nil }
        set { (hasDeadSince, keptDeadSince) = (newValue != nil, newValue ?? Timestamp(microseconds: 0)) }
    }

    /// The name of the protocol by which the push came.
    public var pushProtocol: String { (isBinary ? ProviderInterface.gateway : .http2).pushProtocol }

    /// Whether the transport rejected the request, so that the rules did not see it.
    public var hasProblem: Bool { problemLength > 0 }

    /// Whether the response has the request's `apns-id`.
    public var echoesID: Bool { isAnswered && !hasID && status != 0 }

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
    private var isAnswered: Bool { isAccepted || status != 0 && (reason != nil || faultNumber != 0) }

    /// The length of the texts after the body.
    var textsLength: Int {
        Int(keyIDLength) + Int(teamIDLength) + Int(problemLength) + Int(addedLength) + Int(certificateLength)
            + Int(answerLength)
    }

    var computedLength: Int {
        let parts = Int(fieldCount) * MemoryLayout<HeaderField>.stride + Int(headerBytes) + Int(bodyKept) + textsLength
        return (MemoryLayout<RecordHead>.stride + parts + Self.alignment - 1) & ~(Self.alignment - 1)
    }
}

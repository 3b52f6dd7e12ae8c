/// The request header names that this server uses; all others are recorded and otherwise ignored.
public enum HeaderName: UInt8, CaseIterable, Sendable {
    case method
    case path
    case scheme
    case authority
    case authorization
    case apnsID
    case apnsExpiration
    case apnsPriority
    case apnsTopic
    case apnsPushType
    case apnsCollapseID
    case apnsRequestID
    case apnsChannelID
    /// Any other header.
    case other

    /// The name on the wire; empty for `other`.
    public var text: StaticString {
        switch self {
        case .method: ":method"
        case .path: ":path"
        case .scheme: ":scheme"
        case .authority: ":authority"
        case .authorization: "authorization"
        case .apnsID: "apns-id"
        case .apnsExpiration: "apns-expiration"
        case .apnsPriority: "apns-priority"
        case .apnsTopic: "apns-topic"
        case .apnsPushType: "apns-push-type"
        case .apnsCollapseID: "apns-collapse-id"
        case .apnsRequestID: "apns-request-id"
        case .apnsChannelID: "apns-channel-id"
        case .other: ""
        }
    }

    /// Whether the name is one of a pseudo-header field.
    @inlinable public var isPseudoHeader: Bool { rawValue <= HeaderName.authority.rawValue }

    /// Recognizes a name as sent in HTTP/2, in lower case.
    ///
    /// The length leaves at most three candidates, and each is compared as two words.
    @inlinable @inline(__always) public init(_ name: ByteSpan) {
        switch name.count {
        case 5: self = name.equals(":path") ? .path : .other
        case 7:
            self =
                name.equals("apns-id")
                ? .apnsID : name.equals(":method") ? .method : name.equals(":scheme") ? .scheme : .other
        case 10: self = name.equals("apns-topic") ? .apnsTopic : name.equals(":authority") ? .authority : .other
        case 13:
            self = name.equals("authorization") ? .authorization : name.equals("apns-priority") ? .apnsPriority : .other
        case 14: self = name.equals("apns-push-type") ? .apnsPushType : .other
        case 15:
            self =
                name.equals("apns-expiration")
                ? .apnsExpiration
                : name.equals("apns-channel-id")
                    ? .apnsChannelID : name.equals("apns-request-id") ? .apnsRequestID : .other
        case 16: self = name.equals("apns-collapse-id") ? .apnsCollapseID : .other
        default: self = .other
        }
    }
}

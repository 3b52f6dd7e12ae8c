/// The request header names that mean something to this server; all others are ignored, and recorded.
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
        case .other: ""
        }
    }

    /// Recognises a name as HTTP/2 carries it, in lower case.
    ///
    /// Length and a letter leave one candidate, so a header costs one comparison.
    public init(_ name: ByteSpan) {
        let candidate: HeaderName
        switch name.count {
        case 5: candidate = .path
        case 7 where name[0] == UInt8(ascii: "a"): candidate = .apnsID
        case 7: candidate = name[1] == UInt8(ascii: "m") ? .method : .scheme
        case 10: candidate = name[0] == UInt8(ascii: "a") ? .apnsTopic : .authority
        case 13: candidate = name[1] == UInt8(ascii: "u") ? .authorization : .apnsPriority
        case 14: candidate = .apnsPushType
        case 15: candidate = .apnsExpiration
        case 16: candidate = .apnsCollapseID
        default: candidate = .other
        }
        self = name.equals(candidate.text) ? candidate : .other
    }
}

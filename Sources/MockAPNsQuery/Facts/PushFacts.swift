package import MockAPNsFormats
package import MockAPNsRules
package import MockAPNsWorld

/// What a push's headers and path say, read once for every part of its record.
///
/// A class, though nothing of it changes: every part has it, and it has too many parts to copy.
package final class PushFacts: Sendable {
    /// What stands for the signature of a provider token, which is never kept.
    package static let signatureMarker = "(signature not kept)"

    package let record: PushRecord
    package let method: String
    package let path: String
    /// What follows `/3/device/`; `nil` for other paths.
    package let devicePart: String?
    /// The device token of the path; `nil` when there is none.
    package let token: DeviceToken?
    /// The header fields in the order received, without pseudo-header fields.
    package let headers: [(name: String, value: String)]
    /// The `authorization` header as it may be shown.
    package let authorization: String?
    /// Whether there is a bearer token.
    package let hasToken: Bool
    /// The body as JSON; `nil` when it is not JSON, or was too large to keep.
    package let payload: JSONValue?

    package init(_ record: PushRecord) {
        self.record = record
        method = record.request[.method] ?? ""
        path = record.request[.path] ?? ""
        let prefix = "/3/device/"
        devicePart = path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : nil
        token = devicePart.flatMap { DeviceToken(hex: $0) }
        let tokenName = HeaderName.authorization.text.description
        headers = record.request.headers.compactMap { header in
            guard header.name.utf8.first != UInt8(ascii: ":") else { return nil }
            return (header.name, header.name == tokenName ? Self.marked(header.value) : header.value)
        }
        authorization = record.request[.authorization].map(Self.marked)
        var bearer = record.request[.authorization] ?? ""
        hasToken = bearer.withUTF8 { ProviderToken.bearer(ByteSpan($0)) } != nil
        payload = Self.payload(of: record.request.body)
    }

    /// The push type that the push has, and whether it comes from elsewhere than its header.
    package var pushType: (name: String, isDerived: Bool) {
        if let given = record.request[.apnsPushType] { return (given, false) }
        return (Self.derivedPushType(topic: record.request[.apnsTopic], payload: payload).name, true)
    }

    /// The push type that the device goes by.
    package var deliveredType: PushType {
        var name = pushType.name
        return name.withUTF8 { PushType(ByteSpan($0)) } ?? .alert
    }

    /// What the payload has for the system.
    package var aps: JSONValue? { payload?["aps"] }

    /// Whether everything that arrived of the body is at hand.
    package var hasBody: Bool { record.request.body.count == record.request.bodyLength }

    /// The push type of a push without `apns-push-type` (inferred; nothing tells what the real service does).
    static func derivedPushType(topic: String?, payload: @autoclosure () -> JSONValue?) -> PushType {
        var topic = topic ?? ""
        if let type = topic.withUTF8({ Topic(ByteSpan($0)).suffixType }) { return type }
        guard case .object(let aps) = payload()?["aps"], aps["content-available"] != nil,
            ["alert", "badge", "sound"].allSatisfy({ aps[$0] == nil })
        else { return .alert }
        return .background
    }

    /// The largest body that a push of this topic and push type may have.
    package static func payloadLimit(topic: String?, pushType: String?) -> Int {
        var (topic, pushType) = (topic ?? "", pushType ?? "")
        return topic.withUTF8 { topic in
            pushType.withUTF8 { PushType.payloadLimit(of: ByteSpan($0), topic: ByteSpan(topic)) }
        }
    }

    /// A body as JSON.
    package static func payload(of body: [UInt8]) -> JSONValue? { JSONParser.value(of: body) }

    /// The journal cuts a token off behind its second dot; this says so.
    private static func marked(_ authorization: String) -> String {
        let isCut = authorization.hasSuffix(".") && authorization.utf8.count { $0 == UInt8(ascii: ".") } == 2
        return isCut ? authorization + signatureMarker : authorization
    }
}

package import MockAPNsFormats
package import MockAPNsRules
package import MockAPNsWorld

/// The values parsed from a push's headers, path and payload, shared by all parts of its record.
///
/// A class although it is immutable: every part refers to it, and it is too large to copy.
package final class PushFacts: Sendable {
    /// The placeholder for a provider token's signature, which is never stored.
    package static let signatureMarker = "(signature not kept)"

    package let record: PushRecord
    package let method: String
    package let path: String
    /// The path after `/3/device/`, or `nil` for other paths.
    package let devicePart: String?
    package let token: DeviceToken?
    /// The header fields in the order received, excluding pseudo-header fields.
    package let headers: [(name: String, value: String)]
    /// The `authorization` header, with a marker in place of a removed signature.
    package let authorization: String?
    package let hasToken: Bool
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
        payload = JSONParser.value(of: record.request.body)
    }

    /// The push type, and whether it was derived because the header is missing.
    package var pushType: (name: String, isDerived: Bool) {
        if let given = record.request[.apnsPushType] { return (given, false) }
        return (Self.derivedPushType(topic: record.request[.apnsTopic], payload: payload).name, true)
    }

    /// An unknown push type is handled as an alert.
    package var deliveredType: PushType {
        var name = pushType.name
        return name.withUTF8 { PushType(ByteSpan($0)) } ?? .alert
    }

    package var aps: JSONValue? { payload?["aps"] }

    package var hasBody: Bool { record.request.body.count == record.request.bodyLength }

    /// Derives the push type of a push without `apns-push-type` (inferred; the behavior of APNs is not documented).
    static func derivedPushType(topic: String?, payload: @autoclosure () -> JSONValue?) -> PushType {
        var topic = topic ?? ""
        if let type = topic.withUTF8({ Topic(ByteSpan($0)).suffixType }) { return type }
        guard case .object(let aps) = payload()?["aps"], aps["content-available"] != nil,
            ["alert", "badge", "sound"].allSatisfy({ aps[$0] == nil })
        else { return .alert }
        return .background
    }

    package static func payloadLimit(topic: String?, pushType: String?) -> Int {
        var (topic, pushType) = (topic ?? "", pushType ?? "")
        return topic.withUTF8 { topic in
            pushType.withUTF8 { PushType.payloadLimit(of: ByteSpan($0), topic: ByteSpan(topic)) }
        }
    }

    /// Appends `signatureMarker` if the journal removed the token's signature.
    ///
    /// The journal truncates a token after its second dot.
    private static func marked(_ authorization: String) -> String {
        let isCut = authorization.hasSuffix(".") && authorization.utf8.count { $0 == UInt8(ascii: ".") } == 2
        return isCut ? authorization + signatureMarker : authorization
    }
}

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
    /// The path after `/3/device/`, or `nil` for other paths.
    package let devicePart: String?
    package let token: DeviceToken?
    /// The header fields in the order received, excluding pseudo-header fields; the fields of its frame for a
    /// push by the binary interface.
    package let headers: [(name: String, value: String)]
    /// The `authorization` header, with a marker in place of a removed signature.
    package let authorization: String?
    package let hasToken: Bool
    package let payload: JSONValue?

    package init(_ record: PushRecord) {
        self.record = record
        let path = record.request[.path] ?? ""
        let prefix = "/3/device/"
        devicePart = path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : nil
        token = devicePart.flatMap { DeviceToken(hex: $0) }
        let tokenName = HeaderName.authorization.text.description
        let fields = record.request.headers.filter { $0.name.utf8.first != UInt8(ascii: ":") }
        headers =
            record.isBinary
            ? [(FrameFields.token, devicePart ?? "")]
                + fields.map { (FrameFields.name(of: $0.name), $0.value) }
            : fields.map { ($0.name, $0.name == tokenName ? Self.marked($0.value) : $0.value) }
        authorization = record.request[.authorization].map(Self.marked)
        var bearer = record.request[.authorization] ?? ""
        hasToken = bearer.withUTF8 { ProviderToken.bearer(ByteSpan($0)) } != nil
        payload = JSONParser.value(of: record.request.body)
    }

    /// The `authorization` header as a failed check shows it: the token decoded, unless something else is in its place.
    package var shownAuthorization: String? {
        guard record.verification != .missing else { return authorization }
        return record.request[.authorization].flatMap { TokenParts(authorization: $0)?.text } ?? authorization
    }

    /// The header fields for sending the push again over HTTP/2.
    package var repeatableHeaders: [(name: String, value: String)] {
        guard record.isBinary else { return headers }
        let names = HeaderName.allCases.map(\.text.description)
        let token = (name: HeaderName.authorization.text.description, value: "bearer " + Self.signatureMarker)
        return [token] + FrameFields.headers(of: headers).filter { names.contains($0.name) }
    }

    package var method: String { record.request[.method] ?? "" }
    package var path: String { record.request[.path] ?? "" }

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

    package var hasBody: Bool { record.request.body.count == record.bodyLength }

    /// Derives the push type of a push without `apns-push-type` (inferred; the behavior of APNs is not documented).
    static func derivedPushType(topic: String?, payload: @autoclosure () -> JSONValue?) -> PushType {
        var topic = topic ?? ""
        if let type = topic.withUTF8({ Topic(ByteSpan($0)).suffixType }) { return type }
        guard case .object(let aps) = payload()?["aps"], aps["content-available"] != nil,
            ["alert", "badge", "sound"].allSatisfy({ aps[$0] == nil })
        else { return .alert }
        return .background
    }

    package var payloadLimit: Int {
        if record.isBinary { return GatewayNotification.largestPayload }
        var (topic, pushType) = (record.request[.apnsTopic] ?? "", record.request[.apnsPushType] ?? "")
        return topic.withUTF8 { topic in
            pushType.withUTF8 { PushType.payloadLimit(of: ByteSpan($0), topic: ByteSpan(topic)) }
        }
    }

    /// The journal truncates a token after its second dot.
    private static func marked(_ authorization: String) -> String {
        let isCut = authorization.hasSuffix(".") && authorization.utf8.count { $0 == UInt8(ascii: ".") } == 2
        return isCut ? authorization + signatureMarker : authorization
    }
}

/// The names of the fields of a frame of the binary interface, where they differ from those of headers.
package enum FrameFields {
    static let token = "device-token"

    private static let names: [(field: String, header: HeaderName)] = [
        ("topic", .apnsTopic), ("expiration", .apnsExpiration), ("priority", .apnsPriority),
    ]

    /// Returns the name under which a field of the request is shown.
    static func name(of header: String) -> String {
        names.first { $0.header.text.description == header }?.field ?? header
    }

    /// Returns the fields of the request for fields as they are shown.
    package static func headers(of fields: [(name: String, value: String)]) -> [(name: String, value: String)]
    {
        fields.filter { $0.name != token }.map { field in
            (names.first { $0.field == field.name }?.header.text.description ?? field.name, field.value)
        }
    }
}

/// The text of an alert, or its localization key, because the localized text is in the app.
package struct AlertText {
    package let title: String?
    package let subtitle: String?
    package let body: String?

    package init(_ alert: JSONValue?) {
        title = alert?["title"]?.string ?? alert?["title-loc-key"]?.string
        subtitle = alert?["subtitle"]?.string ?? alert?["subtitle-loc-key"]?.string
        body = alert?.string ?? alert?["body"]?.string ?? alert?["loc-key"]?.string
    }

    package var hasText: Bool { [title, subtitle, body].contains { $0?.isEmpty == false } }
}

extension Reaction.Traits {
    package init(aps: JSONValue?) {
        self = []
        if AlertText(aps?["alert"]).hasText { insert(.alert) }
        if case .integer? = aps?["badge"] { insert(.badge) }
        if case .object? = aps?["sound"] { insert(.sound) }
        if aps?["sound"]?.string?.isEmpty == false { insert(.sound) }
        if aps?["content-available"] == .integer(1) { insert(.contentAvailable) }
        if aps?["mutable-content"] == .integer(1) { insert(.mutableContent) }
    }
}

extension JSONValue {
    /// The longest text that is quoted in full, in characters.
    private static let longestQuotation = 40

    package var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The value as described in messages, such as `the string "3"`.
    package var words: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer, .unsigned, .number, .literal: Self.shortened(String(decoding: text, as: UTF8.self))
        case .string(let text): "the string \"\(Self.shortened(text))\""
        case .array: "an array"
        case .object, .written: "an object"
        }
    }

    /// Whether this is a whole number that fits in a signed 64-bit integer, in any notation.
    package var isWholeNumber: Bool {
        switch self {
        case .integer: true
        case .literal(let digits): Double(digits).flatMap { Int64(exactly: $0) } != nil
        case .null, .bool, .unsigned, .number, .string, .array, .object, .written: false
        }
    }

    /// Whether this is `true` or 1, the values that turn an option on.
    package var isOn: Bool { self == true || double == 1 }

    package var isReadable: Bool { string?.contains { !$0.isWhitespace } ?? false }

    func question(among names: [String]) -> String? {
        string.flatMap { Suggestion.nearest(to: $0, among: names) }.map { "Did you mean '\($0)'?" }
    }

    package static func shortened(_ text: String) -> String {
        text.count > longestQuotation ? text.prefix(longestQuotation) + "…" : text
    }
}

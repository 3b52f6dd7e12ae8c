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
    /// What a device reads from the payload.
    package let reading: PayloadReading

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
            ? [(FrameFields.token, devicePart ?? "")] + fields.map { (FrameFields.name(of: $0.name), $0.value) }
            : fields.map { ($0.name, $0.name == tokenName ? Self.marked($0.value) : $0.value) }
        authorization = record.request[.authorization].map(Self.marked)
        var bearer = record.request[.authorization] ?? ""
        hasToken = bearer.withUTF8 { ProviderToken.bearer(ByteSpan($0)) } != nil
        payload = JSONParser.value(of: record.request.body)
        let topic = record.request[.apnsTopic]
        let type = PushType.delivered(
            header: record.request[.apnsPushType], topic: topic, body: record.request.body, service: record.service)
        reading = PayloadReading(
            payload, type: type, special: SpecialTopic(topic: topic), isBroadcast: record.service == .broadcast,
            pushMagic: record.delivery?.pushMagic, at: record.clockTime)
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
        return (deliveredType.name, true)
    }

    /// An unknown push type is handled as if the header were missing.
    package var deliveredType: PushType { reading.type }

    package var hasBody: Bool { record.request.body.count == record.bodyLength }

    package var payloadLimit: Int {
        if record.isBinary { return GatewayNotification.largestPayload }
        var (topic, pushType) = (record.request[.apnsTopic] ?? "", record.request[.apnsPushType] ?? "")
        return topic.withUTF8 { topic in
            pushType.withUTF8 { PushType.payloadLimit(of: ByteSpan($0), topic: ByteSpan(topic)) }
        }
    }

    /// The journal keeps only dots and padding of a token after its second dot.
    private static func marked(_ authorization: String) -> String {
        let (bytes, dot) = (authorization.utf8, UInt8(ascii: "."))
        guard let first = bytes.firstIndex(of: dot),
            let second = bytes[bytes.index(after: first)...].firstIndex(of: dot),
            bytes[second...].allSatisfy({ $0 == dot || $0 == UInt8(ascii: "=") })
        else { return authorization }
        return String(authorization[...second]) + signatureMarker
    }
}

/// The fields of a frame of the binary interface, and the headers that correspond to them.
package enum FrameFields {
    static let token = "device-token"

    private static let names: [(field: String, header: HeaderName)] = [
        ("topic", .apnsTopic), ("expiration", .apnsExpiration), ("priority", .apnsPriority),
    ]

    /// Returns the frame's name for a header; the header's own name if they are the same.
    static func name(of header: String) -> String {
        names.first { $0.header.text.description == header }?.field ?? header
    }

    /// Returns the headers for the fields of a frame; leaves out the device token, which is in the path.
    package static func headers(of fields: [(name: String, value: String)]) -> [(name: String, value: String)] {
        fields.filter { $0.name != token }.map { field in
            (names.first { $0.field == field.name }?.header.text.description ?? field.name, field.value)
        }
    }
}

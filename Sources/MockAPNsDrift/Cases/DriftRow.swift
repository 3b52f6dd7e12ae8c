/// A row of docs/differences.md, and the cases that decide it.
package struct DriftRow: Sendable {
    /// The heading of its table.
    package let section: String
    /// How its first cell begins.
    package let what: String
    /// The cases that the last cell names.
    package let cases: [String]

    /// The row in one line.
    package var text: String { "\(section): \(what)" }

    /// Returns the row that a case decides; `nil` if it decides none.
    package static func of(_ item: DriftCase) -> DriftRow? {
        all.first { $0.cases.contains(item.id) }
            ?? item.checks.last.flatMap { check in
                item.checks.count > 1 ? byCheck[check].flatMap { what in all.first { $0.what == what } } : nil
            }
    }

    private init(_ section: String, _ what: String, _ cases: String) {
        self.section = section
        self.what = what
        self.cases = cases.split(separator: " ").map(String.init)
    }

    private static let headers = "order: apns-id, expiration, priority"
    private static let topic = "the topic (present, well-formed, allowed) is checked"
    private static let payload = "the payload is checked before the device token"

    /// The rows about the order, by the later check of a pair.
    private static let byCheck = [
        "path": "the method is checked first", "single-headers": "the path is checked before the provider token",
        "provider-token-present": "repeated headers are checked before the provider token",
        "provider-token-valid": "repeated headers are checked before the provider token",
        "provider-token-age": "repeated headers are checked before the provider token",
        "device-token-present": "an empty device token is checked", "apns-id": headers, "apns-expiration": headers,
        "apns-priority": headers, "apns-collapse-id": headers, "apns-push-type": headers, "topic-present": headers,
        "topic-form": topic, "topic-allowed": topic, "payload-present": topic, "payload-size": topic,
        "device-token-form": payload,
    ]

    /// The rows that cases decide, in the order of the document.
    package static let all =
        order + answers + fields + deviceTokens + channels + providerTokens + certificates + connections

    private static let order = [
        DriftRow("Order of checks", "the method is checked first", "method-get method-put+path-version"),
        DriftRow(
            "Order of checks", "the path is checked before the provider token",
            "path-version+token-absent path-version+twice-apns-expiration"),
        DriftRow(
            "Order of checks", "repeated headers are checked before the provider token",
            "twice-apns-expiration+token-absent"),
        DriftRow(
            "Order of checks", "the provider token is checked before device token",
            "token-absent+path-no-token token-absent+body-empty"),
        DriftRow("Order of checks", "an empty device token is checked", "path-no-token path-no-token+id-word"),
        DriftRow(
            "Order of checks", headers,
            "id-word+expiration-word expiration-word+priority-2 priority-2+collapse-65 collapse-65+type-word"),
        DriftRow("Order of checks", topic, "topic-absent+path-word-token topic-brackets+topic-space"),
        DriftRow("Order of checks", payload, "body-empty+path-word-token body-large+path-word-token"),
    ]

    private static let answers = [
        DriftRow(
            "Answers", "reasons and statuses",
            "unknown-device topic-absent body-empty body-large id-word expiration-word priority-2"),
        DriftRow("Answers", "error bodies are compact JSON", "unknown-device"),
        DriftRow("Answers", "a generated apns-id is in upper case", "unknown-device"),
        DriftRow(
            "Answers", "a client's apns-id is returned as it was sent",
            "id-lower id-upper id-mixed id-short id-plain device-id-lower device-id-upper"),
        DriftRow("Answers", "apns-unique-id in lower case", "device-accepted"),
        DriftRow("Answers", "BadEnvironmentKeyInToken", "key-environment"),
        DriftRow("Answers", "BadTopic for an empty topic", "topic-empty topic-space topic-256"),
        DriftRow(
            "Answers", "DuplicateHeaders for",
            "twice-apns-expiration twice-apns-priority twice-apns-example twice-authorization twice-content-type"),
    ]

    private static let fields = [
        DriftRow(
            "Headers", "apns-expiration: digits only",
            "expiration-fraction expiration-negative expiration-plus expiration-milliseconds"),
        DriftRow("Headers", "push type `accessory`", "type-accessory body-accessory-4096 body-accessory-4097"),
        DriftRow("Headers", "a topic in angle brackets", "topic-brackets"),
        DriftRow("Headers", "without apns-push-type", "type-absent"),
        DriftRow("Headers", "5,120 bytes if", "body-voip-5120 body-voip-5121"),
        DriftRow("Headers", "a body that is not JSON", "body-not-json body-not-utf8 body-comma device-body-not-json"),
        DriftRow("Headers", "a device token has 1 to 100 bytes", "path-short-token path-long-token path-odd-token"),
        DriftRow("Headers", "well-formed unknown device tokens", "unknown-device"),
    ]

    private static let deviceTokens = [
        DriftRow("Device tokens", "a token of another topic", "device-topic-other"),
        DriftRow("Store and forward", "apns-expiration in the past", "device-expiration-past"),
    ]

    private static let channels = [
        DriftRow(
            "Broadcasts and channels", "paths, methods, statuses",
            "channel-create channel-read channel-list channel-delete"),
        DriftRow(
            "Broadcasts and channels", "reasons and statuses",
            "channel-read-no-id channel-read-unknown channel-create-member channel-read-deleted"),
        DriftRow("Broadcasts and channels", "order: method, path", "channel-no-token channel-put"),
        DriftRow("Broadcasts and channels", "apns-channel-id over 64", "channel-read-long"),
        DriftRow("Broadcasts and channels", "a missing or invalid message-storage-policy", "channel-create-policy"),
    ]

    private static let providerTokens = [
        DriftRow("Provider tokens", "key, team and signature", "token-signature token-kid-unknown token-iss-other"),
        DriftRow("Provider tokens", "a provider token is refused when", "token-iat-61-minutes token-iat-old"),
        DriftRow("Provider tokens", "signatures are accepted raw", "token-der"),
        DriftRow("Provider tokens", "standard Base64 and padding", "token-padded token-standard-base64"),
        DriftRow("Provider tokens", "iat with a fraction", "token-iat-fraction token-iat-text token-iat-exponent"),
        DriftRow("Provider tokens", "iat more than an hour ahead", "token-iat-ahead token-iat-milliseconds"),
        DriftRow("Provider tokens", "a new token within 20 minutes", "update"),
        DriftRow("Provider tokens", "the scope of these 20 minutes", "update-other-connection"),
        DriftRow("Provider tokens", "an invalid token does not count", "update-invalid"),
        DriftRow("Provider tokens", "after TooManyProviderTokenUpdates", "update-after"),
        DriftRow("Provider tokens", "`alg` is ES256", "token-alg-es512"),
        DriftRow("Provider tokens", "the claim sub is ignored", "token-sub"),
    ]

    private static let certificates = [
        DriftRow(
            "Client certificates", "a certificate replaces provider tokens",
            "certificate-accepted certificate-token-word"),
        DriftRow("Client certificates", "a certificate for several topics", "certificate-topic-absent"),
        DriftRow("Client certificates", "a topic that the certificate does not have", "certificate-topic-other"),
        DriftRow(
            "Client certificates", "`location` and `fileprovider` pushes",
            "certificate-location certificate-fileprovider"),
        DriftRow("Client certificates", "`liveactivity` pushes", "certificate-liveactivity"),
        DriftRow(
            "Client certificates", "`accessory`, `controls`",
            "certificate-accessory certificate-controls certificate-pushtotalk certificate-widgets"),
        DriftRow("Client certificates", "a second GOAWAY", "certificate-unknown"),
        DriftRow("Client certificates", "an invalid certificate", "certificate-unknown"),
    ]

    private static let connections = [
        DriftRow("HTTP/2 and TLS", "SETTINGS 1=4096", "settings settings-later"),
        DriftRow("HTTP/2 and TLS", "a client without ALPN h2", "alpn-http1"),
        DriftRow("HTTP/2 and TLS", "a response to HEAD", "method-head"),
        DriftRow("HTTP/2 and TLS", "`expect: 100-continue`", "expect device-expect"),
        DriftRow("HTTP/2 and TLS", "a header list over 8,000 bytes", "header-huge"),
    ]
}

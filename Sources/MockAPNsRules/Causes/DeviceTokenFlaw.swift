internal import MockAPNsFormats

/// Why a text in the path is not a device token.
package enum DeviceTokenFlaw: Equatable, Sendable {
    /// An ID of a broadcast channel.
    case channelID
    /// A registration token of FCM.
    case fcm
    /// A token of Expo's push service.
    case expo
    /// The address of a Web Push subscription.
    case webPush
    /// What a program prints for a missing value, such as `null`.
    case placeholder(String)
    /// The description of `Data` since iOS 13, `{length = 32, bytes = 0x…}`, which does not contain all bytes.
    case dataDescription
    /// Hex digits with spaces, angle brackets, hyphens or `0x`; with what is left without them.
    case decorated(hex: String)
    /// Base64; with its hexadecimal form.
    case base64(hex: String)
    case uuid
    /// More of a path or a query after the token.
    case trailing(String)
    case length(Int, isOdd: Bool)
    /// A character that is not a hex digit, and its position.
    case character(Character, at: Int)
    /// A token of another size than the binary interface takes, in bytes.
    case binarySize(Int)

    /// Examines the text after `/3/device/`.
    package init(_ raw: String) {
        let text = PercentEncoding.decode(raw) ?? raw
        let plain = text.filter { !"<>{} -".contains($0) }
        let bare = plain.lowercased().hasPrefix("0x") ? String(plain.dropFirst(2)) : plain
        let digits = text.utf8.count { HexDigit.value($0) != nil }
        if Self.placeholders.contains(text.lowercased()) || text.hasPrefix(":") || text.hasPrefix("$") {
            self = .placeholder(text)
        } else if ChannelID(text) != nil {
            self = .channelID
        } else if text.hasPrefix("ExponentPushToken") || text.hasPrefix("ExpoPushToken") {
            self = .expo
        } else if text.lowercased().hasPrefix("http") {
            self = .webPush
        } else if text.contains(":APA91") || text.contains(":") && text.utf8.count > 100 {
            self = .fcm
        } else if text.contains("bytes"), text.contains("0x") {
            self = .dataDescription
        } else if UniqueID.isCanonical(text) {
            self = .uuid
        } else if bare != text, DeviceToken(hex: bare) != nil {
            self = .decorated(hex: bare.lowercased())
        } else if let end = text.firstIndex(where: { $0 == "/" || $0 == "?" || $0 == "#" }),
            DeviceToken(hex: String(text[..<end])) != nil
        {
            self = .trailing(String(text[end...]))
        } else if digits * 4 < text.utf8.count * 3, let bytes = Base64URL.decodeAny(text), bytes.count >= 16 {
            self = .base64(hex: HexDigit.text(of: bytes))
        } else if let wrong = text.enumerated().first(where: { Self.isNotHex($0.element) }) {
            self = .character(wrong.element, at: wrong.offset + 1)
        } else {
            self = .length(text.count, isOdd: text.count % 2 == 1)
        }
    }

    private static let placeholders: Set<String> = [
        "null", "nil", "(null)", "none", "undefined", "nan", "true", "false", "[object object]", "<token>",
        "<device token>", "devicetoken", "device_token", "token", "optional()",
    ]

    private static func isNotHex(_ character: Character) -> Bool {
        character.asciiValue.flatMap(HexDigit.value) == nil
    }
}

extension UniqueID {
    fileprivate static func isCanonical(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { isCanonical(ByteSpan($0), lowerCaseOnly: false) }
    }
}

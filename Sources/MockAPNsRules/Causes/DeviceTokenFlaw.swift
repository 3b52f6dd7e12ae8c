internal import MockAPNsFormats

/// Why a text in the path is not a device token.
package enum DeviceTokenFlaw: Equatable, Sendable {
    /// An ID of a broadcast channel, also without its padding.
    case channelID
    /// A registration token of FCM.
    case fcm
    /// A token of Expo's push service.
    case expo
    /// The address of a Web Push subscription.
    case webPush
    /// What is written in place of a missing value, such as `null`.
    case placeholder(String)
    /// The description of `Data` since iOS 13, `{length = 32, bytes = 0x…}`, which does not contain all bytes.
    case dataDescription
    /// Hex digits with spaces, quotes, brackets, colons, `0x` or the like; with what is left without them.
    case decorated(hex: String)
    /// More than one token.
    case several(Int)
    /// Base64 of the token, or of its hex digits; with the digits.
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
        let bare = Self.bare(text)
        let digits = text.utf8.count { HexDigit.value($0) != nil }
        let several = text.split { Self.separators.contains($0) || $0.isWhitespace }.filter {
            DeviceToken(hex: Self.bare(String($0)))?.bytes.count ?? 0 >= Self.usualSize
        }
        if Placeholder.isOne(text) {
            self = .placeholder(text)
        } else if ChannelID(text) != nil || ChannelID(text + "==") != nil {
            self = .channelID
        } else if text.hasPrefix("ExponentPushToken") || text.hasPrefix("ExpoPushToken") {
            self = .expo
        } else if text.lowercased().hasPrefix("http") {
            self = .webPush
        } else if text.contains(":APA91")
            || text.contains(":") && text.utf8.count > 100 && DeviceToken(hex: bare) == nil
        {
            self = .fcm
        } else if text.contains("bytes"), text.contains("0x") {
            self = .dataDescription
        } else if UniqueID.isCanonical(text) {
            self = .uuid
        } else if several.count > 1 {
            self = .several(several.count)
        } else if bare != text, DeviceToken(hex: bare) != nil {
            self = .decorated(hex: bare.lowercased())
        } else if let end = text.firstIndex(where: { $0 == "/" || $0 == "?" || $0 == "#" }),
            DeviceToken(hex: String(text[..<end])) != nil
        {
            self = .trailing(String(text[end...]))
        } else if digits * 4 < text.utf8.count * 3, let hex = Self.hex(ofBase64: text) {
            self = .base64(hex: hex)
        } else if let wrong = text.enumerated().first(where: { Self.isNotHex($0.element) }) {
            self = .character(wrong.element, at: wrong.offset + 1)
        } else {
            self = .length(text.count, isOdd: text.count % 2 == 1)
        }
    }

    /// The size of tokens of most apps, in bytes.
    private static let usualSize = 32
    private static let separators: Set<Character> = [",", ";", "|", "+"]

    /// The hex digits of a token without what programs put around and between them.
    private static func bare(_ text: String) -> String {
        let plain = Wrapping.inside(text).filter { !"<>{}-:_".contains($0) && !$0.isWhitespace }
        return plain.lowercased().hasPrefix("0x") ? String(plain.dropFirst(2)) : plain
    }

    /// The token in Base64, as hex digits; `nil` if it is none.
    private static func hex(ofBase64 text: String) -> String? {
        guard let bytes = Base64URL.decodeAny(text), bytes.count >= 16 else { return nil }
        let inner = String(decoding: bytes, as: UTF8.self)
        if DeviceToken(hex: inner) != nil { return inner.lowercased() }
        return bytes.count <= DeviceToken.maximumSize ? HexDigit.text(of: bytes) : nil
    }

    private static func isNotHex(_ character: Character) -> Bool { character.asciiValue.flatMap(HexDigit.value) == nil }
}

extension UniqueID {
    /// Whether a text is a UUID with hyphens, in any letter case.
    static func isCanonical(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { isCanonical(ByteSpan($0), lowerCaseOnly: false) }
    }
}

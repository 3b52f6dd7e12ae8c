/// The value of `apns-topic`: a bundle identifier and, for some push types, a suffix.
public struct Topic {
    /// The whole value.
    public let value: ByteSpan

    /// Creates a topic with or without a suffix.
    public init(_ value: ByteSpan) { self.value = value }

    /// The push type of the suffix; `nil` if there is no known suffix.
    public var suffixType: PushType? { PushType.suffixed(value) }

    /// The topic without the suffix.
    public var bundleID: ByteSpan {
        guard let suffixType else { return value }
        return value.prefix(value.count - suffixType.row.topicSuffix.utf8CodeUnitCount)
    }

    /// Returns a topic without the suffix.
    public static func bundleID(of topic: String) -> String {
        var topic = topic
        return topic.withUTF8 { Topic(ByteSpan($0)).bundleID.text }
    }

    /// Returns the push type of a topic's suffix; `nil` if it has none.
    public static func suffixType(of topic: String) -> PushType? {
        var topic = topic
        return topic.withUTF8 { Topic(ByteSpan($0)).suffixType }
    }

    /// Whether the value can be a topic.
    ///
    /// When the real service returns BadTopic is unknown. Inferred: for an empty value, control characters or
    /// spaces, and more than 255 bytes.
    public var isWellFormed: Bool { !value.isEmpty && value.count <= 255 && value.hasOnlyVisible }

    /// Whether the value begins or ends with an angle bracket.
    var hasAngleBracket: Bool {
        guard !value.isEmpty else { return false }
        return value[0] == UInt8(ascii: "<") || value[value.count - 1] == UInt8(ascii: ">")
    }

    /// Whether a byte is a letter, a digit, a hyphen, a dot or an underscore.
    static func isOfBundleID(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_")
    }
}

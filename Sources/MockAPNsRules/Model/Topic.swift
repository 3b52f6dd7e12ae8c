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

    /// Whether the value can be a topic.
    ///
    /// When the real service returns BadTopic is unknown. Inferred: for an empty value, control characters or
    /// spaces, and more than 255 bytes.
    public var isWellFormed: Bool {
        !value.isEmpty && value.count <= 255 && value.hasOnlyVisible
    }
}

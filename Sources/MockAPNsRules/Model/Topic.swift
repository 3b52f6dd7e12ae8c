/// The value of `apns-topic`: a bundle identifier and, for some push types, a suffix.
public struct Topic {
    /// The whole value.
    public let value: ByteSpan

    /// A topic with or without a suffix.
    public init(_ value: ByteSpan) { self.value = value }

    /// The push type that the suffix stands for; `nil` when there is no known suffix.
    public var suffixType: PushType? { PushType.suffixed(value) }

    /// The topic without the suffix.
    public var bundleID: ByteSpan {
        guard let suffixType else { return value }
        return value.prefix(value.count - suffixType.row.topicSuffix.utf8CodeUnitCount)
    }

    /// Whether the value can be a topic at all.
    ///
    /// What makes the real service answer BadTopic is unknown. Inferred: nothing at all, control characters or
    /// spaces, or more than 255 bytes.
    public var isWellFormed: Bool {
        !value.isEmpty && value.count <= 255 && value.hasOnlyVisible
    }
}

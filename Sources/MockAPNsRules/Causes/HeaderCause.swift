/// Why a header is a reason to reject a push.
package enum HeaderCause: Equatable, Sendable {
    case messageID(header: String, seen: String, isUpperCase: Bool)
    case expiration(seen: String, ExpirationFlaw)
    case expirationForChannel(seen: String)
    case priority(seen: String)
    case backgroundPriority(isBinary: Bool)
    case collapseID(bytes: Int, characters: Int)
    case pushType(seen: String, likely: String?)
    case pushTypeForTopic(PushType, topic: String, expected: String)

    case topicMissing(certificate: [String])
    case topicForm(TopicFlaw, seen: String)
    case topicForKey(seen: String, key: String, topics: [String])
    case topicForCertificate(seen: String, topics: [String])
    case typeNeedsToken(PushType)
    case topicInBrackets(seen: String, likely: String?)
}

/// Why `apns-expiration` is not a time.
package enum ExpirationFlaw: Equatable, Sendable {
    case empty
    case negative
    case fraction
    /// A calendar date, such as `2026-01-05T10:00:00Z`.
    case date
    case tooLarge
    case other

    package init(_ value: String) {
        let digits = value.utf8.allSatisfy { $0 &- 0x30 < 10 }
        if value.isEmpty {
            self = .empty
        } else if digits {
            self = .tooLarge
        } else if let number = Double(value) {
            self = number < 0 ? .negative : .fraction
        } else {
            self = value.contains("-") || value.contains(":") ? .date : .other
        }
    }
}

/// Why a topic cannot be one.
package enum TopicFlaw: Equatable, Sendable {
    case empty
    case tooLong(Int)
    /// A space or another character that is not visible, at this position.
    case character(Unicode.Scalar, at: Int)

    /// Examines a topic that is not well-formed; `nil` for one that is.
    package init?(_ value: String) {
        let wrong = value.unicodeScalars.enumerated().first { $0.element.value <= 0x20 || $0.element.value == 0x7f }
        if value.isEmpty {
            self = .empty
        } else if value.utf8.count > 255 {
            self = .tooLong(value.utf8.count)
        } else if let wrong {
            self = .character(wrong.element, at: wrong.offset + 1)
        } else {
            return nil
        }
    }
}

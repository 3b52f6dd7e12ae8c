extension HeaderCause {
    /// What was seen and expected, in one sentence, and how to fix it.
    var texts: (what: String, fix: String) {
        switch self {
        case .messageID(let header, let seen, let isUpperCase):
            isUpperCase
                ? (
                    "The header \(header) is \(Words.quoted(seen)), expected lower case.",
                    "Send it in lower case; --behavior apns-id-case=any accepts both."
                )
                : (
                    "The header \(header) is \(Words.quoted(seen)), expected a UUID: 8-4-4-4-12 hex digits.",
                    "Send a UUID with hyphens and without braces, or leave the header out."
                )
        case .expiration(let seen, let flaw):
            (
                "The header apns-expiration is \(Words.quoted(seen))\(flaw.words), expected a whole number of UNIX seconds, or 0.",
                flaw.fix
            )
        case .expirationForChannel(let seen):
            (
                "The header apns-expiration is \(Words.quoted(seen)), expected 0, because the channel stores no message.",
                "Send 0, or create the channel with \"message-storage-policy\":1."
            )
        case .priority(let seen):
            (
                "The header apns-priority is \(Words.quoted(seen)), expected 10, 5 or 1.",
                "Send 10 to deliver at once, 5 or 1 to save power."
            )
        case .backgroundPriority(isBinary: false):
            (
                "The header apns-priority is 10 on a background push, expected 5 or 1.",
                "Send apns-priority: 5 with push type background."
            )
        case .backgroundPriority(isBinary: true):
            (
                "The frame's priority is 10, but the payload has only content-available, expected 5.",
                "Send priority 5 for a payload without alert, badge and sound."
            )
        case .collapseID(let bytes, let characters):
            (
                "The header apns-collapse-id has \(bytes) bytes (\(characters) characters), expected at most 64.",
                "Shorten it, or send a hash of it; the limit counts bytes of UTF-8."
            )
        case .pushType(let seen, let likely):
            (
                "The header apns-push-type is \(Words.quoted(seen)), expected "
                    + (likely.map { "'\($0)'." } ?? "a documented push type, such as 'alert' or 'background'."),
                "Send the push type in lower case, without spaces."
            )
        case .pushTypeForTopic(let type, let topic, let expected):
            (
                "The push type is \(type.name), but the topic is \(Words.quoted(topic)), expected \(Words.whole(expected)).",
                "Send the topic of the push type, or the push type of the topic."
            )
        case .topicMissing(certificate: []):
            (
                "The request has no apns-topic, expected the app's bundle identifier, with the suffix of its push type.",
                "Set apns-topic; only a certificate for a single topic needs none."
            )
        case .topicMissing(let topics):
            (
                "The request has no apns-topic, and the client's certificate is for several topics: \(Words.list(topics)).",
                "Set apns-topic to one of them."
            )
        case .topicForm(let flaw, let seen):
            (
                "The header apns-topic is \(Words.quoted(seen))\(flaw.words), expected a bundle identifier, with the suffix"
                    + " of its push type.", "Send only the bundle identifier, as Xcode shows it, and the suffix."
            )
        case .topicForKey(let seen, let key, let topics):
            (
                "The topic is \(Words.quoted(seen)), but key \(key) is only for \(Words.list(topics)).",
                "Use a key for this app, or correct apns-topic."
            )
        case .topicForCertificate(let seen, let topics):
            (
                "The topic is \(Words.quoted(seen)), but the client's certificate is only for"
                    + " \(Words.list(topics, else: "no topic")).",
                "Use a certificate for this topic, or correct apns-topic."
            )
        case .typeNeedsToken(let type):
            (
                "The push type is \(type.name) and the client shows a certificate, expected a provider token.",
                "Send \(type.name) pushes with authorization: bearer <provider token>."
            )
        case .topicInBrackets(let seen, let likely):
            (
                "The topic is \(Words.quoted(seen)), in angle brackets, expected a bundle identifier without them.",
                likely.map { "Send apns-topic: \($0)." } ?? "Send the app's bundle identifier."
            )
        }
    }
}

extension ExpirationFlaw {
    fileprivate var words: String {
        switch self {
        case .negative: ", which is negative"
        case .fraction: ", which has a fraction or an exponent"
        case .date: ", which is a date"
        case .tooLarge: ", which is too large"
        case .empty, .other: ""
        }
    }

    fileprivate var fix: String {
        switch self {
        case .empty: "Leave the header out, or send 0 for one attempt."
        case .negative: "Send 0 for one attempt."
        case .fraction: "Round it down to whole seconds."
        case .date: "Convert the date to UNIX seconds."
        case .tooLarge: "Send seconds; at most 19 digits are possible."
        case .other: "Send digits only: 0 for one attempt, or the UNIX second until which to store."
        }
    }
}

extension TopicFlaw {
    fileprivate var words: String {
        switch self {
        case .tooLong(let size): ", which has \(size) bytes of at most 255"
        case .character(" ", let position): ", with a space at character \(position)"
        case .character(let scalar, let position):
            ", with the control character U+\(String(scalar.value, radix: 16, uppercase: true)) at character \(position)"
        case .empty: ""
        }
    }
}

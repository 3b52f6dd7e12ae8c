internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// A device token that does not work any more.
enum FeedbackShape {
    static func json(_ entry: FeedbackEntry) -> JSONValue {
        [
            "token": .string(entry.token.hex),
            "device": JSONValue(entry.label),
            "topic": JSONValue(entry.topic),
            "unregisteredAt": .string(entry.unregisteredAt.rfc3339),
            "cause": .string(entry.cause.rawValue),
            "reported410": JSONValue(entry.reported),
            "lastReportedAt": JSONValue(entry.lastReportedAt?.rfc3339),
            "pushesAfterFirst410": JSONValue(entry.pushesAfterFirstReport),
        ]
    }
}

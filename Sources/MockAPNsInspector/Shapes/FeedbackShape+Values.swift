internal import MockAPNsAPI
internal import MockAPNsRules
internal import MockAPNsWorld

extension APIObject<FeedbackShape> {
    /// An entry of the feedback list.
    init(_ entry: FeedbackEntry) {
        self.init()
        self.cause = entry.cause.rawValue
        self.device = entry.label
        self.lastReportedAt = entry.lastReportedAt?.rfc3339
        self.pushesAfterFirst410 = UInt64(entry.pushesAfterFirstReport)
        self.reported410 = UInt64(entry.reported)
        self.token = entry.token.hex
        self.topic = entry.topic
        self.unregisteredAt = entry.unregisteredAt.rfc3339
    }
}

internal import MockAPNsAPI
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

extension APIObject<DeliveryShape> {
    /// What happened to the notification of a push.
    init(_ facts: PushFacts) {
        let record = facts.record
        let state = record.delivery?.state?.row
        self.init()
        self.detail = state?.detail?.description
        self.device = record.delivery?.deviceLabel
        self.reaction = DeviceReaction(facts).map(APIObject<ReactionShape>.init)
        self.state = state?.state?.description ?? PushQuery.notAttempted
        self.status = state?.status?.description
        self.timeline =
            [.received(record), .responded(record)]
            + (record.delivery?.steps ?? []).map(APIObject<DeliveryShape.Step>.init)
    }
}

extension APIObject<DeliveryShape.Step> {
    /// The arrival of a push.
    fileprivate static func received(_ record: PushRecord) -> Self {
        Self {
            $0.at = record.clockTime.rfc3339
            $0.detail = nil
            $0.event = "received"
            $0.seq = record.seq
        }
    }

    /// The response to a push.
    fileprivate static func responded(_ record: PushRecord) -> Self {
        Self {
            $0.at = record.answeredAt.rfc3339
            $0.detail = record.verdict.reason?.name
            $0.event = "responded"
            $0.seq = record.answeredSeq
            $0.status = Int(record.answer.status)
        }
    }

    /// A later event.
    fileprivate init(_ step: Delivery.Step) {
        self.init()
        self.at = step.at.rfc3339
        self.detail = step.event.row.detail?.description
        self.event = step.event.row.event.description
        self.seq = step.seq
    }
}

/// What iOS did with a notification when it reached the device.
struct DeviceReaction {
    let appState: AppState
    /// The row of the world's table.
    let reaction: Reaction

    /// `nil` for a notification that has not reached a device.
    init?(_ facts: PushFacts) {
        guard let delivery = facts.record.delivery, let appState = delivery.appState else { return nil }
        self.appState = appState
        reaction = Reaction.of(
            facts.deliveredType,
            traits: Reaction.Traits(aps: facts.aps),
            appState: appState,
            allowsNotifications: delivery.allowsNotifications
        )
    }
}

extension APIObject<ReactionShape> {
    /// The reaction of a device.
    init(_ shown: DeviceReaction) {
        self.init()
        self.appState = shown.appState.name
        self.callbacks = shown.reaction.callbacks.map(\.rawValue)
        self.presentation = shown.reaction.presentation.rawValue
        self.summary = shown.reaction.summary
    }
}

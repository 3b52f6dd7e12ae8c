internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

extension APIObject<DeliveryShape> {
    init(_ facts: PushFacts) {
        let record = facts.record
        let state = record.delivery?.state?.row
        self.init()
        self.detail = state?.detail?.description
        self.device = record.delivery?.deviceLabel
        self.fanOut = record.delivery?.fanOut.map(APIObject<FanOutShape>.init)
        self.reaction = DeviceReaction(facts).map(APIObject<ReactionShape>.init)
        self.state = state?.state?.description ?? PushQuery.notAttempted
        let isReceived = record.service == .push && record.answer.status == 200
        self.status = (record.delivery?.status ?? (isReceived ? DeliveryEvent.receivedStatus : nil))?.description
        self.timeline =
            [
                APIObject<DeliveryShape.Step> {
                    $0.at = record.clockTime.rfc3339
                    $0.detail = nil
                    $0.event = "received"
                    $0.seq = record.seq
                },
                APIObject<DeliveryShape.Step> {
                    $0.at = record.answeredAt.rfc3339
                    $0.detail = record.verdict.reason?.name
                    $0.event = "responded"
                    $0.seq = record.answeredSeq
                    $0.status = Int(record.answer.status)
                },
            ]
            + (record.delivery?.steps ?? []).map { step in
                APIObject<DeliveryShape.Step> {
                    $0.at = step.at.rfc3339
                    $0.detail = step.event.row.detail?.description
                    $0.event = step.event.row.event.description
                    $0.seq = step.seq
                }
            }
    }
}

/// What iOS did with a notification when it reached the device.
struct DeviceReaction {
    let appState: AppState
    let reaction: Reaction

    /// `nil` for a notification that has not reached a device.
    init?(_ facts: PushFacts) {
        guard let delivery = facts.record.delivery, let appState = delivery.appState else { return nil }
        self.appState = appState
        reaction = Reaction.of(facts.reading, appState: appState, allowsNotifications: delivery.allowsNotifications)
    }
}

extension APIObject<ReactionShape> {
    init(_ shown: DeviceReaction) {
        self.init()
        self.appState = shown.appState.rawValue
        self.callbacks = shown.reaction.callbacks.map(\.rawValue)
        self.presentation = shown.reaction.presentation.rawValue
        self.summary = shown.reaction.summary
    }
}

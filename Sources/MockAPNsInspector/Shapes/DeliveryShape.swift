internal import MockAPNsRules
internal import MockAPNsWorld

/// What became of a push behind its answer: the way of the notification to the app.
struct DeliveryShape {
    private let facts: PushFacts
    private let record: PushRecord

    init(_ facts: PushFacts) {
        self.facts = facts
        record = facts.record
    }

    var json: JSONValue {
        let state = record.delivery?.state?.row
        return [
            "state": .string(state?.state?.description ?? PushQuery.notAttempted),
            "status": JSONValue(state?.status?.description),
            "detail": JSONValue(state?.detail?.description),
            "device": JSONValue(record.delivery?.deviceLabel),
            "timeline": .array(ownSteps + (record.delivery?.steps ?? []).map(Self.step)),
            "reaction": ReactionShape(facts)?.json ?? .null,
        ]
    }

    /// The arrival of the push and its answer.
    private var ownSteps: [JSONValue] {
        [
            [
                "seq": JSONValue(record.seq), "at": .string(record.clockTime.rfc3339), "event": "received",
                "detail": .null,
            ],
            [
                "seq": JSONValue(record.answeredSeq), "at": .string(record.answeredAt.rfc3339),
                "event": "responded",
                "status": JSONValue(Int(record.answer.status)),
                "detail": JSONValue(record.verdict.reason?.name),
            ],
        ]
    }

    private static func step(_ step: Delivery.Step) -> JSONValue {
        [
            "seq": JSONValue(step.seq),
            "at": .string(step.at.rfc3339),
            "event": .string(step.event.row.event.description),
            "detail": JSONValue(step.event.row.detail?.description),
        ]
    }
}

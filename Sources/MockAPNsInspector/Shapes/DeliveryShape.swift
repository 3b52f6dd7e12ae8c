internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// What became of a push behind its answer: the way of the notification to the app.
struct DeliveryShape {
    private let facts: PushFacts

    init(_ facts: PushFacts) { self.facts = facts }

    private var record: PushRecord { facts.record }

    /// Writes the delivery.
    func write(to writer: inout JSONWriter) {
        let state = record.delivery?.state?.row
        writer.object { delivery in
            delivery.member("detail", state?.detail?.description)
            delivery.member("device", record.delivery?.deviceLabel)
            if let reaction = ReactionShape(facts) {
                delivery.name("reaction")
                reaction.write(to: &delivery)
            } else {
                delivery.member("reaction", JSONValue.null)
            }
            delivery.member("state", state?.state?.description ?? PushQuery.notAttempted)
            delivery.member("status", state?.status?.description)
            delivery.name("timeline")
            delivery.array(record.delivery?.steps ?? [], before: writeOwnSteps) { Self.write($1, to: &$0) }
        }
    }

    /// The arrival of the push and its answer.
    private func writeOwnSteps(to timeline: inout JSONWriter) {
        timeline.object { step in
            step.member("at", record.clockTime.rfc3339)
            step.member("detail", nil as String?)
            step.member("event", "received")
            step.member("seq", record.seq)
        }
        timeline.object { step in
            step.member("at", record.answeredAt.rfc3339)
            step.member("detail", record.verdict.reason?.name)
            step.member("event", "responded")
            step.member("seq", record.answeredSeq)
            step.member("status", record.answer.status)
        }
    }

    private static func write(_ step: Delivery.Step, to timeline: inout JSONWriter) {
        timeline.object { shown in
            shown.member("at", step.at.rfc3339)
            shown.member("detail", step.event.row.detail?.description)
            shown.member("event", step.event.row.event.description)
            shown.member("seq", step.seq)
        }
    }
}

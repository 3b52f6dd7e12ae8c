internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// What Notification Center of a device would show now.
struct InboxShape {
    private let device: Device
    private let arrived: [PushRecord]
    private let subject: InspectedServer

    /// - Parameters:
    ///   - device: the device.
    ///   - arrived: what reached the device, in that order, without what was replaced.
    ///   - subject: where that is.
    init(_ device: Device, arrived: [PushRecord], in subject: InspectedServer) {
        self.device = device
        self.arrived = arrived
        self.subject = subject
    }

    /// The notifications, newest first.
    var shown: [PushFacts] {
        var shown: [PushFacts] = []
        visit { facts, reaction in if reaction.reaction.presentation == .banner { shown.append(facts) } }
        return shown
    }

    /// Calls `use` for everything that reached apps that are still there, newest first.
    private func visit(_ use: (PushFacts, ReactionShape) -> Void) {
        // With an app, its notifications go.
        let gone = Set(device.registrations.filter { $0.state == .uninstalled }.map(\.token))
        for record in arrived.reversed() {
            let facts = PushFacts(record)
            guard facts.token.map({ !gone.contains($0) }) ?? true, let reaction = ReactionShape(facts) else {
                continue
            }
            use(facts, reaction)
        }
    }

    var json: JSONValue {
        var shown: [JSONValue] = []
        var leftToApp = 0
        visit { facts, reaction in
            switch reaction.reaction.presentation {
            case .banner: shown.append(notification(facts, reaction))
            case .none where reaction.reaction.callbacks.contains(.willPresent): leftToApp += 1
            default: break
            }
        }
        let extent = subject.journal.extent
        return [
            "device": .string(DeviceReferenceText.text(device.id)),
            "label": JSONValue(device.label),
            "badge": Badges(arrived).sum,
            "notifications": .array(shown),
            "journal": JournalShape.json(extent),
            "note": JSONValue(note(leftToApp, extent)),
        ]
    }

    private func notification(_ facts: PushFacts, _ reaction: ReactionShape) -> JSONValue {
        let record = facts.record
        let arrival = record.delivery?.steps.first {
            $0.event == .delivered || $0.event == .deliveredFromStorage
        }
        let alert = AlertText(facts.aps?["alert"])
        return [
            "push": .string(PushID(epoch: record.epoch, seq: record.seq).text),
            "seq": JSONValue(record.seq),
            "deliveredAt": JSONValue(arrival?.at.rfc3339),
            "topic": JSONValue(record.request[.apnsTopic]),
            "collapseId": JSONValue(record.request[.apnsCollapseID]),
            "threadId": text(facts.aps?["thread-id"]),
            "title": JSONValue(alert.title),
            "subtitle": JSONValue(alert.subtitle),
            "body": JSONValue(alert.body),
            "badge": badge(facts),
            "sound": text(facts.aps?["sound"]?["name"] ?? facts.aps?["sound"]),
            "interruptionLevel": text(facts.aps?["interruption-level"]),
            "reaction": reaction.json,
        ]
    }

    private func badge(_ facts: PushFacts) -> JSONValue {
        guard case .integer(let number)? = facts.aps?["badge"] else { return .null }
        return .integer(number)
    }

    private func text(_ value: JSONValue?) -> JSONValue {
        guard case .string? = value else { return .null }
        return value ?? .null
    }

    private func note(_ leftToApp: Int, _ extent: Journal.Extent) -> String? {
        var sentences: [String] = []
        if leftToApp > 0 {
            let alerts = leftToApp == 1 ? "1 alert" : "\(leftToApp) alerts"
            sentences.append(
                "Not shown: \(alerts) that came while the app was in the foreground, where the app decides."
            )
        }
        if extent.evicted > 0 {
            let pushes = extent.evicted == 1 ? "1 push" : "\(extent.evicted) pushes"
            sentences.append(
                "The journal dropped \(pushes) to make room; what was shown of that is missing."
                    + " --max-pushes and --max-bytes keep more."
            )
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }
}

internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// What the row of a `PushKind` says about a single push.
enum KindLints {
    static func productionOnly(_ push: Candidate, _ notes: inout LintNotes) {
        guard push.outline.environment == .sandbox, push.type != nil, push.reading.kind.row.isProductionOnly,
            let special = push.reading.special
        else { return }
        notes.add(.apnsTopic, "\(special.row.push) is in the sandbox; only production has such pushes")
    }

    static func expiration(_ push: Candidate, _ notes: inout LintNotes) {
        guard let type = push.type, push.reading.special == nil, let given = push.header(.apnsExpiration) else {
            return
        }
        switch push.reading.kind.row.expiration {
        case .any: return
        case .omitted(let reason):
            let message = "apns-expiration is '\(JSONValue.shortened(given))' in a push of type \(type.name); \(reason)"
            notes.add(.apnsExpiration, message)
        case .once(let reason):
            guard let seconds = push.expiration, seconds != 0 else { return }
            let message =
                "apns-expiration is \(seconds) in a push of type \(type.name), which is then stored; \(reason)"
            notes.add(.apnsExpiration, message, fix: "Send apns-expiration: 0.")
        }
    }

    static func serviceExtension(_ push: Candidate, _ notes: inout LintNotes) {
        let reading = push.reading
        // Without a text there is a warning that says more.
        guard reading.special == nil, reading.isContentMutable, reading.alert.hasText, let type = push.type else {
            return
        }
        if type != .alert {
            notes.add(
                ["aps", "mutable-content"],
                "mutable-content is in a push of type \(type.name); the service extension runs for push type alert",
                fix: "Send apns-push-type: alert, or omit mutable-content.")
        } else if !reading.isAlertObject {
            notes.add(
                ["aps", "alert"],
                "alert is a string and mutable-content is set; an object is documented for the service extension",
                fix: "Send {\"aps\":{\"alert\":{\"body\":…},\"mutable-content\":1}}.")
        }
    }
}

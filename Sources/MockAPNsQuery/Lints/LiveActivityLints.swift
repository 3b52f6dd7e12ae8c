internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// What the reading of a Live Activity's push found.
enum LiveActivityLints {
    /// Documented: ActivityKit, "Displaying live data with Live Activities".
    private static let mostBytes = 4_096

    static func shape(_ push: Candidate, _ notes: inout LintNotes) { notes.add(push.reading.activity?.faults ?? []) }

    static func alert(_ push: Candidate, _ notes: inout LintNotes) {
        notes.add(push.reading.activity?.alertProblems ?? [])
    }

    static func dates(_ push: Candidate, _ notes: inout LintNotes) {
        notes.add(push.reading.activity?.dateProblems ?? [])
    }

    static func members(_ push: Candidate, _ notes: inout LintNotes) {
        notes.add(push.reading.activity?.memberProblems ?? [])
        ofAnotherType(push, &notes)
    }

    /// A payload of a Live Activity that was sent as a notification.
    private static func ofAnotherType(_ push: Candidate, _ notes: inout LintNotes) {
        guard let type = push.type, type == .alert || type == .background, push.reading.special == nil,
            let aps = push.aps, aps["content-state"]?.isObject == true,
            aps["event"]?.string.flatMap({ ActivityReading.Event(rawValue: $0) }) != nil
        else { return }
        let bundleID = Topic.bundleID(of: push.topic ?? "")
        let suffix = PushType.liveactivity.row.topicSuffix
        notes.add(
            ["aps", "event"], "event and content-state are for a Live Activity, and the push type is \(type.name)",
            fix: "Send apns-push-type: liveactivity and apns-topic: \(bundleID)\(suffix).")
    }

    static func large(_ push: Candidate, _ notes: inout LintNotes) {
        let size = push.request.bodyLength
        guard push.isBroadcast, size > mostBytes, size <= push.request.payloadLimit else { return }
        notes.add([], "the payload has \(size) bytes; a Live Activity has at most \(mostBytes) bytes of data")
    }
}

/// Pushes to topics that do not belong to an app.
enum SpecialTopicLints {
    static func shape(_ push: Candidate, _ notes: inout LintNotes) {
        notes.add(push.reading.specialProblems)
        if let special = push.reading.special { certificate(special, push, &notes) }
        guard push.type == .mdm else { return }
        // Documented: the type is that of the content, and such a push has no other content.
        if push.reading.special == .deviceManagement, let type = push.header(.apnsPushType), type != "mdm" {
            notes.add(
                .apnsPushType, "apns-push-type is '\(JSONValue.shortened(type))', and the topic is one of MDM",
                fix: "Send apns-push-type: mdm.")
        }
        if push.reading.special != .deviceManagement, let topic = push.topic, !topic.isEmpty {
            let prefix = SpecialTopic.deviceManagement.row.prefix
            notes.add(
                .apnsTopic, "the topic '\(JSONValue.shortened(topic))' is not one of MDM, which begin with \(prefix)",
                fix: "Send the UID of the subject of the MDM push certificate as apns-topic.")
        }
        if push.reading.special != .deviceManagement { certificate(.deviceManagement, push, &notes) }
    }

    private static func certificate(_ special: SpecialTopic, _ push: Candidate, _ notes: inout LintNotes) {
        guard push.request[.authorization] != nil, push.outline.certificate.isEmpty else { return }
        let row = special.row
        let message = "\(row.push) has a provider token; \(row.certificate) is expected"
        notes.add(.authorization, message, fix: "Connect with \(row.certificate) instead.")
    }
}

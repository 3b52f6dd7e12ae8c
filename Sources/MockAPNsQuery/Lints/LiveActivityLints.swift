internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// What the reading of a Live Activity's push found.
enum LiveActivityLints {
    /// Documented: ActivityKit, "Displaying live data with Live Activities".
    private static let mostBytes = 4_096

    static func shape(_ push: Candidate, _ notes: inout LintNotes) {
        notes.add(push.reading.activity?.faults ?? [])
    }

    static func alert(_ push: Candidate, _ notes: inout LintNotes) {
        notes.add(push.reading.activity?.alertProblems ?? [])
    }

    static func dates(_ push: Candidate, _ notes: inout LintNotes) {
        notes.add(push.reading.activity?.dateProblems ?? [])
    }

    static func members(_ push: Candidate, _ notes: inout LintNotes) {
        notes.add(push.reading.activity?.memberProblems ?? [])
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
        guard push.type == .mdm else { return }
        if push.reading.special != .deviceManagement, let topic = push.topic, !topic.isEmpty {
            let prefix = SpecialTopic.deviceManagement.row.prefix
            notes.add(
                .apnsTopic,
                "the topic '\(JSONValue.shortened(topic))' is not one of MDM, which begin with \(prefix)",
                fix: "Send the UID of the subject of the MDM push certificate as apns-topic."
            )
        }
        if push.request[.authorization] != nil, push.outline.certificate.isEmpty {
            let message = "an MDM push has a provider token; the MDM push certificate is expected"
            notes.add(.authorization, message, fix: "Connect with the MDM push certificate instead.")
        }
    }
}

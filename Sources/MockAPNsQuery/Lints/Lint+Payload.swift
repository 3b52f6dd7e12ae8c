extension Lint.Row {
    static let nonUTF8 = Lint.Row(
        .error,
        "The body is not UTF-8.",
        why: "Accepted, and nothing appears on the device.",
        fix: "Send JSON in UTF-8, not compressed.",
        source: LintSource.payload,
        .push(PayloadLints.nonUTF8)
    )

    static let payloadNotJSON = Lint.Row(
        .error,
        "The body is not JSON.",
        why:
            "Accepted with 200, and nothing appears on the device: the commonest reason for a push"
            + " that is missing.",
        fix: "Make the payload with a JSON encoder, never by putting texts together.",
        source: "observed: rpush/rpush#113, node-apn/node-apn#344",
        .push(PayloadLints.notJSON)
    )

    static let payloadNearLimit = Lint.Row(
        .info,
        "The payload has 90 percent of the largest size, or more.",
        why:
            "A longer name or another language may bring it over the limit, where APNs answers"
            + " PayloadTooLarge.",
        fix: "Leave room for the longest texts, and let the app fetch the rest.",
        source: LintSource.payload,
        .push(PayloadLints.nearLimit)
    )

    static let apsMissing = Lint.Row(
        .error,
        "The payload has no aps dictionary.",
        why: "Accepted with 200, and nothing appears on the device.",
        fix: "Put what is for the system into an object named aps.",
        source: LintSource.payload,
        .push(PayloadLints.apsMissing)
    )

    static let apsUnknownKey = Lint.Row(
        .warning,
        "A key looks like one that Apple documents, and is none.",
        why: "It is ignored.",
        fix: "Write the key as Apple does.",
        source: LintSource.payload,
        .push(AlertLints.unknownKey)
    )

    static let customKeyInsideAPS = Lint.Row(
        .warning,
        "A key of the app's own stands inside aps.",
        why: "iOS ignores it there.",
        fix: "Put keys of your own beside aps, not into it.",
        source: LintSource.payload,
        .push(AlertLints.customKey)
    )

    static let backgroundWithAlert = Lint.Row(
        .error,
        "A background push has an alert, a badge or a sound.",
        why: "It may be refused, delayed or dropped; at best nothing is shown.",
        fix: "Send it as apns-push-type: alert, or leave alert, badge and sound out.",
        source: LintSource.background,
        .push(AlertLints.backgroundWithAlert)
    )

    static let backgroundWithoutContentAvailable = Lint.Row(
        .error,
        "A background push has no content-available: 1.",
        why: "The app is not woken, and nothing is shown.",
        fix: "Send {\"aps\":{\"content-available\":1}}.",
        source: LintSource.background,
        .push(AlertLints.backgroundWithoutContentAvailable)
    )

    static let alertWithoutText = Lint.Row(
        .warning,
        "An alert has nothing to read.",
        why: "Nothing is shown, or an empty notification.",
        fix: "Give alert a title or a body, or a loc-key for one.",
        source: LintSource.payload,
        .push(AlertLints.withoutText)
    )

    static let contentAvailableInAlert = Lint.Row(
        .info,
        "An alert has content-available as well.",
        why:
            "It stays an alert with apns-push-type: alert. Waking the app is a favour that iOS"
            + " limits, and does not do for apps that were ended by the user.",
        fix: "Send two pushes where the app must be woken and the user told.",
        source: LintSource.background,
        .push(AlertLints.contentAvailable)
    )

    static let mutableContentWithoutAlert = Lint.Row(
        .warning,
        "mutable-content is set, and there is no alert with a text.",
        why: "The service extension runs only for pushes that show an alert.",
        fix: "Give it an alert, or leave mutable-content out.",
        source: "documented: Apple, Modifying content in newly delivered notifications",
        .push(AlertLints.mutableContent)
    )

    static let badgeNotInteger = Lint.Row(
        .warning,
        "badge is no whole number of at least 0.",
        why: "The number on the icon does not change.",
        fix: "Send a JSON number; 0 removes it.",
        source: LintSource.payload,
        .push(PayloadLints.badge)
    )

    static let soundShape = Lint.Row(
        .warning,
        "sound is not what it may be.",
        why: "The sound is not played, or another one.",
        fix: "Send the name of a sound, or {\"critical\":1,\"name\":\"default\",\"volume\":1.0}.",
        source: LintSource.payload,
        .push(PayloadLints.sound)
    )

    static let interruptionLevelUnknown = Lint.Row(
        .warning,
        "interruption-level is none of the four.",
        why: "It counts as active.",
        fix: "Send passive, active, time-sensitive or critical.",
        source: LintSource.payload,
        .push(PayloadLints.interruptionLevel)
    )

    static let relevanceScoreRange = Lint.Row(
        .warning,
        "relevance-score is no number from 0 to 1.",
        why: "It does not order the summary. For Live Activities any number will do.",
        fix: "Send a number from 0 to 1.",
        source: LintSource.payload,
        .push(PayloadLints.relevanceScore)
    )

    static let locArgsNotArray = Lint.Row(
        .warning,
        "loc-args, or one of its siblings, is no array of strings.",
        why: "The text is shown without what should stand in it, or not at all.",
        fix: "Send an array of strings; turn numbers into strings.",
        source: LintSource.payload,
        .push(AlertLints.arguments)
    )

    static let liveActivityShape = Lint.Row(
        .error,
        "A push to a Live Activity lacks a member, or has one of another kind.",
        why: "The activity ignores it, though the answer is 200.",
        fix:
            "Send timestamp, event and content-state; with event start also attributes-type,"
            + " attributes and alert.",
        source: LintSource.activity,
        .push(LiveActivityLints.shape)
    )
}

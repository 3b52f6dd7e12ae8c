extension Lint {
    package var row: Row { Self.rows[self]! }

    private static let rows = Dictionary(uniqueKeysWithValues: allCases.map { ($0, row(of: $0)) })

    /// Creates the row of a lint; a case without one does not compile.
    private static func row(of lint: Lint) -> Row {
        switch lint {
        case .pushTypeMissing:
            Row(
                .warning,
                "apns-push-type is missing.",
                why:
                    "Documented: watchOS 6 and later may reject, delay or drop such a push. Claimed by"
                    + " several clients: iOS 13 and later drops background pushes without it, although APNs"
                    + " responds 200.",
                fix: "Send apns-push-type.",
                source: LintSource.headers,
                HeaderLints.pushTypeMissing
            )
        case .pushTypeTopicSuffix:
            Row(
                .error,
                "apns-push-type does not match the suffix of apns-topic.",
                why: "InvalidPushType or DeviceTokenNotForTopic: each type has its own tokens and topic.",
                fix: "Send the bundle identifier with the suffix of the push type, and nothing else.",
                source: LintSource.headers,
                HeaderLints.topicSuffix
            )
        case .priority10Background:
            Row(
                .error,
                "A background push has apns-priority 10.",
                why: "Documented as an error: the device's power state decides when it arrives.",
                fix: "Send apns-priority: 5.",
                source: LintSource.headers,
                HeaderLints.priority10Background
            )
        case .expirationMilliseconds:
            Row(
                .error,
                "apns-expiration is in milliseconds.",
                why: "In seconds it is thousands of years ahead, so the push is stored for 30 days.",
                fix: "Send UNIX seconds: divide by 1000.",
                source: LintSource.headers,
                HeaderLints.expirationMilliseconds
            )
        case .expirationInPast:
            Row(
                .warning,
                "apns-expiration is in the past.",
                why: "Accepted, but never stored: an offline device does not receive it.",
                fix: "Send a future time, or 0 for a single attempt.",
                source: "observed: https://developer.apple.com/forums/thread/708937",
                HeaderLints.expirationInPast
            )
        case .collapseIDLong:
            Row(
                .error,
                "apns-collapse-id is longer than 64 bytes.",
                why: "APNs responds BadCollapseId.",
                fix: "Send at most 64 bytes, such as a hash of a longer name.",
                source: LintSource.headers,
                HeaderLints.collapseIDLong
            )
        case .apnsIDNotUUID:
            Row(
                .error,
                "apns-id is not a canonical UUID.",
                why: "APNs responds BadMessageId.",
                fix: "Send a UUID such as 123e4567-e89b-42d3-a456-426614174000, or omit apns-id.",
                source: LintSource.headers,
                HeaderLints.apnsIDNotUUID
            )
        case .tokenUppercaseOrSpaces:
            Row(
                .warning,
                "The device token in the path has capital letters, spaces or brackets.",
                why: "Often the printed form. Capitals seem to be accepted; anything else is BadDeviceToken.",
                fix: "Send the token's bytes as lowercase hexadecimal digits, without separators.",
                source: "inferred: letter case is not documented; observed: other characters are rejected",
                HeaderLints.token
            )
        case .issuedAtNotANumber:
            Row(
                .warning,
                "The claim iat of the provider token is not a number.",
                why: "A string of digits seems to be accepted; anything else is InvalidProviderToken.",
                fix: "Send iat as a JSON number of UNIX seconds.",
                source: LintSource.tokens,
                HeaderLints.issuedAt
            )
        case .tokenNearExpiry:
            Row(
                .info,
                "The provider token is older than 55 minutes.",
                why: "After 60 minutes APNs responds ExpiredProviderToken, and clocks differ.",
                fix: "Renew it every 20 to 60 minutes, for example every 40.",
                source: LintSource.tokens,
                HeaderLints.tokenNearExpiry
            )
        case .nonUTF8:
            Row(
                .error,
                "The body is not UTF-8.",
                why: "Accepted, but nothing appears on the device.",
                fix: "Send JSON in UTF-8, uncompressed.",
                source: LintSource.payload,
                PayloadLints.nonUTF8
            )
        case .payloadNotJSON:
            Row(
                .error,
                "The body is not JSON.",
                why: "Accepted with 200, but nothing appears: the usual cause of a missing notification.",
                fix: "Create the payload with a JSON encoder; don't concatenate strings.",
                source: "observed: rpush/rpush#113, node-apn/node-apn#344",
                PayloadLints.notJSON
            )
        case .payloadNearLimit:
            Row(
                .info,
                "The payload has at least 90 percent of the maximum size.",
                why: "A longer text may exceed the limit, and APNs then responds PayloadTooLarge.",
                fix: "Leave room for the longest texts, and let the app fetch the rest.",
                source: LintSource.payload,
                PayloadLints.nearLimit
            )
        case .apsMissing:
            Row(
                .error,
                "The payload has no aps dictionary.",
                why: "Accepted with 200, but nothing appears on the device.",
                fix: "Put the keys for the system into an object named aps.",
                source: LintSource.payload,
                PayloadLints.apsMissing
            )
        case .apsUnknownKey:
            Row(
                .warning,
                "Unknown key in `aps`; possible typo.",
                why: "It is ignored.",
                fix: "Use the documented spelling.",
                source: LintSource.payload,
                AlertLints.unknownKey
            )
        case .customKeyInsideAPS:
            Row(
                .warning,
                "A custom key is inside aps.",
                why: "iOS ignores it there.",
                fix: "Put custom keys beside aps.",
                source: LintSource.payload,
                AlertLints.customKey
            )
        case .backgroundWithAlert:
            Row(
                .error,
                "A background push has an alert, a badge or a sound.",
                why: "It may be rejected, delayed or dropped; at best nothing is shown.",
                fix: "Send it as apns-push-type: alert, or omit alert, badge and sound.",
                source: LintSource.background,
                AlertLints.backgroundWithAlert
            )
        case .backgroundWithoutContentAvailable:
            Row(
                .error,
                "A background push has no content-available: 1.",
                why: "The app is not woken, and nothing is shown.",
                fix: "Send {\"aps\":{\"content-available\":1}}.",
                source: LintSource.background,
                AlertLints.backgroundWithoutContentAvailable
            )
        case .alertWithoutText:
            Row(
                .warning,
                "An alert has no text.",
                why: "Nothing is shown, or an empty notification.",
                fix: "Add a title or a body, or a loc-key for one.",
                source: LintSource.payload,
                AlertLints.withoutText
            )
        case .contentAvailableInAlert:
            Row(
                .info,
                "An alert also has content-available.",
                why:
                    "It remains an alert with apns-push-type: alert. iOS limits how often it wakes the"
                    + " app, and does not wake apps that the user has ended.",
                fix: "Send two pushes if the app must be woken and the user informed.",
                source: LintSource.background,
                AlertLints.contentAvailable
            )
        case .mutableContentWithoutAlert:
            Row(
                .warning,
                "mutable-content is set without an alert text.",
                why: "The service extension runs only for pushes that show an alert.",
                fix: "Add an alert, or omit mutable-content.",
                source: "documented: Apple, Modifying content in newly delivered notifications",
                AlertLints.mutableContent
            )
        case .badgeNotInteger:
            Row(
                .warning,
                "`badge` is not a whole number of at least 0.",
                why: "The badge does not change.",
                fix: "Send a JSON number; 0 removes the badge.",
                source: LintSource.payload,
                PayloadLints.badge
            )
        case .soundShape:
            Row(
                .warning,
                "`sound` has an invalid type or value.",
                why: "The sound is not played, or another one is.",
                fix: "Send the name of a sound, or {\"critical\":1,\"name\":\"default\",\"volume\":1.0}.",
                source: LintSource.payload,
                PayloadLints.sound
            )
        case .interruptionLevelUnknown:
            Row(
                .warning,
                "`interruption-level` is not one of the four levels.",
                why: "It is treated as active.",
                fix: "Send passive, active, time-sensitive or critical.",
                source: LintSource.payload,
                PayloadLints.interruptionLevel
            )
        case .relevanceScoreRange:
            Row(
                .warning,
                "`relevance-score` is not a number from 0 to 1.",
                why: "It does not order the summary. For Live Activities any number is valid.",
                fix: "Send a number from 0 to 1.",
                source: LintSource.payload,
                PayloadLints.relevanceScore
            )
        case .locArgsNotArray:
            Row(
                .warning,
                "loc-args, or a similar key, is not an array of strings.",
                why: "The text is shown without the arguments, or not at all.",
                fix: "Send an array of strings; convert numbers to strings.",
                source: LintSource.payload,
                AlertLints.arguments
            )
        case .liveActivityShape:
            Row(
                .error,
                "A push to a Live Activity has a missing or invalid key.",
                why: "The activity ignores it, although APNs responds 200.",
                fix:
                    "Send timestamp, event and content-state; with event start also attributes-type,"
                    + " attributes and alert.",
                source: LintSource.activity,
                LiveActivityLints.shape
            )
        case .apnsIDReused:
            Row(
                .warning,
                "The same apns-id was used by another push, or by one that was accepted.",
                why: "The id identifies a push; two pushes with one id cannot be told apart.",
                fix: "Create an id for each push; reuse it only to retry a push that was not accepted.",
                source: LintSource.headers
            )
        case .samePushTwice:
            Row(
                .info,
                "The same push was sent less than a minute before, and both were accepted.",
                why: "The user may see it twice; a late response is often mistaken for a failure.",
                fix: "Wait for the response and retry only failed pushes; a collapse id merges duplicates.",
                source: "inferred"
            )
        case .pushToDeadToken:
            Row(
                .warning,
                "A push was sent to a device token after a 410 response.",
                why: "Documented: stop pushing to it. Continuing may count against the provider.",
                fix: "Delete tokens after a 410, unless the app registered again after the timestamp.",
                source: LintSource.answers
            )
        case .retryTooFastAfter429:
            Row(
                .warning,
                "A push was retried less than a second after a 429 response.",
                why: "Documented: retry with a delay. Inferred: less than a second makes no difference.",
                fix: "Wait a second, and double the delay each time.",
                source: "documented without a time: Apple, Handling notification responses from APNs"
            )
        case .retryTooFastAfter503:
            Row(
                .warning,
                "A push was retried less than 15 minutes after a 503 response.",
                why: "Documented: retry after 15 minutes, then with increasing delays.",
                fix: "Wait 15 minutes, and double the delay each time.",
                source: LintSource.answers
            )
        case .tokenRefreshedTooOften:
            Row(
                .warning,
                "A connection has a new provider token of the same key after less than 20 minutes.",
                why:
                    "Documented: APNs responds TooManyProviderTokenUpdates when the token of a connection"
                    + " changes more often than every 20 minutes.",
                fix: "Keep a token for 20 to 60 minutes, and share it among all senders on the connection.",
                source: LintSource.tokens
            )
        case .connectionPerPush:
            Row(
                .warning,
                "The fifth connection in a row that was opened for one push and closed.",
                why: "APNs may treat this as an attack; each connection costs a TLS handshake.",
                fix: "Keep connections open and send many pushes on each.",
                source: LintSource.connection
            )
        case .manyConnections:
            Row(
                .info,
                "More than 20 connections are open.",
                why:
                    "One connection carries a thousand pushes at a time, so most providers need only a"
                    + " few. The limit is inferred: Apple names no number.",
                fix: "Send more pushes on fewer connections.",
                source: "inferred"
            )
        }
    }
}

/// The sources of the rows, and whether they are documented.
enum LintSource {
    static let headers = "documented: Apple, Sending notification requests to APNs"
    static let payload = "documented: Apple, Generating a remote notification"
    static let background = "documented: Apple, Pushing background updates to your App"
    static let activity =
        "documented: Apple, Starting and updating Live Activities with ActivityKit push notifications"
    static let tokens = "documented: Apple, Establishing a token-based connection to APNs"
    static let connection = "documented: Apple, Establishing a connection to APNs"
    static let answers = "documented: Apple, Handling notification responses from APNs"
}

extension Lint {
    package var row: Row { Self.rows[self]! }

    package var severity: Severity {
        switch self {
        case .pushTypeTopicSuffix, .priority10Background, .expirationMilliseconds, .collapseIDLong,
            .apnsIDNotUUID, .nonUTF8, .payloadNotJSON, .apsMissing, .backgroundWithAlert,
            .backgroundWithoutContentAvailable, .liveActivityShape:
            .error
        case .pushTypeMissing, .expirationInPast, .tokenUppercaseOrSpaces, .issuedAtNotANumber,
            .apsUnknownKey, .customKeyInsideAPS, .alertWithoutText, .mutableContentWithoutAlert,
            .badgeNotInteger, .soundShape, .interruptionLevelUnknown, .relevanceScoreRange,
            .locArgsNotArray, .apnsIDReused, .pushToDeadToken, .retryTooFastAfter429, .retryTooFastAfter503,
            .tokenRefreshedTooOften, .connectionPerPush:
            .warning
        case .tokenNearExpiry, .payloadNearLimit, .contentAvailableInAlert, .samePushTwice,
            .manyConnections:
            .info
        }
    }

    /// The source, and its reliability: documented, observed or inferred.
    package var source: String {
        switch self {
        case .pushTypeMissing, .pushTypeTopicSuffix, .priority10Background, .expirationMilliseconds,
            .collapseIDLong, .apnsIDNotUUID, .apnsIDReused:
            "documented: Apple, Sending notification requests to APNs"
        case .expirationInPast: "observed: https://developer.apple.com/forums/thread/708937"
        case .tokenUppercaseOrSpaces:
            "inferred: letter case is not documented; observed: other characters are rejected"
        case .issuedAtNotANumber, .tokenNearExpiry, .tokenRefreshedTooOften:
            "documented: Apple, Establishing a token-based connection to APNs"
        case .nonUTF8, .payloadNearLimit, .apsMissing, .apsUnknownKey, .customKeyInsideAPS,
            .alertWithoutText, .badgeNotInteger, .soundShape, .interruptionLevelUnknown,
            .relevanceScoreRange, .locArgsNotArray:
            "documented: Apple, Generating a remote notification"
        case .payloadNotJSON: "observed: rpush/rpush#113, node-apn/node-apn#344"
        case .backgroundWithAlert, .backgroundWithoutContentAvailable, .contentAvailableInAlert:
            "documented: Apple, Pushing background updates to your App"
        case .mutableContentWithoutAlert:
            "documented: Apple, Modifying content in newly delivered notifications"
        case .liveActivityShape:
            "documented: Apple, Starting and updating Live Activities with ActivityKit push notifications"
        case .samePushTwice, .manyConnections: "inferred"
        case .pushToDeadToken, .retryTooFastAfter503:
            "documented: Apple, Handling notification responses from APNs"
        case .retryTooFastAfter429:
            "documented without a time: Apple, Handling notification responses from APNs"
        case .connectionPerPush: "documented: Apple, Establishing a connection to APNs"
        }
    }

    private static let rows = Dictionary(uniqueKeysWithValues: allCases.map { ($0, row(of: $0)) })

    /// Creates the row of a lint; a case without one does not compile.
    private static func row(of lint: Lint) -> Row {
        switch lint {
        case .pushTypeMissing:
            Row(
                "apns-push-type is missing.",
                why: "Documented: watchOS 6 and later may reject, delay or drop such a push. Claimed by"
                    + " several clients: iOS 13 and later drops background pushes without it, although APNs"
                    + " responds 200.",
                fix: "Send apns-push-type.",
                HeaderLints.pushTypeMissing
            )
        case .pushTypeTopicSuffix:
            Row(
                "apns-push-type does not match the suffix of apns-topic.",
                why: "InvalidPushType or DeviceTokenNotForTopic: each type has its own tokens and topic.",
                fix: "Send the bundle identifier with the suffix of the push type, and nothing else.",
                HeaderLints.topicSuffix
            )
        case .priority10Background:
            Row(
                "A background push has apns-priority 10.",
                why: "Documented as an error: the device's power state decides when it arrives.",
                fix: "Send apns-priority: 5.",
                HeaderLints.priority10Background
            )
        case .expirationMilliseconds:
            Row(
                "apns-expiration is in milliseconds.",
                why: "In seconds it is thousands of years ahead, so the push is stored for 30 days.",
                fix: "Send UNIX seconds: divide by 1000.",
                HeaderLints.expirationMilliseconds
            )
        case .expirationInPast:
            Row(
                "apns-expiration is in the past.",
                why: "Accepted, but never stored: an offline device does not receive it.",
                fix: "Send a future time, or 0 for a single attempt.",
                HeaderLints.expirationInPast
            )
        case .collapseIDLong:
            Row(
                "apns-collapse-id is longer than 64 bytes.",
                why: "APNs responds BadCollapseId.",
                fix: "Send at most 64 bytes, such as a hash of a longer name.",
                HeaderLints.collapseIDLong
            )
        case .apnsIDNotUUID:
            Row(
                "apns-id is not a canonical UUID.",
                why: "APNs responds BadMessageId.",
                fix: "Send a UUID such as 123e4567-e89b-42d3-a456-426614174000, or omit apns-id.",
                HeaderLints.apnsIDNotUUID
            )
        case .tokenUppercaseOrSpaces:
            Row(
                "The device token in the path has capital letters, spaces or brackets.",
                why: "Often the printed form. Capitals seem to be accepted; anything else is BadDeviceToken.",
                fix: "Send the token's bytes as lowercase hexadecimal digits, without separators.",
                HeaderLints.token
            )
        case .issuedAtNotANumber:
            Row(
                "The claim iat of the provider token is not a number.",
                why: "A string of digits seems to be accepted; anything else is InvalidProviderToken.",
                fix: "Send iat as a JSON number of UNIX seconds.",
                HeaderLints.issuedAt
            )
        case .tokenNearExpiry:
            Row(
                "The provider token is older than 55 minutes.",
                why: "After 60 minutes APNs responds ExpiredProviderToken, and clocks differ.",
                fix: "Renew it every 20 to 60 minutes, for example every 40.",
                HeaderLints.tokenNearExpiry
            )
        case .nonUTF8:
            Row(
                "The body is not UTF-8.",
                why: "Accepted, but nothing appears on the device.",
                fix: "Send JSON in UTF-8, uncompressed.",
                PayloadLints.nonUTF8
            )
        case .payloadNotJSON:
            Row(
                "The body is not JSON.",
                why: "Accepted with 200, but nothing appears: the usual cause of a missing notification.",
                fix: "Create the payload with a JSON encoder; don't concatenate strings.",
                PayloadLints.notJSON
            )
        case .payloadNearLimit:
            Row(
                "The payload has at least 90 percent of the maximum size.",
                why: "A longer text may exceed the limit, and APNs then responds PayloadTooLarge.",
                fix: "Leave room for the longest texts, and let the app fetch the rest.",
                PayloadLints.nearLimit
            )
        case .apsMissing:
            Row(
                "The payload has no aps dictionary.",
                why: "Accepted with 200, but nothing appears on the device.",
                fix: "Put the keys for the system into an object named aps.",
                PayloadLints.apsMissing
            )
        case .apsUnknownKey:
            Row(
                "Unknown key in `aps`; possible typo.",
                why: "It is ignored.",
                fix: "Use the documented spelling.",
                AlertLints.unknownKey
            )
        case .customKeyInsideAPS:
            Row(
                "A custom key is inside aps.",
                why: "iOS ignores it there.",
                fix: "Put custom keys beside aps.",
                AlertLints.customKey
            )
        case .backgroundWithAlert:
            Row(
                "A background push has an alert, a badge or a sound.",
                why: "It may be rejected, delayed or dropped; at best nothing is shown.",
                fix: "Send it as apns-push-type: alert, or omit alert, badge and sound.",
                AlertLints.backgroundWithAlert
            )
        case .backgroundWithoutContentAvailable:
            Row(
                "A background push has no content-available: 1.",
                why: "The app is not woken, and nothing is shown.",
                fix: "Send {\"aps\":{\"content-available\":1}}.",
                AlertLints.backgroundWithoutContentAvailable
            )
        case .alertWithoutText:
            Row(
                "An alert has no text.",
                why: "Nothing is shown, or an empty notification.",
                fix: "Add a title or a body, or a loc-key for one.",
                AlertLints.withoutText
            )
        case .contentAvailableInAlert:
            Row(
                "An alert also has content-available.",
                why: "It remains an alert with apns-push-type: alert. iOS limits how often it wakes the"
                    + " app, and does not wake apps that the user has ended.",
                fix: "Send two pushes if the app must be woken and the user informed.",
                AlertLints.contentAvailable
            )
        case .mutableContentWithoutAlert:
            Row(
                "mutable-content is set without an alert text.",
                why: "The service extension runs only for pushes that show an alert.",
                fix: "Add an alert, or omit mutable-content.",
                AlertLints.mutableContent
            )
        case .badgeNotInteger:
            Row(
                "`badge` is not a whole number of at least 0.",
                why: "The badge does not change.",
                fix: "Send a JSON number; 0 removes the badge.",
                PayloadLints.badge
            )
        case .soundShape:
            Row(
                "`sound` has an invalid type or value.",
                why: "The sound is not played, or another one is.",
                fix: "Send the name of a sound, or {\"critical\":1,\"name\":\"default\",\"volume\":1.0}.",
                PayloadLints.sound
            )
        case .interruptionLevelUnknown:
            Row(
                "`interruption-level` is not one of the four levels.",
                why: "It is treated as active.",
                fix: "Send passive, active, time-sensitive or critical.",
                PayloadLints.interruptionLevel
            )
        case .relevanceScoreRange:
            Row(
                "`relevance-score` is not a number from 0 to 1.",
                why: "It does not order the summary. For Live Activities any number is valid.",
                fix: "Send a number from 0 to 1.",
                PayloadLints.relevanceScore
            )
        case .locArgsNotArray:
            Row(
                "loc-args, or a similar key, is not an array of strings.",
                why: "The text is shown without the arguments, or not at all.",
                fix: "Send an array of strings; convert numbers to strings.",
                AlertLints.arguments
            )
        case .liveActivityShape:
            Row(
                "A push to a Live Activity has a missing or invalid key.",
                why: "The activity ignores it, although APNs responds 200.",
                fix: "Send timestamp, event and content-state; with event start also attributes-type,"
                    + " attributes and alert.",
                LiveActivityLints.shape
            )
        case .apnsIDReused:
            Row(
                "The same apns-id was used by another push, or by one that was accepted.",
                why: "The id identifies a push; two pushes with one id cannot be told apart.",
                fix: "Create an id for each push; reuse it only to retry a push that was not accepted."
            )
        case .samePushTwice:
            Row(
                "The same push was sent less than a minute before, and both were accepted.",
                why: "The user may see it twice; a late response is often mistaken for a failure.",
                fix: "Wait for the response and retry only failed pushes; a collapse id merges duplicates."
            )
        case .pushToDeadToken:
            Row(
                "A push was sent to a device token after a 410 response.",
                why: "Documented: stop pushing to it. Continuing may count against the provider.",
                fix: "Delete tokens after a 410, unless the app registered again after the timestamp."
            )
        case .retryTooFastAfter429:
            Row(
                "A push was retried less than a second after a 429 response.",
                why: "Documented: retry with a delay. Inferred: less than a second makes no difference.",
                fix: "Wait a second, and double the delay each time."
            )
        case .retryTooFastAfter503:
            Row(
                "A push was retried less than 15 minutes after a 503 response.",
                why: "Documented: retry after 15 minutes, then with increasing delays.",
                fix: "Wait 15 minutes, and double the delay each time."
            )
        case .tokenRefreshedTooOften:
            Row(
                "A connection has a new provider token of the same key after less than 20 minutes.",
                why: "Documented: APNs responds TooManyProviderTokenUpdates when the token of a connection"
                    + " changes more often than every 20 minutes.",
                fix: "Keep a token for 20 to 60 minutes, and share it among all senders on the connection."
            )
        case .connectionPerPush:
            Row(
                "The fifth connection in a row that was opened for one push and closed.",
                why: "APNs may treat this as an attack; each connection costs a TLS handshake.",
                fix: "Keep connections open and send many pushes on each."
            )
        case .manyConnections:
            Row(
                "More than 20 connections are open.",
                why: "One connection carries a thousand pushes at a time, so most providers need only a"
                    + " few. The limit is inferred: Apple names no number.",
                fix: "Send more pushes on fewer connections."
            )
        }
    }
}

internal import MockAPNsRules

extension Lint {
    /// The problem, in one sentence.
    package var meaning: String {
        switch self {
        case .pushTypeMissing: "apns-push-type is missing."
        case .pushTypeTopicSuffix: "apns-push-type does not match the suffix of apns-topic."
        case .topicUnlikely: "apns-topic is probably misspelt."
        case .priority10Background: "A background push has apns-priority 10."
        case .expirationMilliseconds: "apns-expiration is in milliseconds or a smaller unit."
        case .expirationInPast: "apns-expiration is in the past."
        case .collapseIDLong: "apns-collapse-id is longer than 64 bytes."
        case .apnsIDNotUUID: "apns-id is not a canonical UUID."
        case .tokenUppercaseOrSpaces: "The device token in the path has capital letters, spaces or brackets."
        case .issuedAtNotANumber: "The claim iat of the provider token is not a number."
        case .tokenNotBase64URL: "The provider token is not Base64URL without padding."
        case .tokenNearExpiry: "The provider token is older than 55 minutes."
        case .tokenWithCertificate: "The provider sends a provider token although its certificate authenticates it."
        case .headerMisspelt: "A header is not one of APNs, and looks like one that is."
        case .nonUTF8: "The body is not UTF-8."
        case .payloadNotJSON: "The body is not JSON."
        case .payloadNearLimit: "The payload has at least 90 percent of the maximum size."
        case .duplicateKey: "A key is in an object of the payload more than once."
        case .nullMember: "A value in the payload is null."
        case .loneSurrogate: "A text has half of a surrogate pair."
        case .foreignShape: "The payload is a message for another push service, or has the payload inside."
        case .apsMissing: "The payload has no aps dictionary."
        case .apsKeyOutside: "A key of aps is beside aps."
        case .apsUnknownKey: "Unknown key in `aps`; possible typo."
        case .customKeyInsideAPS: "A custom key is inside aps."
        case .backgroundWithAlert: "A background push has an alert, a badge or a sound."
        case .backgroundWithoutContentAvailable: "A background push has no content-available: 1."
        case .alertWithoutText: "An alert has no text."
        case .contentAvailableInAlert: "An alert also has content-available."
        case .mutableContentWithoutAlert: "mutable-content is set without an alert text."
        case .badgeNotInteger: "`badge` is not a whole number of at least 0."
        case .memberType: "A key of aps or of its alert has a value of the wrong type."
        case .soundShape: "`sound` has an invalid type or value."
        case .soundFile: "`sound` names a file that is not aiff, wav or caf, or is a path."
        case .interruptionLevelUnknown: "`interruption-level` is not one of the four levels."
        case .relevanceScoreRange: "`relevance-score` is not a number from 0 to 1."
        case .locArgsNotArray: "loc-args, or a similar key, is not an array of strings, or has no loc-key."
        case .accessoryShape: "A push for an accessory has a missing or invalid key."
        case .payloadShape: "A push to widgets, controls or a File Provider extension lacks a key that it needs."
        case .liveActivityShape: "A push to a Live Activity has a missing or invalid key."
        case .liveActivityAlert: "The alert of a Live Activity does not have the form that it needs."
        case .liveActivityDate: "A date of a Live Activity has the wrong unit, or is in the past."
        case .liveActivityMember: "A key of a Live Activity is on the wrong event or in the wrong place."
        case .liveActivityLarge: "A broadcast is larger than the data of a Live Activity may be."
        case .specialTopic: "A push to MDM, Wallet or a website does not have what such a push needs."
        case .appSchema: "The payload, or the data of a Live Activity, does not fit the schema of the app."
        case .productionOnly: "A push in the sandbox is of a kind that only production has."
        case .expirationOfKind: "apns-expiration does not suit the kind of push."
        case .serviceExtension: "mutable-content is set in a push for which a service extension may not run."
        case .apnsIDReused: "The same apns-id was used by another push, or by one that was accepted."
        case .samePushTwice: "The same push was sent less than a minute before, and both were accepted."
        case .pushToDeadToken: "A push was sent to a device token after a 410 response."
        case .retryTooFastAfter429: "A push was retried less than a second after a 429 response."
        case .retryTooFastAfter503: "A push was retried less than 15 minutes after a 503 response."
        case .tokenRefreshedTooOften:
            "A connection has a new provider token of the same key after less than 20 minutes."
        case .budgetExceeded: "An app on a device gets more pushes of a kind than the device takes."
        case .connectionPerPush: "The fifth connection in a row that was opened for one push and closed."
        case .manyConnections: "More than 20 connections are open."
        }
    }

    /// The consequences, or why APNs behaves so.
    package var why: String {
        switch self {
        case .pushTypeMissing:
            "Documented: watchOS 6 and later may reject, delay or drop such a push. Claimed by several"
                + " clients: iOS 13 and later drops background pushes without it, although APNs responds" + " 200."
        case .pushTypeTopicSuffix:
            "APNs responds InvalidPushType or DeviceTokenNotForTopic: each type has its own tokens and topic."
        case .topicUnlikely:
            "APNs responds TopicDisallowed to a topic that the team does not have. This server does not know the"
                + " team's topics, so it accepts most of them."
        case .priority10Background:
            "Documented as an error. The app may not be woken: the device's power state decides when"
                + " background pushes arrive."
        case .expirationMilliseconds: "In seconds it is thousands of years ahead, so the push is stored for 30 days."
        case .expirationInPast: "Accepted, but never stored: an offline device does not receive it."
        case .collapseIDLong: "APNs responds BadCollapseId."
        case .apnsIDNotUUID: "APNs responds BadMessageId."
        case .tokenUppercaseOrSpaces:
            "Often the printed form. Capitals seem to be accepted; APNs responds BadDeviceToken to anything" + " else."
        case .issuedAtNotANumber:
            "APNs may reject every push with InvalidProviderToken. A string of digits seems to be accepted."
        case .tokenNotBase64URL:
            "Documented as Base64URL. Clients in production send standard Base64, so APNs seems to accept it."
        case .tokenNearExpiry: "After 60 minutes APNs responds ExpiredProviderToken, and clocks differ."
        case .tokenWithCertificate:
            "APNs ignores the token, so the topics are those of the certificate, not of the key."
        case .headerMisspelt:
            "APNs ignores unknown headers and responds 200, so what it was meant to do does not happen."
        case .nonUTF8: "Accepted, but nothing appears on the device."
        case .payloadNotJSON: "Accepted with 200, but nothing appears: the usual cause of a missing notification."
        case .payloadNearLimit: "A longer text may exceed the limit, and APNs then responds PayloadTooLarge."
        case .duplicateKey: "A parser keeps one of the values; which one a device keeps is not documented."
        case .nullMember:
            "Observed: a device may drop the whole push or its custom data, because its property lists have no"
                + " null."
        case .loneSurrogate:
            "It is not a character, so a parser may reject the whole payload (inferred). It comes from texts that"
                + " were cut in the middle of an emoji."
        case .foreignShape: "Accepted with 200, but nothing appears on the device."
        case .apsMissing: "Accepted with 200, but nothing appears on the device."
        case .apsKeyOutside: "iOS takes it for custom data of the app, so what it was meant to do does not happen."
        case .apsUnknownKey: "iOS ignores it, so what it was meant to do does not happen."
        case .customKeyInsideAPS: "Documented: APNs ignores custom keys in aps. The app may not receive the value."
        case .backgroundWithAlert: "It may be rejected, delayed or dropped; at best nothing is shown."
        case .backgroundWithoutContentAvailable: "The app is not woken, and nothing is shown."
        case .alertWithoutText: "The user sees nothing, or an empty notification."
        case .contentAvailableInAlert:
            "It remains an alert with apns-push-type: alert. iOS limits how often it wakes the app, and"
                + " does not wake apps that the user has ended."
        case .mutableContentWithoutAlert: "The service extension runs only for pushes that show an alert."
        case .badgeNotInteger: "The badge does not change."
        case .memberType: "iOS ignores the key, as if it were absent (inferred)."
        case .soundShape: "The sound is not played, or another one is."
        case .soundFile: "The system's sound is played instead."
        case .interruptionLevelUnknown:
            "It is treated as active: a time-sensitive or critical alert does not break through a Focus."
        case .relevanceScoreRange:
            "The summary does not order the notification by it. For Live Activities any number is valid."
        case .locArgsNotArray: "The text is shown without the arguments, or not at all."
        case .accessoryShape: "The system cannot decrypt it, and the app is not called."
        case .payloadShape: "Nothing is reloaded, or the extension is not told of a change."
        case .liveActivityShape: "The activity ignores it, although APNs responds 200."
        case .liveActivityAlert: "The state changes, and the person is alerted without it, or not at all."
        case .liveActivityDate: "The activity is stale or gone at once, or stays too long."
        case .liveActivityMember: "The activity ignores the key."
        case .liveActivityLarge:
            "APNs accepts broadcasts of up to 5120 bytes, and a Live Activity with more than 4096 bytes of"
                + " static and dynamic data is not updated."
        case .specialTopic: "Accepted with 200, but the device does not do what was intended."
        case .appSchema:
            "Accepted with 200, but the app cannot decode it: a Live Activity does not start or change, and a"
                + " notification lacks what the app reads from it."
        case .productionOnly: "This server accepts it in both environments; with APNs, the sandbox delivers none."
        case .expirationOfKind:
            "A widget may not be reloaded, or a push that is stored arrives when what it says is over."
        case .serviceExtension:
            "Documented: the extension runs for push type alert with an alert dictionary that has a title, a subtitle or"
                + " a body. Otherwise the notification is shown as it was sent, and none can be suppressed."
        case .apnsIDReused: "The id identifies a push: in logs, two pushes with one id cannot be told apart."
        case .samePushTwice: "The user may see it twice; a late response is often mistaken for a failure."
        case .pushToDeadToken: "Documented: stop pushing to it. Continuing may count against the provider."
        case .retryTooFastAfter429:
            "Documented: retry with a delay. Inferred: within a second APNs responds 429 again, so a provider"
                + " that gives up after a few retries loses the push."
        case .retryTooFastAfter503:
            "Documented: retry after 15 minutes, then with increasing delays. A provider that retries at once"
                + " adds to the overload, and loses the push when it gives up."
        case .tokenRefreshedTooOften:
            "Documented: APNs responds TooManyProviderTokenUpdates when the token of a connection changes"
                + " more often than every 20 minutes."
        case .budgetExceeded: "Accepted with 200. The device limits how often the app is handed such pushes."
        case .connectionPerPush: "APNs may treat this as an attack; each connection costs a TLS handshake."
        case .manyConnections:
            "One connection carries a thousand pushes at a time, so most providers need only a few. The"
                + " limit is inferred: Apple names no number."
        }
    }

    /// How to fix it, unless the finding has a more specific fix.
    package var fix: String {
        switch self {
        case .pushTypeMissing: "Send apns-push-type."
        case .pushTypeTopicSuffix: "Send the bundle identifier with the suffix of the push type, and nothing else."
        case .topicUnlikely: "Send the app's bundle identifier, with the suffix of the push type and nothing else."
        case .priority10Background: "Send apns-priority: 5."
        case .expirationMilliseconds: "Send UNIX seconds."
        case .expirationInPast: "Send a future time, or 0 for a single attempt."
        case .collapseIDLong: "Send at most 64 bytes, such as a hash of a longer name."
        case .apnsIDNotUUID: "Send a UUID such as 123e4567-e89b-42d3-a456-426614174000, or omit apns-id."
        case .tokenUppercaseOrSpaces: "Send the token's bytes as lowercase hexadecimal digits, without separators."
        case .issuedAtNotANumber: "Send iat as a JSON number of UNIX seconds."
        case .tokenNotBase64URL:
            "Replace + by - and / by _ in each part of the token, and omit the = at the end, before signing."
        case .tokenNearExpiry: "Renew it every 20 to 60 minutes, for example every 40."
        case .tokenWithCertificate: "Send one of them: the certificate, or authorization on a connection without one."
        case .headerMisspelt: "Use the documented name."
        case .nonUTF8: "Send JSON in UTF-8, uncompressed."
        case .payloadNotJSON: "Create the payload with a JSON encoder; don't concatenate strings."
        case .payloadNearLimit: "Leave room for the longest texts, and let the app fetch the rest."
        case .duplicateKey: "Write each key once; create the payload with a JSON encoder."
        case .nullMember: "Omit keys without a value."
        case .loneSurrogate: "Cut texts between characters, not between UTF-16 code units."
        case .foreignShape: "Send {\"aps\":{\"alert\":…}}."
        case .apsMissing: "Put the keys for the system into an object named aps."
        case .apsKeyOutside: "Put it into aps."
        case .apsUnknownKey: "Use the documented spelling."
        case .customKeyInsideAPS: "Put custom keys beside aps."
        case .backgroundWithAlert: "Send it as apns-push-type: alert, or omit alert, badge and sound."
        case .backgroundWithoutContentAvailable: "Send {\"aps\":{\"content-available\":1}}."
        case .alertWithoutText: "Add a title or a body, or a loc-key for one."
        case .contentAvailableInAlert: "Send two pushes if the app must be woken and the user informed."
        case .mutableContentWithoutAlert: "Add an alert, or omit mutable-content."
        case .badgeNotInteger: "Send a JSON number; 0 removes the badge."
        case .memberType: "Send the documented type."
        case .soundShape: "Send the name of a sound, or {\"critical\":1,\"name\":\"default\",\"volume\":1.0}."
        case .soundFile: "Convert the file, for example to caf, and name that."
        case .interruptionLevelUnknown: "Send passive, active, time-sensitive or critical."
        case .relevanceScoreRange: "Send a number from 0 to 1."
        case .locArgsNotArray: "Send an array of strings; convert numbers to strings."
        case .accessoryShape: "Send encryptedData, sessionIdentifier, keyID and messageIndex as strings in aps."
        case .payloadShape:
            "Send {\"aps\":{\"content-changed\":true}} to widgets and controls, and container-identifier and domain"
                + " to a File Provider extension."
        case .liveActivityShape:
            "Send timestamp, event and content-state; with event start also attributes-type, attributes" + " and alert."
        case .liveActivityAlert:
            "Send {\"title\":…,\"body\":…,\"sound\":…}; a localized text is {\"loc-key\":…,\"loc-args\":[…]}."
        case .liveActivityDate: "Send UNIX seconds."
        case .liveActivityMember: "Send the key where it is read, or omit it."
        case .liveActivityLarge: "Send less, and let the app fetch the rest."
        case .specialTopic: "Send the payload that is documented for the topic."
        case .appSchema: "Send what the app decodes, or store the schema of the app's next version."
        case .productionOnly: "Send it to production; with this server, to a listener or device of that environment."
        case .expirationOfKind: "Omit apns-expiration."
        case .serviceExtension: "Send alert as an object with a title or a body, with apns-push-type: alert."
        case .apnsIDReused: "Create an id for each push; reuse it only to retry a push that was not accepted."
        case .samePushTwice: "Wait for the response and retry only failed pushes; a collapse id merges duplicates."
        case .pushToDeadToken: "Delete tokens after a 410, unless the app registered again after the timestamp."
        case .retryTooFastAfter429: "Wait a second, and double the delay each time."
        case .retryTooFastAfter503: "Wait 15 minutes, and double the delay each time."
        case .tokenRefreshedTooOften:
            "Keep a token for 20 to 60 minutes, and share it among all senders on the connection."
        case .budgetExceeded: "Send fewer, or several changes in one push."
        case .connectionPerPush: "Keep connections open and send many pushes on each."
        case .manyConnections: "Send more pushes on fewer connections."
        }
    }

    /// What it considers, after "of" or "about".
    package var scope: String { isOfConnection ? "a connection" : looksAtHistory ? "several pushes" : "a single push" }

    package var severity: Severity {
        switch self {
        case .pushTypeTopicSuffix, .priority10Background, .expirationMilliseconds, .collapseIDLong, .apnsIDNotUUID,
            .nonUTF8, .payloadNotJSON, .apsMissing, .backgroundWithAlert, .backgroundWithoutContentAvailable,
            .foreignShape, .liveActivityShape, .accessoryShape, .payloadShape:
            .error
        case .pushTypeMissing, .topicUnlikely, .expirationInPast, .issuedAtNotANumber, .tokenNotBase64URL,
            .apsUnknownKey, .customKeyInsideAPS, .alertWithoutText, .mutableContentWithoutAlert, .badgeNotInteger,
            .soundShape, .interruptionLevelUnknown, .relevanceScoreRange, .locArgsNotArray, .headerMisspelt,
            .duplicateKey, .nullMember, .loneSurrogate, .apsKeyOutside, .memberType, .soundFile, .liveActivityAlert,
            .liveActivityDate, .liveActivityMember, .liveActivityLarge, .specialTopic, .appSchema, .pushToDeadToken,
            .retryTooFastAfter429, .retryTooFastAfter503, .tokenRefreshedTooOften, .budgetExceeded, .connectionPerPush:
            .warning
        // Tests often have them, and nothing that is known breaks.
        case .tokenUppercaseOrSpaces, .tokenNearExpiry, .tokenWithCertificate, .payloadNearLimit,
            .contentAvailableInAlert, .apnsIDReused, .samePushTwice, .manyConnections, .productionOnly,
            .expirationOfKind, .serviceExtension:
            .info
        }
    }

    /// The source, and its reliability: documented, observed or inferred.
    package var source: String {
        switch self {
        case .pushTypeMissing, .pushTypeTopicSuffix, .priority10Background, .expirationMilliseconds, .collapseIDLong,
            .apnsIDNotUUID, .apnsIDReused, .headerMisspelt:
            "documented: Apple, Sending notification requests to APNs"
        case .expirationInPast: "observed: https://developer.apple.com/forums/thread/708937"
        case .tokenUppercaseOrSpaces: "inferred: letter case is not documented; observed: other characters are rejected"
        case .tokenWithCertificate: "documented: Apple, Sending notification requests to APNs"
        case .topicUnlikely:
            "documented: a topic is the app's bundle identifier and a suffix; observed: node-apn/node-apn#479"
        case .accessoryShape: "documented: Apple, Responding to forwarded notifications"
        case .payloadShape:
            "documented: Apple, Updating widgets with WidgetKit push notifications; Updating controls locally and"
                + " remotely; Using push notifications to signal changes"
        case .issuedAtNotANumber, .tokenNotBase64URL, .tokenNearExpiry, .tokenRefreshedTooOften:
            "documented: Apple, Establishing a token-based connection to APNs"
        case .nonUTF8, .payloadNearLimit, .apsMissing, .apsUnknownKey, .customKeyInsideAPS, .alertWithoutText,
            .badgeNotInteger, .soundShape, .interruptionLevelUnknown, .relevanceScoreRange, .locArgsNotArray,
            .apsKeyOutside, .memberType:
            "documented: Apple, Generating a remote notification"
        case .payloadNotJSON: "observed: rpush/rpush#113, node-apn/node-apn#344"
        case .backgroundWithAlert, .backgroundWithoutContentAvailable, .contentAvailableInAlert:
            "documented: Apple, Pushing background updates to your App"
        case .mutableContentWithoutAlert: "documented: Apple, Modifying content in newly delivered notifications"
        case .duplicateKey, .loneSurrogate: "inferred"
        case .nullMember: "observed: https://developer.apple.com/forums/thread/727395, lionheart/openradar-mirror#15778"
        case .foreignShape: "documented: the references of the services that it is for"
        case .soundFile: "documented: Apple, UNNotificationSound"
        case .liveActivityLarge: "documented: Apple, Displaying live data with Live Activities"
        case .specialTopic:
            "documented: Apple, Sending MDM commands to a device; Adding a web service to update passes;"
                + " Notification Programming Guide for Websites (archived)"
        case .appSchema: "documented: the schema that was stored for the app"
        case .productionOnly: PushKind.wallet.row.source
        case .expirationOfKind: "the sources of the kinds in the reference"
        case .serviceExtension:
            "documented: Apple, Modifying content in newly delivered notifications; the entitlement"
                + " com.apple.developer.usernotifications.filtering"
        case .budgetExceeded: "the sources of the kinds in the reference"
        case .liveActivityShape, .liveActivityAlert, .liveActivityDate, .liveActivityMember:
            "documented: Apple, Starting and updating Live Activities with ActivityKit push notifications"
        case .samePushTwice, .manyConnections: "inferred"
        case .pushToDeadToken, .retryTooFastAfter503: "documented: Apple, Handling notification responses from APNs"
        case .retryTooFastAfter429: "documented without a time: Apple, Handling notification responses from APNs"
        case .connectionPerPush: "documented: Apple, Establishing a connection to APNs"
        }
    }
}

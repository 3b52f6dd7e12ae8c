extension Lint.Row {
    static let pushTypeMissing = Lint.Row(
        .warning,
        "apns-push-type is absent.",
        why:
            "Documented: watchOS 6 and later may refuse, delay or drop such a push. Claimed by several"
            + " clients: background pushes without it are answered 200 and dropped by iOS 13 and later.",
        fix: "Send apns-push-type.",
        source: LintSource.headers,
        .push(HeaderLints.pushTypeMissing)
    )

    static let pushTypeTopicSuffix = Lint.Row(
        .error,
        "apns-push-type and the end of apns-topic do not belong together.",
        why:
            "APNs answers InvalidPushType or DeviceTokenNotForTopic: each push type has tokens and"
            + " a topic of its own.",
        fix: "Append the suffix that the push type asks for to the bundle identifier, and nothing else.",
        source: LintSource.headers,
        .push(HeaderLints.topicSuffix)
    )

    static let priority10Background = Lint.Row(
        .error,
        "A background push has apns-priority 10.",
        why: "Documented as an error: background pushes go by the power of the device.",
        fix: "Send apns-priority: 5.",
        source: LintSource.headers,
        .push(HeaderLints.priority10Background)
    )

    static let expirationMilliseconds = Lint.Row(
        .error,
        "apns-expiration is given in milliseconds.",
        why:
            "As seconds it lies thousands of years ahead: the push is stored for 30 days, not for"
            + " what was meant.",
        fix: "Send UNIX seconds: divide by 1000.",
        source: LintSource.headers,
        .push(HeaderLints.expirationMilliseconds)
    )

    static let expirationInPast = Lint.Row(
        .warning,
        "apns-expiration lies in the past.",
        why: "Accepted, but never stored: a device that is offline does not get it.",
        fix: "Send a time to come, or 0 for a single attempt.",
        source: "observed: https://developer.apple.com/forums/thread/708937",
        .push(HeaderLints.expirationInPast)
    )

    static let collapseIDLong = Lint.Row(
        .error,
        "apns-collapse-id is longer than 64 bytes.",
        why: "APNs answers BadCollapseId.",
        fix: "Send at most 64 bytes; a hash of a longer name will do.",
        source: LintSource.headers,
        .push(HeaderLints.collapseIDLong)
    )

    static let apnsIDNotUUID = Lint.Row(
        .error,
        "apns-id is no canonical UUID.",
        why: "APNs answers BadMessageId.",
        fix:
            "Send a UUID such as 123e4567-e89b-42d3-a456-426614174000, or leave it to APNs to make"
            + " one.",
        source: LintSource.headers,
        .push(HeaderLints.apnsIDNotUUID)
    )

    static let tokenUppercaseOrSpaces = Lint.Row(
        .warning,
        "The device token in the path has capital letters, blanks or brackets.",
        why:
            "It is often the printed form of the token. Capital letters seem to be accepted,"
            + " everything else is BadDeviceToken.",
        fix:
            "Write the bytes of the token as hexadecimal digits in lower case, with nothing in"
            + " between.",
        source: "inferred: letter case is stated nowhere; observed: what is not hexadecimal is refused",
        .push(HeaderLints.token)
    )

    static let issuedAtNotANumber = Lint.Row(
        .warning,
        "The claim iat of the provider token is no number.",
        why: "A string of digits seems to be accepted; everything else is InvalidProviderToken.",
        fix: "Make iat a JSON number of UNIX seconds.",
        source: LintSource.tokens,
        .push(HeaderLints.issuedAt)
    )

    static let tokenNearExpiry = Lint.Row(
        .info,
        "The provider token is older than 55 minutes.",
        why: "From 60 minutes on it is refused with ExpiredProviderToken, and clocks differ.",
        fix: "Renew it every 20 to 60 minutes, 40 being a good choice.",
        source: LintSource.tokens,
        .push(HeaderLints.tokenNearExpiry)
    )
}

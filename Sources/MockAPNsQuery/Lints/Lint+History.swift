extension Lint.Row {
    static let apnsIDReused = Lint.Row(
        .warning,
        "The same apns-id came before, with another push or with one that was accepted.",
        why: "The id is what a push is found by; two pushes of one id cannot be told apart.",
        fix:
            "Make an id for each push; only a push that was not accepted may be sent again with its"
            + " own.",
        source: LintSource.headers,
        .history
    )

    static let samePushTwice = Lint.Row(
        .info,
        "The same push came less than a minute before, and both were accepted.",
        why: "The user may see it twice; an answer that came late is often taken for none.",
        fix:
            "Wait for the answer, and send again only what was not accepted; a collapse id makes"
            + " one of two.",
        source: "inferred",
        .history
    )

    static let pushToDeadToken = Lint.Row(
        .warning,
        "A push went to a device token that had been answered 410 before.",
        why: "Documented: stop sending to it. Going on costs time, and may count against the provider.",
        fix: "Delete tokens that are answered 410, unless the app registered again after the timestamp.",
        source: LintSource.answers,
        .history
    )

    static let retryTooFastAfter429 = Lint.Row(
        .warning,
        "A push was sent again less than a second after it had been answered 429.",
        why:
            "Documented: retry with a delay. How long is inferred: a second is the least that makes"
            + " a difference.",
        fix: "Wait a second, and twice as long each time.",
        source: "documented without a time: Apple, Handling notification responses from APNs",
        .history
    )

    static let retryTooFastAfter503 = Lint.Row(
        .warning,
        "A push was sent again less than 15 minutes after it had been answered 503.",
        why: "Documented: after 15 minutes, and then at growing distances.",
        fix: "Wait 15 minutes, and twice as long each time.",
        source: LintSource.answers,
        .history
    )

    static let tokenRefreshedTooOften = Lint.Row(
        .warning,
        "A connection has another provider token of the same key less than 20 minutes after the last one.",
        why:
            "Documented: APNs answers TooManyProviderTokenUpdates when the token of a connection changes more"
            + " often than every 20 minutes.",
        fix: "Keep a token for 20 to 60 minutes, and share it among all that send on the connection.",
        source: LintSource.tokens,
        .history
    )

    static let connectionPerPush = Lint.Row(
        .warning,
        "The fifth connection in a row that was opened for one push and closed.",
        why: "Opening and closing connections may be taken for an attack; each costs a TLS handshake.",
        fix: "Keep connections open and send many pushes on each.",
        source: LintSource.connection,
        .history
    )

    static let manyConnections = Lint.Row(
        .info,
        "More than 20 connections are open.",
        why:
            "One connection carries a thousand pushes at a time, so a few are enough for most"
            + " providers. How many are too many is inferred: Apple names no number.",
        fix: "Send more pushes on fewer connections.",
        source: "inferred",
        .history
    )
}

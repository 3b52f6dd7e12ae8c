internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// The schemas of pushes, as answers show them.
enum PushSchemas {
    static let all: [String: Schema] = [
        "Push": push, "PushSummary": summary, "PushPage": page, "PushCount": count, "Journal": journal,
        "PushSent": sent,
        "Delivery": delivery, "Verdict": verdict, "TLS": tls,
        "ClientCertificate": clientCertificate, "Deleted": .object(["deleted": .count]),
    ]

    /// What a push may be told that the API sends.
    static let sending = Schema.closed([
        "token": Schema.text(atLeast: 1).described("A device token, or @ and the label of a device.").orNull,
        "topic": Schema.text(atLeast: 1).orNull,
        "pushType": Schema.text(atLeast: 1).described("alert, unless it is given.").orNull,
        "priority": Schema.either(.integer, .text).orNull,
        "expiration": Schema.either(.integer, .text).described("In UNIX seconds; 0 to try once.").orNull,
        "collapseId": Schema.text(atLeast: 1).orNull,
        "headers": Schema.dictionary(of: .text.orNull).described("Headers by name; null leaves one out.")
            .orNull,
        "payload": Schema.anything.described("The body, as JSON."),
        "title": Schema.text(atLeast: 1).described("For a payload with an alert.").orNull,
        "body": Schema.text(atLeast: 1).orNull,
    ])

    private static let sent = Schema.object([
        "push": .named("Push"), "response": response,
        "page": Schema.text.described("Where the inspector shows the push.").orNull,
    ])

    static let push = Schema.object([
        "id": .pushID,
        "seq": .count.described("The number of the push, and the cursor everywhere."),
        "epoch": .count.described("Counts resets."),
        "namespace": .text,
        "receivedAt": .time.described("When the request was whole, on the system's clock."),
        "clockTime": .time.described("The same moment on the world's clock."),
        "environment": .environment,
        "request": request,
        "apns": apns,
        "auth": auth,
        "connection": connection,
        "verdict": .named("Verdict"),
        "lints": .list(of: lint).described("What is odd about the push."),
        "response": response,
        "delivery": .named("Delivery"),
        "routedBy": Schema.text.described("Why the push belongs to its namespace."),
        "faults": .list(of: .text).described("The faults that fired for the push."),
        "verifiedBy": .list(of: .text).described("The verifications that have matched the push."),
        "note": .text.orNull.described("What somebody wrote beside it."),
        "imported": .boolean.described("Whether another server recorded the push."),
    ])

    private static let headers = Schema.list(of: .list(of: .text, count: 2))
        .described("Pairs of name and value, in the order received.")

    private static let request = Schema.object([
        "method": .text,
        "path": .text,
        "headers": headers,
        "headerBlockSize": Schema.count.orNull.described(
            "The bytes that the headers took on the wire, compressed (HPACK); null where nobody counted."
        ),
        "bodySize": .count,
        "bodyKept": .boolean.described("Whether all of the body is at hand; one that is too large is not."),
        "bodyBase64": .text.described("The body, byte for byte."),
        "payload": .anything.described("The body as JSON; null when it is none."),
    ])

    private static let apns = Schema.object([
        "id": .text.orNull,
        "uniqueId": .text.orNull,
        "topic": .text.orNull,
        "pushType": .text,
        "pushTypeDerived": .boolean.described(
            "Whether the push had no apns-push-type, so that it was derived."
        ),
        "priority": .count.orNull,
        "expiration": .count.orNull,
        "collapseId": .text.orNull,
        "token": .token.orNull,
    ])

    private static let auth = Schema.object([
        "kind": .words(["token", "none"]),
        "keyId": .text.orNull,
        "teamId": .text.orNull,
        "issuedAt": .time.orNull,
        "issuedAtSeconds": .number.orNull,
        "ageSeconds": .number.orNull,
        "verification": .words(TokenVerification.allCases.map(\.name)),
        "meaning": .text,
    ])

    private static let connection = Schema.object([
        "id": .text, "streamId": .integer, "pushesOnConnection": .count, "remote": .text.orNull,
        "tls": .named("TLS").orNull,
    ])

    private static let tls = Schema.object([
        "version": .text, "alpn": .text.orNull, "sni": .text.orNull,
        "clientCertificate": .named("ClientCertificate").orNull,
    ])

    private static let clientCertificate = Schema.object([
        "subject": .text, "issuer": .text, "notBefore": .time.orNull, "notAfter": .time.orNull,
        "authenticated": .boolean, "problem": .text.orNull,
    ])

    private static let lint = Schema.object([
        "id": .text, "severity": .words(Lint.Severity.self), "pointer": .text.orNull, "message": .text,
        "fix": .text, "learn": .text,
    ])

    private static let response = Schema.object([
        "status": .count, "headers": headers, "body": .text, "durationMs": .number,
    ])

    private static let verdict = Schema.object([
        "outcome": .words(PushQuery.Outcome.self),
        "status": .count,
        "reason": .words(Reason.allCases.map(\.name)).orNull,
        "meaning": .text.orNull,
        "hint": .text.orNull.described("What to do about it."),
        "decidedBy": .text,
        "check": .text.orNull.described("The check that refused the push."),
        "checks": .list(
            of: .object(
                [
                    "id": .text,
                    "ok": .boolean.orNull.described("null for a check that was not reached."),
                    "actual": .anything, "limit": .count, "expected": .text,
                ],
                optional: ["actual", "limit", "expected"]
            )
        ),
        "problem": .text.orNull,
    ])

    private static let delivery = Schema.object([
        "state": .words(PushQuery.deliveryNames),
        "status": .text.orNull.described("The state in the words of Apple's console."),
        "detail": .text.orNull,
        "device": .text.orNull.described("The label of the device."),
        "timeline": .list(
            of: .object(
                [
                    "seq": .count, "at": .time, "event": .text, "detail": .text.orNull, "status": .count,
                ],
                optional: ["status"]
            )
        ),
        "reaction": .named("Reaction").orNull,
    ])

    static let journal = Schema.object([
        "epoch": .count.described("Counts resets, from 1."),
        "firstSeq": .count.described("The number of the oldest push kept."),
        "lastSeq": .count.described("The number of the newest event."),
        "evicted": .count.described("How many pushes were dropped to make room."),
    ])

    private static let summary = Schema.object([
        "id": .pushID, "seq": .count, "receivedAt": .time, "token": .token.orNull, "device": .text.orNull,
        "topic": .text.orNull, "pushType": .text, "priority": .count.orNull, "title": .text.orNull,
        "body": .text.orNull, "status": .count, "reason": .text.orNull,
        "outcome": .words(PushQuery.Outcome.self), "delivery": .words(PushQuery.deliveryNames),
        "faults": .list(of: .text), "lintCount": .count.described("How many things are odd about the push."),
        "imported": .boolean,
    ])

    private static let waited: [String: Schema] = [
        "satisfied": .boolean.described("Whether there are as many as were waited for."),
        "waitedMs": .count,
        "evictedInWindow": .count.described("How many pushes asked for may have been dropped, at most."),
        "note": .text.orNull,
        "journal": .named("Journal"),
    ]

    private static let page = Schema.object(
        [
            "pushes": .list(of: .either(.named("Push"), .named("PushSummary"))),
            "matched": .count.described("How many there are, whether or not the limit let them through."),
            "nextAfter": .count.described("The number to ask on from."),
        ].merging(waited) { first, _ in first }
    )

    private static let count = Schema.object(["count": .count].merging(waited) { first, _ in first })
}

internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// The schemas of the server, its connections, and of what is wrong with a request.
enum ServiceSchemas {
    static let all: [String: Schema] = [
        "Problem": problem, "Info": info, "Connection": connection,
        "Listener": .object(["url": .text, "environment": .environment, "secure": .boolean]),
        "ConnectionPage": .object([
            "connections": .list(of: .named("Connection")), "matched": .count, "open": .count,
            "total": .count,
        ]),
        "Ready": .object(["ready": .constant(true), "listeners": listeners]),
        "Seq": .object(["seq": .count, "epoch": .count]),
        "ResetDone": .object([
            "epoch": .count, "seq": .count, "connections": .words(["open", "closed"]),
            "cleared": .dictionary(of: .count),
        ]),
    ]

    private static let listeners = Schema.list(of: .object(["name": .text, "bound": .boolean]))

    /// The members that only some kinds have are optional.
    private static let problem: Schema = {
        let common: [String: Schema] = [
            "type": .words(Problem.Kind.allCases.map { "urn:mock-apns:problem:\($0.rawValue)" }),
            "title": .text,
            "status": .count,
            "detail": .text.described("What happened this time, and what to do about it."),
            "errors": .list(
                of: .object(["path": .text, "message": .text, "suggestion": .text.orNull])
            ).described("The places that are wrong: a parameter, or a JSON Pointer into the body."),
        ]
        let some: [String: Schema] = [
            "journal": .named("Journal"), "report": .text, "count": .count, "matched": .list(of: .pushID),
            "considered": .count, "nearMisses": .list(of: .named("NearMiss")), "hints": .list(of: .text),
            "notConsidered": .object([
                "beforeAfter": .count.described("Would match, but came before the window."),
                "otherNamespaces": .dictionary(of: .count).described(
                    "Came to another namespace: pushes to the token asked for; without one, that would match."
                ),
                "evicted": .count,
            ]), "failedStep": .count, "between": .pushID.orNull,
            "unverified": .list(of: .pushID), "ready": .boolean, "stopping": .boolean,
            "listeners": listeners,
        ]
        return .object(common.merging(some) { first, _ in first }, optional: Set(some.keys))
            .described("What is wrong with a request (RFC 9457).")
    }()

    private static let connection = Schema.object([
        "id": .text, "state": .words(["open", "closed"]), "remote": .text, "environment": .environment,
        "openedAt": .time, "closedAt": .time.orNull, "closeCode": .text.orNull, "closeDetail": .text.orNull,
        "closeHint": .text.orNull, "tls": .named("TLS").orNull,
        "pushes": .count.described("How many pushes came on it to this namespace."),
        "streams": .count.described("How many requests it had, those to other namespaces included."),
        "goAways": .count, "goAwayCode": .text.orNull,
    ])

    private static let info = Schema.object([
        "version": .text, "commit": .text.orNull, "label": .text.orNull, "pid": .count, "startedAt": .time,
        "uptimeSeconds": .number,
        "listeners": .list(of: .named("Listener")),
        "api": .text.orNull, "caFile": .text.orNull, "caFingerprint": .text.orNull,
        "developmentKey": Schema.object(["keyId": .text, "teamId": .text, "path": .text.orNull]).orNull,
        "config": .dictionary(of: .object(["value": .text, "source": .text])),
        "limits": .object([
            "journalRecords": .count, "journalBytes": .count, "apiBodyBytes": .count,
            "payloadBytes": .dictionary(of: .count),
        ]),
        "seed": .text.described("As text: JavaScript's numbers lose its digits."),
        "namespaces": .list(of: .text),
        "counters": .dictionary(of: .count),
        "journal": .named("Journal"),
    ])
}

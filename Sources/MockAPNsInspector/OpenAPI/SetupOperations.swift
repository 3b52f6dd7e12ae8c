/// What the API says of keys, settings, namespaces, and the end of the server.
enum SetupOperations {
    private static let keyMembers: [String: Schema] = [
        "keyId": .text.orNull, "teamId": .text.orNull, "topics": Schema.list(of: .text).orNull,
        "environment": Schema.words(KeyShape.Scope.self).orNull,
    ]
    private static let namespaceProblems: [Problem.Kind] = [.unknownNamespace, .namespaceGone]

    static let table = OperationTable(
        name: "setup",
        description: "Keys, settings and namespaces, while the server runs.",
        operations: [
            Operation(
                "GET",
                "/api/v1/keys",
                "List signing keys",
                answers: [
                    .list(.named("KeyList"), line: .named("Key"), "The keys, without their private part.")
                ]
            ),
            Operation(
                "POST",
                "/api/v1/keys",
                "Add a signing key",
                body: Operation.Body(
                    schema: .closed(
                        keyMembers.merging(["publicKey": .text.orNull, "p8": .text.orNull]) { first, _ in
                            first
                        },
                        required: ["keyId", "teamId"]
                    ),
                    example: [
                        "keyId": "ABC123DEFG", "teamId": "TEAM123456",
                        "publicKey": "-----BEGIN PUBLIC KEY-----…",
                    ]
                ),
                answers: [.json(.named("Key"), "The key.", status: 201)],
                problems: [.keyTaken, .unusableValue]
            ),
            Operation(
                "POST",
                "/api/v1/keys/generate",
                "Make a signing key",
                body: Operation.Body(
                    schema: .closed(keyMembers),
                    example: ["teamId": "TEAM123456"],
                    isRequired: false
                ),
                answers: [.json(.named("KeyGenerated"), "The key, with its .p8 file.", status: 201)],
                problems: [.keyTaken, .unusableValue]
            ),
            Operation(
                "GET",
                "/api/v1/keys/{keyId}",
                "Show a signing key",
                answers: [.json(.named("Key"), "The key.")],
                problems: [.unknownKey]
            ),
            Operation(
                "DELETE",
                "/api/v1/keys/{keyId}",
                "Remove a signing key",
                answers: [.nothing("It is gone.")],
                problems: [.unknownKey]
            ),
            Operation(
                "GET",
                "/api/v1/settings",
                "Show what can be set while the server runs",
                answers: [.json(.named("Settings"), "The settings.")]
            ),
            Operation(
                "PATCH",
                "/api/v1/settings",
                "Change settings",
                description: "All at once: no push is judged by half of a change.",
                body: Operation.Body(
                    schema: .closed(Dictionary(uniqueKeysWithValues: settings)),
                    example: ["unknownTokens": "reject"]
                ),
                answers: [.json(.named("Settings"), "The settings.")]
            ),
            Operation(
                "GET",
                "/api/v1/namespaces",
                "List namespaces",
                answers: [.list(.named("NamespaceList"), line: .named("Namespace"), "The namespaces.")]
            ),
            Operation(
                "POST",
                "/api/v1/namespaces",
                "Make a namespace",
                description:
                    "A world of its own: journal, devices, keys, faults, clock, settings and feedback.",
                body: Operation.Body(
                    schema: .closed(
                        [
                            "name": .text(atLeast: 1), "listener": .boolean.orNull,
                            "environment": .environment.orNull, "ttl": .text.orNull, "inherit": .text.orNull,
                        ],
                        required: ["name"]
                    ),
                    example: ["name": "t-42", "ttl": "10m"]
                ),
                answers: [.json(.named("Namespace"), "The namespace, with its address.", status: 201)],
                problems: [
                    .namespaceTaken, .tooManyNamespaces, .unusableValue, .unknownNamespace, .cannotListen,
                    .notReady,
                ]
            ),
            Operation(
                "GET",
                "/api/v1/namespaces/{namespace}",
                "Show a namespace",
                answers: [.json(.named("Namespace"), "The namespace.")],
                problems: namespaceProblems
            ),
            Operation(
                "PATCH",
                "/api/v1/namespaces/{namespace}",
                "Change how long a namespace may be idle",
                body: Operation.Body(schema: .closed(["ttl": .text]), example: ["ttl": "1h"]),
                answers: [.json(.named("Namespace"), "The namespace.")],
                problems: namespaceProblems + [.standardNamespace]
            ),
            Operation(
                "DELETE",
                "/api/v1/namespaces/{namespace}",
                "Remove a namespace",
                description: "Its port is closed, and its waits end.",
                answers: [.nothing("It is gone.")],
                problems: namespaceProblems + [.standardNamespace]
            ),
            Operation(
                "POST",
                "/api/v1/shutdown",
                "Stop the server",
                description: "Only with --allow-shutdown.",
                body: Operation.Body(schema: .closed([:]), example: [:], isRequired: false),
                answers: [.json(.object(["stopping": .constant(true)]), "It stops.", status: 202)],
                problems: [.shutdownNotAllowed]
            ),
        ],
        schemas: [
            "Key": .object(key), "KeyList": .object(["keys": .list(of: .named("Key")), "auth": .text]),
            "KeyGenerated": .object(
                key.merging(["p8": .text, "fileName": .text]) { first, _ in first }
            ),
            "Settings": .object(Dictionary(uniqueKeysWithValues: settings)),
            "Namespace": .object([
                "name": .text, "apns": .text.orNull, "api": .text, "seq": .count, "epoch": .count,
                "pushes": .count,
                "ttlSeconds": .number.orNull, "idleSeconds": .number.orNull,
                "listeners": .list(
                    of: .object(["url": .text, "environment": .environment, "secure": .boolean])
                ),
            ]),
            "NamespaceList": .object(["namespaces": .list(of: .named("Namespace"))]),
        ]
    )

    private static let key: [String: Schema] = [
        "keyId": .text, "teamId": .text, "topics": Schema.list(of: .text).orNull,
        "environment": .words(KeyShape.Scope.self), "publicKey": .text, "origin": .words(["start", "api"]),
    ]

    private static let settings = RunTimeSetting.all.map { ($0.name, Schema.anything) }
}

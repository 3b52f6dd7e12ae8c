internal import MockAPNsAPI
internal import MockAPNsFormats

/// What the API says of `/api/v1/namespaces`.
enum NamespaceOperations {
    static let table = OperationTable(
        name: "namespaces",
        description:
            "Worlds of their own, so that tests that run at the same time do not see each other's pushes.",
        operations: [
            Operation(
                "GET",
                "/api/v1/namespaces",
                "List namespaces",
                answers: [.list(NamespaceListShape.self, "The namespaces.")]
            ),
            Operation(
                "POST",
                "/api/v1/namespaces",
                "Make a namespace",
                description: "Its listener accepts connections when this answers.",
                body: Operation.Body(
                    schema: .closed(
                        [
                            "name": .namespaceName,
                            "listener": Schema.boolean.orNull.defaulting(to: true).described(
                                "Whether it has a port of its own."
                            ),
                            "environment": Schema.environment.orNull.described("That of its listener."),
                            "ttl": ttl,
                            "inherit": Schema.text(atLeast: 1).orNull.described(
                                "The namespace whose keys and settings it begins with, or none."
                            ),
                        ],
                        required: ["name"]
                    ),
                    example: ["name": "t-42", "ttl": "10m"]
                ),
                answers: [.json(NamespaceShape.self, "The namespace.", status: 201)],
                problems: [.namespaceTaken, .unusableValue, .tooManyNamespaces, .cannotListen, .notReady]
            ),
            Operation(
                "GET",
                "/api/v1/namespaces/{namespace}",
                "Show a namespace",
                answers: [.json(NamespaceShape.self, "The namespace.")],
                problems: [.unknownNamespace]
            ),
            Operation(
                "PATCH",
                "/api/v1/namespaces/{namespace}",
                "Let a namespace stay longer, or shorter",
                body: Operation.Body(schema: .closed(["ttl": ttl]), example: ["ttl": "1h"]),
                answers: [.json(NamespaceShape.self, "The namespace.")],
                problems: [.unknownNamespace, .standardNamespace]
            ),
            Operation(
                "DELETE",
                "/api/v1/namespaces/{namespace}",
                "Remove a namespace",
                description: "Its connections end, and waits on it with them.",
                answers: [.nothing("It is gone, and its port is closed.")],
                problems: [.unknownNamespace, .standardNamespace]
            ),
        ],
        schemas: [:]
    )

    private static let ttl = Schema.duration.orNull.described(
        "It is removed when nobody has used it for so long, from 1s on; null for as long as the server."
    )
}

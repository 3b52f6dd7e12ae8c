internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats

/// What the API says of `/api/v1/keys`.
enum KeyOperations {
    static let table = OperationTable(
        name: "keys",
        description: "The keys that provider tokens may be signed with.",
        operations: [
            Operation(
                "GET",
                "/api/v1/keys",
                "List keys",
                answers: [.list(KeyListShape.self, "The keys.")]
            ),
            Operation(
                "POST",
                "/api/v1/keys",
                "Add a key",
                description: "Takes one of publicKey and p8. Of a .p8 file only the public half is kept.",
                body: Operation.Body(
                    schema: .closed(
                        scope.merging([
                            "keyId": .keyID, "teamId": .keyID,
                            "publicKey": Schema.text(atLeast: 1).orNull.described("A key on P-256, in PEM."),
                            "p8": Schema.text(atLeast: 1).orNull.described(
                                "The text of an AuthKey_<keyId>.p8 file."
                            ),
                        ]) { first, _ in first },
                        required: ["keyId", "teamId"]
                    ),
                    example: [
                        "keyId": "ABC123DEFG", "teamId": "DEF123GHIJ", "topics": ["com.example.app"],
                        "publicKey": .string(publicKey),
                    ]
                ),
                answers: [.json(KeyShape.self, "The key.", status: 201)],
                problems: [.keyTaken, .unusableValue]
            ),
            Operation(
                "POST",
                "/api/v1/keys/generate",
                "Make a key",
                description: "The only answer that ever has the private half.",
                body: Operation.Body(
                    schema: .closed(
                        scope.merging(["keyId": Schema.keyID.orNull, "teamId": Schema.keyID.orNull]) {
                            first,
                            _ in first
                        }
                    ),
                    example: ["topics": ["com.example.app"]],
                    isRequired: false
                ),
                answers: [.json(KeyGeneratedShape.self, "The key, with its .p8 file.", status: 201)],
                problems: [.keyTaken, .unusableValue]
            ),
            Operation(
                "GET",
                "/api/v1/keys/{keyId}",
                "Show a key",
                answers: [.json(KeyShape.self, "The key.")],
                problems: [.unknownKey]
            ),
            Operation(
                "DELETE",
                "/api/v1/keys/{keyId}",
                "Take a key away",
                answers: [.nothing("Tokens signed with it are refused.")],
                problems: [.unknownKey]
            ),
        ],
        schemas: [:]
    )

    private static let topics = Schema.listWithEntries(of: .topic)

    /// What a key is for, in a request.
    private static let scope: [String: Schema] = [
        "topics": topics.orNull.described("Every topic without; 400 at most."),
        "environment": Schema.environments.orNull.described("Both without."),
    ]

    private static let publicKey = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt
        6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==
        -----END PUBLIC KEY-----

        """
}

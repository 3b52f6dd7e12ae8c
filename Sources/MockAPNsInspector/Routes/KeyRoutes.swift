internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// The keys that provider tokens may be signed with.
enum KeyRoutes {
    static let group = RouteGroup(
        "keys",
        "The keys that provider tokens may be signed with.",
        [
            Route("GET", "/api/v1/keys", "List keys", answer: list)
                .gives(.list(KeyListShape.self, "The keys.")),
            Route("POST", "/api/v1/keys", "Add a key", answer: add)
                .detail("Takes one of publicKey and p8. Of a .p8 file only the public half is kept.")
                .reads(
                    Route.Body(
                        schema: .closed(
                            scopeSchema.merging([
                                "keyId": .keyID, "teamId": .keyID,
                                "publicKey": Schema.text(atLeast: 1).orNull.described(
                                    "A key on P-256, in PEM."
                                ),
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
                    )
                )
                .gives(.json(KeyShape.self, "The key.", status: 201))
                .fails(.keyTaken, .unusableValue),
            Route("POST", "/api/v1/keys/generate", "Make a key", answer: generate)
                .detail("The only answer that ever has the private half.")
                .reads(
                    Route.Body(
                        schema: .closed(
                            scopeSchema.merging(["keyId": Schema.keyID.orNull, "teamId": Schema.keyID.orNull])
                            {
                                first,
                                _ in first
                            }
                        ),
                        example: ["topics": ["com.example.app"]],
                        isRequired: false
                    )
                )
                .gives(.json(KeyGeneratedShape.self, "The key, with its .p8 file.", status: 201))
                .fails(.keyTaken, .unusableValue),
            Route("GET", "/api/v1/keys/{keyId}", "Show a key", answer: one)
                .gives(.json(KeyShape.self, "The key."))
                .fails(.unknownKey),
            Route("DELETE", "/api/v1/keys/{keyId}", "Take a key away", answer: remove)
                .gives(.nothing("Tokens signed with it are refused."))
                .fails(.unknownKey),
        ]
    )

    private static let topicsSchema = Schema.listWithEntries(of: .topic)

    /// What a key is for, in a request.
    private static let scopeSchema: [String: Schema] = [
        "topics": topicsSchema.orNull.described("Every topic without; 400 at most."),
        "environment": Schema.environments.orNull.described("Both without."),
    ]

    private static let publicKey = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt
        6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==
        -----END PUBLIC KEY-----

        """

    private static let keyMembers = ["keyId", "teamId", "topics", "environment"]

    static func list(_ call: Route.Call) throws(Problem) -> APIResponse {
        .list(ring(call).all.map(APIObject<KeyShape>.init), call.request) { keys in
            APIObject<KeyListShape> {
                $0.auth = authentication(call)
                $0.keys = keys
            }
        }
    }

    static func one(_ call: Route.Call) throws(Problem) -> APIResponse {
        let keyID = call.pathParts["keyId"] ?? ""
        guard let entry = ring(call)[keyID] else { throw unknown(keyID, call) }
        return .json(APIObject<KeyShape>(entry))
    }

    static func add(_ call: Route.Call) throws(Problem) -> APIResponse {
        var body = try BodyReader(
            call.request.body,
            known: keyMembers + ["publicKey", "p8"],
            null: .absent
        )
        let keyID = body.required("keyId", identifier)
        let teamID = body.required("teamId", identifier)
        let (topics, environment) = scope(&body)
        let publicKey = body.optional("publicKey", .text("a public key on P-256, in PEM"))
        let privateKey = body.optional("p8", .text("the text of an AuthKey_<keyId>.p8 file"))
        switch (publicKey, privateKey) {
        case (nil, nil) where !body.has("publicKey") && !body.has("p8"):
            body.complain(
                "is missing; expected a public key on P-256 in PEM here, or a .p8 file as 'p8'",
                at: "publicKey"
            )
        case (.some, .some):
            body.complain("says the same as 'publicKey'; expected one of them", at: "p8")
        default: break
        }
        try body.finish()
        guard let keyID, let teamID, let pem = publicKey ?? privateKey else {
            preconditionFailure("a description without complaints is whole")
        }
        let key = ProviderKey(keyID: keyID, teamID: teamID, topics: topics, environment: environment)
        let entry = try register(key, pem: pem, member: publicKey == nil ? "p8" : "publicKey", call)
        return .created(APIObject<KeyShape>(entry), at: path(entry))
    }

    /// `POST /api/v1/keys/generate`: the only answer that ever has a private key in it.
    static func generate(_ call: Route.Call) throws(Problem) -> APIResponse {
        var body = try BodyReader(call.request.body, known: keyMembers, null: .absent, emptyBody: [:])
        let keyID = body.optional("keyId", identifier)
        let teamID = body.optional("teamId", identifier)
        let (topics, environment) = scope(&body)
        try body.finish()
        let made: DevelopmentKey
        do {
            // Without a team of its own, the key is related to the one that is there already.
            made = try DevelopmentKey.make(
                keyID: keyID,
                teamID: teamID ?? call.subject.developmentKey?.teamID
            )
        } catch {
            throw Problem(kind: .unusableValue, detail: "The key could not be made: \(error).")
        }
        let key = ProviderKey(
            keyID: made.keyID,
            teamID: made.teamID,
            topics: topics,
            environment: environment
        )
        let entry = try register(key, pem: made.privateKeyPEM, member: "keyId", call)
        let generated = APIObject<KeyGeneratedShape> {
            $0.fileName = "AuthKey_\(made.keyID).p8"
            $0.key = APIObject(entry)
            $0.p8 = made.privateKeyPEM
        }
        return .created(generated, at: path(entry))
    }

    static func remove(_ call: Route.Call) throws(Problem) -> APIResponse {
        let keyID = call.pathParts["keyId"] ?? ""
        guard ring(call).remove(keyID) else { throw unknown(keyID, call) }
        return .done
    }

    // MARK: How

    private static func ring(_ call: Route.Call) -> KeyRing { KeyRing(of: call.subject.world) }

    /// Where tokens are not verified, keys decide less than one thinks.
    private static func authentication(_ call: Route.Call) -> String {
        call.subject.world.ruleset.options.authentication.rawValue
    }

    private static let identifier = Form<String>(ofText: "ten capital letters and digits, such as ABC123DEFG")
    { text in
        ProviderKey.isIdentifier(text) ? text : nil
    }

    /// The topics and the environment that a key is for.
    private static func scope(_ body: inout BodyReader) -> (Set<String>?, Environment?) {
        let topics = body.list("topics", .text("a bundle identifier"))
        if body.value["topics"] == .array([]) {
            body.complain("is an empty list; without it, the key is for every topic", at: "topics")
        }
        if let count = topics?.count, count > ProviderKey.maximumTopics {
            body.complain(
                "has \(count) entries; a key is for \(ProviderKey.maximumTopics) topics at most",
                at: "topics"
            )
        }
        let environment = body.optional("environment", Form<KeyScope>.word)
        return (topics.map { Set($0) }, environment?.environment)
    }

    private static func register(
        _ key: ProviderKey,
        pem: String,
        member: String,
        _ call: Route.Call
    ) throws(Problem) -> KeyRing.Entry {
        let entry: KeyRing.Entry?
        do {
            entry = try ring(call).add(key, pem: pem)
        } catch {
            throw Problem(
                kind: .unusableValue,
                detail: "'/\(member)' is no key that APNs would take: \(error)",
                complaints: [
                    Complaint(path: "/\(member)", message: error.description)
                ]
            )
        }
        if let entry { return entry }
        let message = "there is a key \(key.keyID) already; DELETE /api/v1/keys/\(key.keyID) takes it away"
        throw Problem(
            kind: .keyTaken,
            detail: "'/keyId': " + Problem.sentence(message),
            complaints: [Complaint(path: "/keyId", message: message)]
        )
    }

    private static func path(_ entry: KeyRing.Entry) -> String { "/api/v1/keys/\(entry.key.keyID)" }

    private static func unknown(_ keyID: String, _ call: Route.Call) -> Problem {
        .unknown(
            .unknownKey,
            "There is no key '\(keyID)'",
            keyID,
            "is the identifier of no key",
            among: ring(call).all.map(\.key.keyID)
        )
    }
}

internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

enum KeyRoutes {
    static let routes: [Route] = [
        .get("/api/v1/keys", "List keys", list).gives(.list(KeyListShape.self, "The keys.")),
        .post("/api/v1/keys", "Add a key", reads: draft, add).detail(
            "Requires publicKey or p8. Only the public key of a .p8 file is kept."
        ).gives(.json(KeyShape.self, "The key.", status: 201)).fails(.keyTaken, .unusableValue),
        .post("/api/v1/keys/generate", "Generate a key", reads: generation, generate).detail(
            "Only this response has the private key."
        ).gives(.json(KeyGeneratedShape.self, "The key, with its .p8 file.", status: 201)).fails(
            .keyTaken, .unusableValue),
        .get("/api/v1/keys/{keyId}", "Get a key", one).gives(.json(KeyShape.self, "The key.")).fails(.unknownKey),
        .delete("/api/v1/keys/{keyId}", "Delete a key", remove).gives(
            .nothing("Deleted; provider tokens signed with it are rejected.")
        ).fails(.unknownKey),
    ]

    private static let publicKey = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt
        6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==
        -----END PUBLIC KEY-----

        """

    private struct Draft: Sendable {
        var keyID: String?
        var teamID: String?
        var topics: Set<String>?
        var environment: Environment?
        var pem = ""
        /// The member with the PEM, for errors.
        var member = ""
    }

    private static let draft = RequestBody<Draft>(
        .object(
            Draft(),
            [.required("keyId", identifier) { $0.keyID = $1 }, .required("teamId", identifier) { $0.teamID = $1 }]
                + scope + [
                    .optional("publicKey", .text("a public key on P-256, in PEM"), "A key on P-256, in PEM.") {
                        ($0.pem, $0.member) = ($1, "publicKey")
                    },
                    .optional(
                        "p8", .text("the text of an AuthKey_<keyId>.p8 file"), "The text of an AuthKey_<keyId>.p8 file."
                    ) { ($0.pem, $0.member) = ($1, "p8") },
                ]
        ) { _, given, body in
            switch (given["publicKey"] ?? .null, given["p8"] ?? .null) {
            case (.null, .null):
                body.complain(
                    "is missing; expected a public key on P-256 in PEM here, or a .p8 file as 'p8'", at: "publicKey")
            case (.null, _), (_, .null): break
            default: body.complain("cannot be combined with 'publicKey'; expected one of them", at: "p8")
            }
        }, use: .draft,
        example: [
            "keyId": "ABC123DEFG", "teamId": "DEF123GHIJ", "topics": ["com.example.app"],
            "publicKey": .string(publicKey),
        ])

    private static let generation = RequestBody<Draft>(
        .object(
            Draft(),
            [.optional("keyId", identifier) { $0.keyID = $1 }, .optional("teamId", identifier) { $0.teamID = $1 }]
                + scope), use: .draft, isRequired: false, example: ["topics": ["com.example.app"]])

    private static let scope: [Field<Draft>] = [
        .optional("topics", topics, "Up to 400 topics; all topics by default.") { $0.topics = Set($1) },
        .optional("environment", Form<KeyScope>.word, "Both by default.") { $0.environment = $1.environment },
    ]

    private static let topics = Form<[String]>.list(
        of: .text("a bundle identifier", schema: .topic), emptyHint: "without it, the key is for every topic"
    ).map { topics, body in
        if topics.count <= ProviderKey.maximumTopics { return topics }
        body.complain("has \(topics.count) entries; a key is for \(ProviderKey.maximumTopics) topics at most")
        return nil
    }

    private static let identifier = Form<String>(
        ofText: "ten capital letters and digits, such as ABC123DEFG", schema: .keyID
    ) { ProviderKey.isIdentifier($0) ? $0 : nil }

    static func list(_ call: Route.Call) throws(Problem) -> APIResponse {
        // Without verification of provider tokens, keys have less effect than it seems.
        let authentication = call.subject.world.ruleset.options.authentication
        return .list(\KeyListShape.keys, of: (ring(call).all, authentication), call.request)
    }

    static func one(_ call: Route.Call) throws(Problem) -> APIResponse {
        let keyID = call.pathParts["keyId"] ?? ""
        guard let entry = ring(call)[keyID] else { throw unknown(keyID, call) }
        return .json(APIObject<KeyShape>(entry))
    }

    private static func add(_ call: Route.Call, _ draft: Draft) throws(Problem) -> APIResponse {
        let entry = try register(draft, call)
        return .created(APIObject<KeyShape>(entry), at: path(entry))
    }

    private static func generate(_ call: Route.Call, _ draft: Draft) throws(Problem) -> APIResponse {
        let made: DevelopmentKey
        do {
            // By default, the new key is in the team of the development key.
            made = try DevelopmentKey.make(
                keyID: draft.keyID, teamID: draft.teamID ?? call.subject.developmentKey?.teamID)
        } catch { throw Problem(.unusableValue, "The key could not be made: \(error).") }
        var draft = draft
        (draft.keyID, draft.teamID) = (made.keyID, made.teamID)
        (draft.pem, draft.member) = (made.privateKeyPEM, "keyId")
        let entry = try register(draft, call)
        let generated = APIObject<KeyGeneratedShape>((entry, made.privateKeyPEM))
        return .created(generated, at: path(entry))
    }

    static func remove(_ call: Route.Call) throws(Problem) -> APIResponse {
        let keyID = call.pathParts["keyId"] ?? ""
        guard ring(call).remove(keyID) else { throw unknown(keyID, call) }
        return .done
    }

    private static func ring(_ call: Route.Call) -> KeyRing { KeyRing(of: call.subject.world) }

    private static func register(_ draft: Draft, _ call: Route.Call) throws(Problem) -> KeyRing.Entry {
        let key = ProviderKey(
            keyID: draft.keyID ?? "", teamID: draft.teamID ?? "", topics: draft.topics, environment: draft.environment)
        let entry: KeyRing.Entry?
        do { entry = try ring(call).add(key, pem: draft.pem) } catch {
            throw Problem(
                .unusableValue, "'/\(draft.member)' is not a key that APNs would take: \(error)",
                complaints: [Complaint(path: "/\(draft.member)", message: error.description)])
        }
        if let entry { return entry }
        let message = "the key \(key.keyID) already exists; DELETE /api/v1/keys/\(key.keyID) deletes it"
        throw Problem(.keyTaken, refusing: "/keyId", message)
    }

    private static func path(_ entry: KeyRing.Entry) -> String { "/api/v1/keys/\(entry.key.keyID)" }

    private static func unknown(_ keyID: String, _ call: Route.Call) -> Problem {
        .unknown(
            .unknownKey, "There is no key '\(keyID)'", keyID, "is not the identifier of a key",
            among: ring(call).all.map(\.key.keyID))
    }
}

internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// Worlds of their own, so that tests that run at the same time do not see each other's pushes.
enum NamespaceRoutes {
    static let group = RouteGroup(
        "namespaces",
        "Worlds of their own, so that tests that run at the same time do not see each other's pushes.",
        [
            Route("GET", "/api/v1/namespaces", "List namespaces", answer: list)
                .gives(.list(NamespaceListShape.self, "The namespaces.")),
            Route("POST", "/api/v1/namespaces", "Make a namespace", answer: add)
                .detail("Its listener accepts connections when this answers.")
                .reads(
                    Route.Body(
                        schema: .closed(
                            [
                                "name": .namespaceName,
                                "listener": Schema.boolean.orNull.defaulting(to: true).described(
                                    "Whether it has a port of its own."
                                ),
                                "environment": Schema.environment.orNull.described("That of its listener."),
                                "ttl": ttlSchema,
                                "inherit": Schema.text(atLeast: 1).orNull.described(
                                    "The namespace whose keys and settings it begins with, or none."
                                ),
                            ],
                            required: ["name"]
                        ),
                        example: ["name": "t-42", "ttl": "10m"]
                    )
                )
                .gives(.json(NamespaceShape.self, "The namespace.", status: 201))
                .fails(.namespaceTaken, .unusableValue, .tooManyNamespaces, .cannotListen, .notReady),
            Route("GET", "/api/v1/namespaces/{namespace}", "Show a namespace", answer: one)
                .gives(.json(NamespaceShape.self, "The namespace."))
                .fails(.unknownNamespace),
            Route(
                "PATCH",
                "/api/v1/namespaces/{namespace}",
                "Let a namespace stay longer, or shorter",
                answer: change
            )
            .reads(Route.Body(schema: .closed(["ttl": ttlSchema]), example: ["ttl": "1h"]))
            .gives(.json(NamespaceShape.self, "The namespace."))
            .fails(.unknownNamespace, .standardNamespace),
            Route("DELETE", "/api/v1/namespaces/{namespace}", "Remove a namespace", answer: remove)
                .detail("Its connections end, and waits on it with them.")
                .gives(.nothing("It is gone, and its port is closed."))
                .fails(.unknownNamespace, .standardNamespace),
        ]
    )

    private static let ttlSchema = Schema.duration.orNull.described(
        "It is removed when nobody has used it for so long, from 1s on; null for as long as the server."
    )

    /// What `inherit` says for a namespace that begins with nothing.
    private static let nothing = "none"

    static func list(_ call: Route.Call) throws(Problem) -> APIResponse {
        let all = call.subject.server.namespaces.all
        return .list(all.map { APIObject<NamespaceShape>($0, call) }, call.request) { namespaces in
            APIObject<NamespaceListShape> { $0.namespaces = namespaces }
        }
    }

    static func one(_ call: Route.Call) throws(Problem) -> APIResponse {
        .json(APIObject<NamespaceShape>(try named(call), call))
    }

    static func add(_ call: Route.Call) async throws(Problem) -> APIResponse {
        let namespaces = call.subject.server.namespaces
        var body = try BodyReader(
            call.request.body,
            known: ["name", "listener", "environment", "ttl", "inherit"],
            null: .absent
        )
        let name = body.required("name", self.name)
        let hasListener = body.optional("listener", .boolean) ?? true
        let environment = body.optional("environment", environment)
        let ttl = body.optional("ttl", ttl)
        let source = body.optional("inherit", source(among: namespaces))
        try body.finish()
        var draft = Namespaces.Draft(name: name ?? "")
        draft.hasListener = hasListener
        draft.environment = environment
        draft.ttl = ttl ?? nil
        draft.source = source ?? namespaces.standard
        let made: Namespace
        do {
            made = try await namespaces.add(draft)
        } catch {
            throw Problem(error)
        }
        return .created(APIObject<NamespaceShape>(made, call), at: "/api/v1/namespaces/\(made.name)")
    }

    static func change(_ call: Route.Call) throws(Problem) -> APIResponse {
        let namespace = try named(call)
        var body = try BodyReader(call.request.body, known: ["ttl"])
        let ttl = body.optional("ttl", ttl)
        try body.finish()
        if let ttl {
            if namespace.isStandard, ttl != nil {
                throw standard("has no ttl: it stays as long as the server")
            }
            namespace.setTTL(ttl)
        }
        return .json(APIObject<NamespaceShape>(namespace, call))
    }

    static func remove(_ call: Route.Call) async throws(Problem) -> APIResponse {
        let namespace = try named(call)
        if namespace.isStandard {
            throw standard("cannot be removed; POST /api/v1/reset puts it back to the start")
        }
        guard await call.subject.server.namespaces.remove(namespace.name) else {
            throw unknown(namespace.name, of: call.subject.server)
        }
        return .done
    }

    // MARK: Finding

    /// The namespace that a path names, percent-encoded.
    static func namespace(_ encoded: String, of server: MockAPNsServer) throws(Problem) -> Namespace {
        let name = PercentEncoding.decode(encoded) ?? encoded
        guard let namespace = server.namespaces[name] else { throw unknown(name, of: server) }
        return namespace
    }

    /// What to say when there is no namespace of this name.
    static func unknown(_ name: String, of server: MockAPNsServer) -> Problem {
        .unknown(
            .unknownNamespace,
            "There is no namespace '\(name)', or not any more",
            name,
            "is the name of no namespace",
            among: server.namespaces.all.map(\.name)
        )
    }

    private static func named(_ call: Route.Call) throws(Problem) -> Namespace {
        let name = call.pathParts["namespace"] ?? ""
        guard let namespace = call.subject.server.namespaces[name] else {
            throw unknown(name, of: call.subject.server)
        }
        return namespace
    }

    private static func standard(_ what: String) -> Problem {
        Problem(
            kind: .standardNamespace,
            detail: "The namespace '\(Namespace.standardName)' \(what)."
        )
    }

    // MARK: Reading

    private static let name = Form<String>(ofText: "1 to 64 letters, digits or -._") {
        Namespaces.isName($0) ? $0 : nil
    }

    private static let environment = Form.words(Environment.allCases, \.name)

    /// A time to live, or `null` for none.
    private static let ttl = Form<Duration?>(
        expected: "a duration from 1s to 36525d, such as 10m, or null for as long as the server"
    ) { value in
        if case .null = value { return .some(nil) }
        guard case .string(let text) = value, let duration = DurationText.microseconds(text),
            (1_000_000...DurationText.longest).contains(duration)
        else { return nil }
        return .some(.microseconds(duration))
    }

    /// Whose keys and settings a namespace begins with.
    private static func source(among namespaces: Namespaces) -> Form<Namespace?> {
        let names = namespaces.all.map(\.name) + [nothing]
        return Form(
            expected: "the name of a namespace, or \(nothing)",
            candidates: names
        ) { value in
            guard case .string(let text) = value else { return nil }
            if text == nothing { return .some(nil) }
            return namespaces[text].map { .some($0) }
        }
    }
}

extension Problem {
    fileprivate init(_ error: NamespaceError) {
        let kind: Kind =
            switch error.code {
            case .nameTaken: .namespaceTaken
            case .badName: .unusableValue
            case .tooMany: .tooManyNamespaces
            case .cannotListen: .cannotListen
            case .stopping: .notReady
            }
        self.init(kind: kind, detail: Problem.sentence(error.description))
    }
}

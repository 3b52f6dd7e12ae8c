internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsLog
internal import MockAPNsRules
internal import MockAPNsWorld

enum NamespaceRoutes {
    static let routes: [Route] = [
        .get("/api/v1/namespaces", "List namespaces", list).gives(.list(NamespaceListShape.self, "The namespaces.")),
        .post("/api/v1/namespaces", "Create a namespace", reads: draft, add).detail(
            "Its listener accepts connections before the response is sent."
        ).gives(.json(NamespaceShape.self, "The namespace.", status: 201)).fails(
            .namespaceTaken, .unusableValue, .tooManyNamespaces, .cannotListen, .notReady),
        .get("/api/v1/namespaces/{namespace}", "Get a namespace", one).gives(
            .json(NamespaceShape.self, "The namespace.")
        ).fails(.unknownNamespace),
        .patch("/api/v1/namespaces/{namespace}", "Change the time to live of a namespace", change).reads(changeBody)
            .gives(.json(NamespaceShape.self, "The namespace.")).fails(.unknownNamespace, .standardNamespace),
        .delete("/api/v1/namespaces/{namespace}", "Delete a namespace", remove).detail(
            "Closes its connections and ends requests that wait for its pushes."
        ).gives(.nothing("Deleted, and its port is closed.")).fails(.unknownNamespace, .standardNamespace),
    ]

    private struct Draft: Sendable {
        var namespace = Namespaces.Draft(name: "")
        /// The namespace from which keys and settings are copied.
        var inherit = Namespace.standardName
    }

    private static let draft = RequestBody<Draft>(
        .object(
            Draft(), .required("name", name) { $0.namespace.name = $1 },
            .optional("listener", .boolean, "Whether it has its own port.", default: true) {
                $0.namespace.hasListener = $1
            }, .optional("environment", .word, "Environment of its listener.") { $0.namespace.environment = $1 },
            .optional("ttl", ttl, ttlMeaning) { $0.namespace.ttl = $1 },
            .optional(
                "inherit", .text("the name of a namespace, or \(nothing)"),
                "Namespace whose keys and settings are copied, or none."
            ) { $0.inherit = $1 }), use: .draft, example: ["name": "t-42", "ttl": "10m"])

    private static let changeBody = RequestBody<Duration??>(
        .object(nil, .optional("ttl", ttl, ttlMeaning) { $0 = .some($1) }), example: ["ttl": "1h"])

    private static let name = Form<String>(ofText: "1 to 64 letters, digits or -._", schema: .namespaceName) {
        Namespaces.isName($0) ? $0 : nil
    }

    private static let ttl = Form<Duration?>(
        expected: "a duration from 1s to 36525d, such as 10m, or null for as long as the server", schema: .duration
    ) { value in
        if case .null = value { return .some(nil) }
        guard case .string(let text) = value, let duration = DurationText.microseconds(text),
            (1_000_000...DurationText.longest).contains(duration)
        else { return nil }
        return .some(.microseconds(duration))
    }.described { $0 == .draft ? .duration : Schema.duration.orNull }

    private static let ttlMeaning =
        "Deleted after this time without use, at least 1s; null to keep it as long as the server runs."

    /// The value of `inherit` for a namespace without inherited keys and settings.
    private static let nothing = "none"

    static func list(_ call: Route.Call) throws(Problem) -> APIResponse {
        let source = (namespaces: call.subject.server.namespaces.all, host: call.request.hosts.first)
        return .list(\NamespaceListShape.namespaces, of: source, call.request)
    }

    static func one(_ call: Route.Call) throws(Problem) -> APIResponse { .json(shape(try named(call), call)) }

    private static func add(_ call: Route.Call, _ draft: Draft) async throws(Problem) -> APIResponse {
        let namespaces = call.subject.server.namespaces
        var namespace = draft.namespace
        namespace.source = try source(draft.inherit, among: namespaces)
        do {
            let made = try await namespaces.add(namespace)
            return .created(shape(made, call), at: "/api/v1/namespaces/\(made.name)")
        } catch { throw Problem(error) }
    }

    static func change(_ call: Route.Call) async throws(Problem) -> APIResponse {
        let namespace = try named(call)
        if let ttl = try changeBody.read(call) {
            if namespace.isStandard, ttl != nil { throw standard("has no ttl: it stays as long as the server") }
            do { try await namespace.setTTL(ttl) } catch { throw Problem(error) }
        }
        return .json(shape(namespace, call))
    }

    static func remove(_ call: Route.Call) async throws(Problem) -> APIResponse {
        let namespace = try named(call)
        if namespace.isStandard { throw standard("cannot be removed; POST /api/v1/reset puts it back to the start") }
        guard await call.subject.server.namespaces.remove(namespace.name) else {
            throw unknown(namespace.name, of: call.subject.server)
        }
        return .done
    }

    private static func shape(_ namespace: Namespace, _ call: Route.Call) -> APIObject<NamespaceShape> {
        NamespaceShape.object(namespace, host: call.request.hosts.first)
    }

    static func named(_ name: String, of server: MockAPNsServer) throws(Problem) -> Namespace {
        if let namespace = server.namespaces[name] { return namespace }
        if let failure = server.replica?.turns.listFailure {
            throw Problem(.notReady, "There may be a namespace '\(name)' on other servers: \(failure).")
        }
        throw unknown(name, of: server)
    }

    static func unknown(_ name: String, of server: MockAPNsServer) -> Problem {
        .unknown(
            .unknownNamespace, "There is no namespace '\(name)' (any more)", name, "is not the name of a namespace",
            among: server.namespaces.all.map(\.name))
    }

    private static func named(_ call: Route.Call) throws(Problem) -> Namespace {
        try named(call.pathParts["namespace"] ?? "", of: call.subject.server)
    }

    private static func standard(_ what: String) -> Problem {
        Problem(.standardNamespace, "The namespace '\(Namespace.standardName)' \(what).")
    }

    private static func source(_ name: String, among namespaces: Namespaces) throws(Problem) -> Namespace? {
        if name == nothing { return nil }
        if let source = namespaces[name] { return source }
        let message = "is '\(name)'; expected the name of a namespace, or \(nothing)"
        let suggestion = Suggestion.nearest(to: name, among: namespaces.all.map(\.name) + [nothing])
        let hint = suggestion.map { " (did you mean '\($0)'?)" } ?? ""
        throw Problem(
            .badBody, "'/inherit' \(message)\(hint).",
            complaints: [Complaint(path: "/inherit", message: message, suggestion: suggestion)])
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
            case .cannotKeep: .cannotKeep
            case .stopping: .notReady
            }
        self.init(kind, Problem.sentence(error.description))
    }
}

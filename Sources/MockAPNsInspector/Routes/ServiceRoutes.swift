internal import FoundationEssentials
internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsLog
internal import MockAPNsRules
internal import MockAPNsTransport
internal import MockAPNsWorld

enum ServiceRoutes {
    static let routes: [Route] = [
        .get("/livez", "Liveness probe") { _ in .json(AliveShape.self, ()) }.forAnyHost().work(.prompt).gives(
            .json(AliveShape.self, "The process is running.")),
        .get("/readyz", "Readiness probe", ready).forAnyHost().work(.prompt).gives(
            .json(ReadyShape.self, "All listeners accept connections.")
        ).fails(.notReady),
        .get("/metrics", "Get metrics for Prometheus", MetricsRoute.metrics).gives(
            .other(MetricsText.contentType, "The metrics, in the text format of Prometheus.")),
        .get("/docs", "API reference", OpenAPIRoute.page).gives(.other(HTMLText.contentType, "The page.")),
        .get("/docs/lints", "Warning reference") { _ in OpenAPIRoute.file(LintsPage.html) }.detail(
            "The learn link of a warning leads here."
        ).gives(.other(HTMLText.contentType, "The page.")),
        .get("/docs/differences", "Differences from the real service") { _ in OpenAPIRoute.file(DifferencesPage.html) }
            .detail("The descriptions of settings lead here.").gives(.other(HTMLText.contentType, "The page.")),
        .get("/docs/style.css", "Style sheet of these pages") { _ in
            OpenAPIRoute.file(DocsPage.style, DocsPage.styleType)
        }.gives(.other(DocsPage.styleType, "The style sheet.")),
        .get("/api/v1/openapi.json", "Get this document as JSON") { OpenAPIRoute.document($0) }.uses(.ignores).gives(
            .json(.dictionary(of: .anything), "An OpenAPI 3.1 document.")),
        .get("/api/v1/openapi.yaml", "Get this document as YAML") { OpenAPIRoute.document($0, as: OpenAPIRoute.yaml) }
            .uses(.ignores).gives(
                Route.Answer(
                    description: "An OpenAPI 3.1 document.", content: [OpenAPIRoute.yaml: .dictionary(of: .anything)])),
        .get("/api/v1/info", "Get server information", InfoRoute.info).uses(.ignores).gives(
            .json(InfoShape.self, "The server.")),
        .get("/api/v1/seq", "Get the newest event number", current).gives(
            .json(SequenceShape.self, "The number, for a later after=.")),
        .get("/api/v1/state/digest", "Get the digest of the world", digest).detail(
            "The same for worlds with the same changes: devices, pushes, settings and counters, not connections."
        ).gives(.json(DigestShape.self, "The digest.")), CountsRoute.route,
        .get("/api/v1/connections", "List connections to the APNs side", reads: query, connections).gives(
            .list(ConnectionPageShape.self, "The connections.")),
        .post("/api/v1/reset", "Reset the server", reads: resetBody, reset).gives(
            .json(ResetShape.self, "The number of deleted items, by kind.")),
        .post("/api/v1/shutdown", "Stop the server", reads: shutdownBody, shutDown).work(.prompt).uses(.ignores).detail(
            "Requires --allow-shutdown. The server stops once the response is sent."
        ).gives(.json(StoppingShape.self, "The server is stopping.", status: 202)).fails(.shutdownNotAllowed),
    ]

    static func ready(_ call: Route.Call) throws(Problem) -> APIResponse {
        let state = call.subject.readiness.state
        let server = call.subject.server
        let trouble =
            server.namespaces.all.lazy.compactMap { $0.keeper?.trouble }.first.map { "Changes cannot be kept: \($0)." }
            ?? server.replica?.turns.listFailure.map { "Namespaces of other servers are missing: \($0)." }
        if state.isReady, trouble == nil { return .json(ReadyShape.self, state.listeners) }
        let missing = state.listeners.filter { !$0.isBound }.map(\.name)
        throw Problem(
            .notReady,
            state.isStopping
                ? "The server is stopping." : trouble ?? "Not bound yet: \(missing.joined(separator: ", ")).",
            details: Problem.Details(state.listeners, isStopping: state.isStopping))
    }

    static func current(_ call: Route.Call) throws(Problem) -> APIResponse {
        .json(SequenceShape.self, call.subject.journal.extent)
    }

    static func digest(_ call: Route.Call) -> APIResponse { .json(DigestShape.self, call.subject.namespace.digest()) }

    private enum State: String, CaseIterable, Sendable {
        case open
        case closed
    }

    /// The connections to list.
    private struct Query: Sendable {
        var states: [State] = []
        var order = PushQuery.Order.descending
        var limit = 50
    }

    private static let query = QueryForm(
        Query(), .any("state", .word, "Open or closed.") { $0.states = $1 }, .order { $0.order = $1 },
        .limit { $0.limit = $1 })

    private static func connections(_ call: Route.Call, _ query: Query) throws(Problem) -> APIResponse {
        let known = call.subject.journal.connections
        let matching = known.filter { connection in
            query.states.isEmpty || query.states.contains(connection.closedAt == nil ? .open : .closed)
        }
        let page =
            query.order == .ascending ? Array(matching.prefix(query.limit)) : matching.suffix(query.limit).reversed()
        let headers = [("X-Mock-APNs-Matched", String(matching.count))]
        let source = (
            connections: page, context: call.subject.context, matched: matching.count,
            open: known.count { $0.closedAt == nil }, total: call.subject.journal.connectionCount
        )
        return .list(\ConnectionPageShape.connections, of: source, call.request, headers: headers)
    }

    private enum Connections: String, CaseIterable, Sendable {
        case keep
        case close
    }

    /// Returning free memory to the system takes time, so it is done only after clearing this many.
    private static let muchCleared = 10_000

    private struct Reset: Sendable {
        var parts = ResetReport.Part.allCases
        var connections = Connections.keep
    }

    private static let resetBody = RequestBody<Reset>(
        .object(
            Reset(),
            .optional("only", .list(of: .word, emptyHint: "without it, everything is reset")) { $0.parts = $1 },
            .optional("connections", .word) { $0.connections = $1 }), isRequired: false, example: ["only": ["pushes"]])

    private static func reset(_ call: Route.Call, _ wanted: Reset) async throws(Problem) -> APIResponse {
        let world = call.subject.world
        let options = world.options
        let report = world.reset(Set(wanted.parts))
        if report.cleared.values.reduce(0, +) >= muchCleared { FreeMemory.giveBack() }
        // After the reset, so that it does not clear what clients send on new connections.
        if wanted.connections == .close { await call.subject.namespace.closeConnections() }
        let settings = RunTimeSetting.differences(options, world.options)
        let state = wanted.connections == .close ? "closed" : "open"
        return .json(ResetShape.self, (report, settings, state))
    }

    private static let shutdownBody = RequestBody<Void>(.object((), []), isRequired: false, example: [:])

    static func shutDown(_ call: Route.Call, _: Void) throws(Problem) -> APIResponse {
        guard let onShutdown = call.subject.onShutdown else {
            throw Problem(
                .shutdownNotAllowed, "To allow it, start with --allow-shutdown (MOCK_APNS_ALLOW_SHUTDOWN=true).")
        }
        // The server stops only after this response is written.
        onShutdown()
        return .json(StoppingShape.self, (), status: 202)
    }
}

enum InfoRoute {
    static func info(_ call: Route.Call) async throws(Problem) -> APIResponse {
        .json(InfoShape.self, (call.subject, call.request.localPort, await KeptData(of: call.subject)))
    }
}

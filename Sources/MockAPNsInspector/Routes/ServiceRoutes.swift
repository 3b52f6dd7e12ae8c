internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsTransport
internal import MockAPNsWorld

/// The server itself.
enum ServiceRoutes {
    static let group = RouteGroup(
        "service",
        "The server itself.",
        [
            .get("/livez", "Ask whether the process runs", live)
                .forAnyHost()
                .work(.prompt)
                .gives(.json(AliveShape.self, "It does.")),
            .get("/readyz", "Ask whether every listener accepts", ready)
                .forAnyHost()
                .work(.prompt)
                .gives(.json(ReadyShape.self, "All do."))
                .fails(.notReady),
            .get("/metrics", "Take numbers for Prometheus", MetricsRoute.metrics)
                .gives(.other(MetricsText.contentType, "The text format of Prometheus.")),
            .get("/docs", "Read this document as a page", OpenAPIRoute.page)
                .gives(.other(HTMLText.contentType, "The page.")),
            .get("/docs/lints", "Read what each lint means", OpenAPIRoute.lints)
                .detail("A lint's learn leads to its place in it.")
                .gives(.other(HTMLText.contentType, "The page.")),
            .get("/docs/style.css", "Take the style of the pages", OpenAPIRoute.style)
                .gives(.other(DocsPage.styleType, "The style sheet.")),
            .get("/api/v1/openapi.json", "Take this document as JSON", OpenAPIRoute.json)
                .gives(.json(.dictionary(of: .anything), "An OpenAPI 3.1 document.")),
            .get("/api/v1/openapi.yaml", "Take this document as YAML", OpenAPIRoute.yaml)
                .gives(
                    Route.Answer(
                        description: "An OpenAPI 3.1 document.",
                        content: [OpenAPIRoute.yaml: .dictionary(of: .anything)]
                    )
                ),
            .get("/api/v1/info", "Show what the server is and how it is set up", InfoRoute.info)
                .gives(.json(InfoShape.self, "The server.")),
            .get("/api/v1/seq", "Take the number of the newest event", current)
                .gives(.json(SequenceShape.self, "Ask with after= of it afterwards.")),
            .get("/api/v1/connections", "List connections to the APNs side", connections)
                .takes(connectionQuery)
                .gives(.list(ConnectionPageShape.self, "The connections.")),
            .post("/api/v1/reset", "Go back to the start", reset)
                .reads(resetBody)
                .gives(.json(ResetShape.self, "What was cleared.")),
            .post("/api/v1/shutdown", "Stop the server", shutDown)
                .work(.prompt)
                .detail("Needs --allow-shutdown. The server stops once this answer is written.")
                .reads(shutdownBody)
                .gives(.json(StoppingShape.self, "It stops.", status: 202))
                .fails(.shutdownNotAllowed),
        ]
    )

    // MARK: Probes

    /// `GET /livez`: the process runs.
    static func live(_ call: Route.Call) throws(Problem) -> APIResponse {
        .json(APIObject<AliveShape> { $0.alive = true })
    }

    /// `GET /readyz`: every listener is bound, and the server is not going down.
    static func ready(_ call: Route.Call) throws(Problem) -> APIResponse {
        let state = call.subject.readiness.state
        let listeners = state.listeners.map { listener in
            APIObject<BoundListenerShape> {
                $0.bound = listener.isBound
                $0.name = listener.name
            }
        }
        if state.isReady {
            return .json(
                APIObject<ReadyShape> {
                    $0.listeners = listeners
                    $0.ready = true
                }
            )
        }
        let missing = state.listeners.filter { !$0.isBound }.map(\.name)
        throw Problem(
            kind: .notReady,
            detail: state.isStopping
                ? "The server is stopping."
                : "Not bound yet: \(missing.joined(separator: ", ")).",
            details: APIObject {
                $0.listeners = listeners
                $0.ready = false
                $0.stopping = state.isStopping
            }
        )
    }

    // MARK: The newest event

    static func current(_ call: Route.Call) throws(Problem) -> APIResponse {
        let extent = call.subject.journal.extent
        return .json(
            APIObject<SequenceShape> {
                $0.epoch = extent.epoch
                $0.seq = extent.lastSeq
            }
        )
    }

    // MARK: Connections

    /// Whether a connection is still there.
    private enum State: String, CaseIterable, Sendable {
        case open
        case closed
    }

    private struct ConnectionQuery: Sendable {
        var states: [State] = []
        var order = PushQuery.Order.descending
        var limit = 50
    }

    private static let connectionQuery = QueryForm(
        ConnectionQuery(),
        .any("state", .word, "Open or closed.") { $0.states = $1 },
        .order { $0.order = $1 },
        .limit { $0.limit = $1 }
    )

    private static func connections(_ call: Route.Call) throws(Problem) -> APIResponse {
        let query = try call.read(connectionQuery)
        let known = call.subject.journal.connections
        let matching = known.filter { connection in
            query.states.isEmpty || query.states.contains(connection.closedAt == nil ? .open : .closed)
        }
        let page =
            query.order == .ascending
            ? Array(matching.prefix(query.limit)) : matching.suffix(query.limit).reversed()
        let headers = [("X-Mock-APNs-Matched", String(matching.count))]
        let connections = page.map(APIObject<ConnectionShape>.init)
        return .list(connections, call.request, headers: headers) { connections in
            APIObject<ConnectionPageShape> {
                $0.connections = connections
                $0.matched = matching.count
                $0.open = known.count { $0.closedAt == nil }
                $0.total = UInt64(call.subject.journal.connectionCount)
            }
        }
    }

    // MARK: Reset

    /// What becomes of the connections to the APNs side.
    private enum Connections: String, CaseIterable, Sendable {
        case keep
        case close
    }

    /// From so many pushes and devices on, what they leave behind is worth the time to hand it to the system.
    private static let muchCleared = 10_000

    /// What is reset.
    private struct Reset: Sendable {
        var parts = ResetReport.Part.allCases
        var connections = Connections.keep
    }

    private static let resetBody = RequestBody<Reset>(
        .object(
            Reset(),
            .optional("only", .list(of: .word, emptyHint: "without it, everything is reset")) {
                $0.parts = $1
            },
            .optional("connections", .word) { $0.connections = $1 }
        ),
        isRequired: false,
        example: ["only": ["pushes"]]
    )

    static func reset(_ call: Route.Call) async throws(Problem) -> APIResponse {
        let wanted = try call.read(resetBody)
        let world = call.subject.world
        let options = world.options
        let report = world.reset(Set(wanted.parts))
        if report.pushes + report.devices >= muchCleared { FreeMemory.giveBack() }
        // Afterwards, so that nothing that a connection still sends in between outlives the reset.
        if wanted.connections == .close { await call.subject.namespace.closeConnections() }
        let settings = RunTimeSetting.differences(options, world.options)
        let state = wanted.connections == .close ? "closed" : "open"
        return .json(APIObject<ResetShape>(report, settings: settings, connections: state))
    }

    // MARK: Shutdown

    /// Nothing can be said about it.
    private static let shutdownBody = RequestBody<Void>(.object((), []), isRequired: false, example: [:])

    static func shutDown(_ call: Route.Call) throws(Problem) -> APIResponse {
        try call.read(shutdownBody)
        guard let onShutdown = call.subject.onShutdown else {
            throw Problem(
                kind: .shutdownNotAllowed,
                detail: "To allow it, start with --allow-shutdown (MOCK_APNS_ALLOW_SHUTDOWN=true)."
            )
        }
        // What stops the server waits until this answer is written.
        onShutdown()
        return .json(APIObject<StoppingShape> { $0.stopping = true }, status: 202)
    }
}

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
        .get("/livez", "Liveness probe") { _ in .json(AliveShape.self) { $0.alive = true } }.forAnyHost().work(.prompt)
            .gives(.json(AliveShape.self, "The process is running.")),
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
        ).gives(.json(DigestShape.self, "The digest.")),
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
        let listeners = state.listeners.map { listener in
            APIObject<BoundListenerShape> {
                $0.bound = listener.isBound
                $0.name = listener.name
            }
        }
        let server = call.subject.server
        let trouble =
            server.namespaces.all.lazy.compactMap { $0.keeper?.trouble }.first.map { "Changes cannot be kept: \($0)." }
            ?? server.replica?.turns.listFailure.map { "Namespaces of other servers are missing: \($0)." }
        if state.isReady, trouble == nil {
            return .json(ReadyShape.self) {
                $0.listeners = listeners
                $0.ready = true
            }
        }
        let missing = state.listeners.filter { !$0.isBound }.map(\.name)
        throw Problem(
            .notReady,
            state.isStopping
                ? "The server is stopping." : trouble ?? "Not bound yet: \(missing.joined(separator: ", ")).",
            details: APIObject {
                $0.listeners = listeners
                $0.ready = false
                $0.stopping = state.isStopping
            })
    }

    static func current(_ call: Route.Call) throws(Problem) -> APIResponse {
        let extent = call.subject.journal.extent
        return .json(SequenceShape.self) {
            $0.epoch = extent.epoch
            $0.seq = extent.lastSeq
        }
    }

    static func digest(_ call: Route.Call) -> APIResponse {
        let (digest, lastSeq) = call.subject.namespace.digest()
        return .json(DigestShape.self) {
            $0.digest = digest
            $0.lastSeq = lastSeq
        }
    }

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
        let connections = page.map { APIObject<ConnectionShape>($0, in: call.subject.context) }
        return .list(connections, call.request, headers: headers, in: \ConnectionPageShape.connections) {
            $0.matched = matching.count
            $0.open = known.count { $0.closedAt == nil }
            $0.total = UInt64(call.subject.journal.connectionCount)
        }
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
        return .json(APIObject<ResetShape>(report, settings: settings, connections: state))
    }

    private static let shutdownBody = RequestBody<Void>(.object((), []), isRequired: false, example: [:])

    static func shutDown(_ call: Route.Call, _: Void) throws(Problem) -> APIResponse {
        guard let onShutdown = call.subject.onShutdown else {
            throw Problem(
                .shutdownNotAllowed, "To allow it, start with --allow-shutdown (MOCK_APNS_ALLOW_SHUTDOWN=true).")
        }
        // The server stops only after this response is written.
        onShutdown()
        return .json(StoppingShape.self, status: 202) { $0.stopping = true }
    }
}

enum InfoRoute {
    private static func data(_ subject: InspectedServer) async -> APIObject<InfoShape.Data>? {
        guard let keeper = subject.namespace.keeper else { return nil }
        var extent: HistoryExtent?
        var failure: String?
        do throws(HistoryFailure) { extent = try await subject.journal.olderExtent() } catch {
            failure = error.description
        }
        let replica = subject.server.replica
        var replicas: [ReplicaStatus] = []
        do throws(StoreError) { replicas = try await replica?.all() ?? [] } catch {
            failure = failure ?? error.description
        }
        let known = keeper.trouble ?? replica?.turns.listFailure ?? keeper.readFailure
        let problem = (known ?? keeper.backgroundFailure)?.description ?? failure
        return APIObject {
            $0.oldestAt = extent?.firstReceivedAt.map { Timestamp(microseconds: $0).rfc3339 }
            $0.problem = problem
            $0.pushes = extent?.count ?? 0
            $0.replica = replica?.number
            $0.replicas = replicas.map { status in
                APIObject<InfoShape.Replica> {
                    $0.address = status.address
                    $0.name = status.name
                    $0.number = status.number
                    $0.position = status.position
                    $0.version = status.version
                }
            }
        }
    }

    static func info(_ call: Route.Call) async throws(Problem) -> APIResponse {
        let subject = call.subject
        let data = await data(subject)
        let authority = subject.certificateAuthority
        let capacity = subject.journal.capacity
        return .json(InfoShape.self) {
            $0.api = call.request.localPort.map { subject.apiURL(port: $0) }
            $0.caFile = authority?.file
            $0.caFingerprint = authority?.fingerprint
            $0.commit = subject.facts.commit
            $0.config = config(subject.facts.settings)
            $0.counters = counters(subject.journal)
            $0.data = data
            $0.developmentKey = subject.developmentKey.map { key in
                APIObject<InfoShape.DevelopmentKey> {
                    $0.keyId = key.keyID
                    $0.path = key.path
                    $0.teamId = key.teamID
                }
            }
            $0.journal = APIObject(subject.journal.extent)
            $0.label = subject.facts.label
            $0.limits = APIObject<InfoShape.Limits> {
                $0.apiBodyBytes = Route.largestBody
                $0.journalBytes = capacity.bytes
                $0.journalRecords = capacity.records
                $0.payloadBytes = Dictionary(
                    uniqueKeysWithValues: PushType.allCases.map { ($0.name, $0.row.payloadLimit) })
            }
            let namespace = subject.namespace
            $0.listeners = (namespace.listeners + namespace.binaryListeners).map(APIObject.init)
            $0.channelListeners = namespace.channelListeners.map(APIObject.init)
            $0.namespaces = subject.server.namespaces.all.map(\.name)
            $0.pid = Int(ProcessInfo.processInfo.processIdentifier)
            $0.seed = String(subject.server.seed)
            $0.startedAt = subject.startedAt.rfc3339
            $0.uptimeSeconds = subject.uptimeSeconds
            $0.version = subject.facts.version
        }
    }

    /// Joins the values of a repeated option.
    private static func config(_ settings: [InspectorFacts.Setting]) -> [String: APIObject<InfoShape.Setting>] {
        Dictionary(grouping: settings, by: \.name).mapValues { settings in
            APIObject<InfoShape.Setting> {
                $0.source = settings.last?.source ?? ""
                $0.value = settings.map(\.value).joined(separator: ", ")
            }
        }
    }

    private static func counters(_ journal: Journal) -> [String: UInt64] {
        let counters = journal.counters
        return [
            "pushesReceived": counters.received, "pushesAccepted": counters.accepted,
            "pushesRejected": counters.rejected,
            "connectionsOpen": UInt64(journal.connections.count { $0.closedAt == nil }),
            "connectionsTotal": UInt64(journal.connectionCount),
        ]
    }
}

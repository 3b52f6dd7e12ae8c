internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsVerifying
internal import MockAPNsWorld

/// The work that requests to the API may cause.
struct APILimits: Sendable {
    var searches = SearchLimits()
    /// The largest number of event streams at the same time.
    var streams = 4_000
}

/// The debug API: finds the route of a request, and adds the common headers to every answer.
struct DebugAPI: Sendable {
    static let routes = RouteGroup.all.flatMap(\.routes)

    /// The operations of the API, and the pages.
    static let allRoutes: [Route] = routes + PageRoutes.routes

    /// For paths without a namespace.
    let subject: InspectedServer
    /// For the other namespaces.
    let others = NamespaceValues<InspectedServer>()
    let hosts: HostPolicy
    var access: InspectorAccess
    private let routes: RouteTable
    let threads: AnswerThreads
    let searches: ScanQueue
    let mostStreams: Int

    init(
        subject: InspectedServer,
        hosts: HostPolicy,
        access: InspectorAccess = InspectorAccess(),
        routes: [Route] = DebugAPI.allRoutes,
        threads: AnswerThreads = .shared,
        limits: APILimits = APILimits()
    ) {
        self.subject = subject
        self.hosts = hosts
        self.access = access
        self.routes = RouteTable(routes)
        self.threads = threads
        searches = ScanQueue(limits.searches)
        mostStreams = limits.streams
    }

    /// The namespace and the routes that a path names.
    struct Target {
        fileprivate let scope: NamespaceScope
        fileprivate let match: RouteTable.Match?
        /// In bytes.
        let largestBody: Int
    }

    func target(of request: APIRequest) -> Target {
        let scope = NamespaceScope(request.path)
        let match = routes.match(scope.path)
        let route = match?.routes.first { $0.method == request.method }
        return Target(scope: scope, match: match, largestBody: route?.largestBody ?? Route.largestBody)
    }

    /// Answers a request without a connection.
    func answer(_ request: APIRequest) async -> APIResponse {
        await answer(request, at: target(of: request), presence: ClientPresence())
    }

    func answer(
        _ request: APIRequest,
        at target: Target,
        presence: ClientPresence
    ) async -> APIResponse {
        let scope = target.scope
        guard let name = scope.name else {
            return await answer(request, by: target.match, of: subject, presence)
        }
        do throws(Problem) {
            try admit(request)
            let namespace = try NamespaceRoutes.namespace(name, of: subject.server)
            guard namespace.beginCall() else { throw NamespaceRoutes.unknown(name, of: subject.server) }
            var inner = request
            inner.path = scope.path
            presence.isAbout(namespace)
            let shown =
                namespace.isStandard
                ? subject : others.value(of: namespace) { InspectedServer(subject, namespace: namespace) }
            var response = await answer(inner, by: target.match, of: shown, presence)
            response = scope.placed(response, in: namespace)
            if case .events = response.body {} else { namespace.endCall() }
            return response
        } catch {
            return refuse(request, error)
        }
    }

    /// Answers a request about one namespace.
    private func answer(
        _ request: APIRequest,
        by match: RouteTable.Match?,
        of subject: InspectedServer,
        _ presence: ClientPresence
    ) async -> APIResponse {
        var response: APIResponse
        do {
            response = try await route(request, by: match, of: subject, presence)
        } catch {
            response = .problem(error, to: request)
        }
        return finished(response, to: request, of: subject)
    }

    /// Answers a request whose body is over the limit.
    func refuseBody(of request: APIRequest, at target: Target) -> APIResponse {
        let detail =
            "The body of \(request.method) '\(request.path)' may have up to \(target.largestBody) bytes."
        return refuse(request, Problem(kind: .bodyTooLarge, detail: detail))
    }

    /// Refuses an event stream because there are too many.
    func refuseStream(to request: APIRequest) -> APIResponse {
        let detail = "\(mostStreams) event streams are already open; close some, or retry later."
        return refuse(request, Problem(kind: .tooManyStreams, detail: detail))
    }

    private func refuse(_ request: APIRequest, _ problem: Problem) -> APIResponse {
        finished(.problem(problem, to: request), to: request, of: subject)
    }

    private func finished(
        _ response: APIResponse,
        to request: APIRequest,
        of subject: InspectedServer
    ) -> APIResponse {
        var response = response
        response.headers += [
            ("Cache-Control", "no-store"),
            ("Server", "mock-apns/\(subject.facts.version)"),
            ("X-Mock-APNs-Seq", String(subject.journal.extent.lastSeq)),
        ]
        response.headers += access.headers(for: request)
        return response
    }

    private func admit(_ request: APIRequest) throws(Problem) {
        try hosts.check(request, origins: access.origins)
        if !access.isPreflight(request) { try access.check(request) }
    }

    private func route(
        _ request: APIRequest,
        by match: RouteTable.Match?,
        of subject: InspectedServer,
        _ presence: ClientPresence
    ) async throws(Problem) -> APIResponse {
        let matches = match?.routes ?? []
        let allowed = matches.flatMap { $0.method == "GET" ? ["GET", "HEAD"] : [$0.method] }
        if matches.first?.isForAnyHost != true {
            try hosts.check(request, origins: access.origins)
            if access.isPreflight(request) { return try access.preflight(request, methods: allowed) }
            let isWrite = matches.contains { $0.method == request.method && $0.isWrite }
            try hosts.checkSender(of: request, isWrite: isWrite, origins: access.origins)
            let known = matches.first { $0.method == request.method }?.parameters.map(\.name) ?? []
            if let answer = try access.signIn(request, parameters: known) { return answer }
            try access.check(request)
        }
        guard let match else {
            let headline = "Path '\(request.path)' not found"
            let message = "is not a path of the API"
            throw .unknown(
                .unknownPath,
                headline,
                request.path,
                message,
                among: routes.paths,
                list: "/docs"
            )
        }
        let method = request.method == "HEAD" ? "GET" : request.method
        guard let route = matches.first(where: { $0.method == method }) else {
            throw Problem(
                kind: .methodNotAllowed,
                detail: "'\(request.path)' takes \(allowed.joined(separator: ", ")), not \(request.method).",
                allowedMethods: allowed
            )
        }
        var pathParts: [String: String] = [:]
        for (name, encoded) in zip(route.names, match.values) {
            guard let part = PercentEncoding.decode(String(encoded)) else {
                throw Problem(kind: .badPath, detail: "'\(encoded)' is not percent-encoded UTF-8.")
            }
            pathParts[name] = part
        }
        let call = Route.Call(
            request: request,
            pathParts: pathParts,
            subject: subject,
            presence: presence,
            scan: Scan(searches, for: presence)
        )
        // A route without parameters does not read the query, so it is checked here.
        if route.parameters.isEmpty, !route.isPlaceOfThePage { try call.read(QueryForm(())) }
        return try await answer(call, by: route)
    }

    private func answer(_ call: Route.Call, by route: Route) async throws(Problem) -> APIResponse {
        if route.work == .prompt { return try await route.answer(call) }
        return try await withTaskExecutorPreference(threads) { () async throws(Problem) -> APIResponse in
            guard route.work == .search else { return try await route.answer(call) }
            try await call.search { (scan) async throws(SearchFailure) in try await scan.begin() }
            defer { call.scan.end() }
            return try await route.answer(call)
        }
    }
}

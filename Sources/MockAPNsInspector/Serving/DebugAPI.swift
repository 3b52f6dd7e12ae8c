internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsLog
internal import MockAPNsVerifying
internal import MockAPNsWorld
internal import NIOCore

/// The routes of the API, and what bounds the work of requests and their time.
package struct APISettings: Sendable {
    var routes = DebugAPI.allRoutes
    var threads = AnswerThreads.shared
    var searches = SearchLimits()
    /// The largest number of event streams at the same time.
    var streams = 100_000
    /// Until a connection without requests or answers is closed.
    var idle = TimeAmount.seconds(60)
    /// The time in which the head of a request has to arrive, from its first byte.
    var head = TimeAmount.seconds(10)
    /// The time in which the body has to arrive after that.
    var body = TimeAmount.seconds(60)
    /// How long a client may take to close its side after the last response.
    var linger = TimeAmount.seconds(30)
    /// Between two comments that keep a stream alive.
    var heartbeat = Duration.seconds(15)
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
    let settings: APISettings
    private let routes: RouteTable
    let searches: ScanQueue

    init(
        subject: InspectedServer, hosts: HostPolicy, access: InspectorAccess = InspectorAccess(),
        settings: APISettings = APISettings()
    ) {
        self.subject = subject
        self.hosts = hosts
        self.access = access
        self.settings = settings
        routes = RouteTable(settings.routes)
        searches = ScanQueue(settings.searches)
    }

    /// Forgets what is known of a namespace when it is removed.
    func forgetRemovedNamespaces() {
        subject.server.namespaces.onRemoval { [others, contexts = subject.pushes.contexts] namespace in
            others.forget(namespace)
            contexts.forget(namespace)
        }
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

    func answer(_ request: APIRequest, at target: Target, presence: ClientPresence) async -> APIResponse {
        var (request, shown) = (request, subject)
        var namespace: Namespace?
        var response: APIResponse
        do throws(Problem) {
            try request.checkHeaders()
            if let named = try await self.namespace(of: request, at: target) {
                guard named.beginCall() else { throw NamespaceRoutes.unknown(named.name, of: subject.server) }
                namespace = named
                request.path = target.scope.path
                presence.isAbout(named)
                if !named.isStandard { shown = others.value(of: named) { InspectedServer(subject, namespace: named) } }
            }
            response = try await route(request, by: target.match, of: shown, presence)
        } catch { response = .problem(error, to: request) }
        let isProbe = target.match?.routes.first?.isForAnyHost == true
        finish(&response, to: request, of: shown, isProbe: isProbe)
        guard let namespace else { return response }
        target.scope.place(&response, in: namespace)
        if case .events = response.body {} else { namespace.endCall() }
        return response
    }

    /// Returns the namespace that the path of a request names, if it may be used.
    private func namespace(of request: APIRequest, at target: Target) async throws(Problem) -> Namespace? {
        guard let name = target.scope.name else { return nil }
        try hosts.check(request, origins: access.origins)
        if !access.isPreflight(request) { try access.check(request) }
        _ = await subject.namespace.keeper?.catchUp()
        return try NamespaceRoutes.named(PercentEncoding.decode(name) ?? name, of: subject.server)
    }

    /// Returns the refusal of a request that would be refused whatever its body is; `nil` if the body matters.
    func refusal(of request: APIRequest, at target: Target) async -> APIResponse? {
        do throws(Problem) {
            try request.checkHeaders()
            _ = try await namespace(of: request, at: target)
            _ = try admit(request, by: target.match)
            return nil
        } catch {
            var response = APIResponse.problem(error, to: request)
            finish(&response, to: request, of: subject)
            return response
        }
    }

    /// Refuses a request that is not answered at all.
    func refuse(_ request: APIRequest, _ kind: Problem.Kind, _ detail: String) -> APIResponse {
        var response = APIResponse.problem(Problem(kind, detail), to: request)
        finish(&response, to: request, of: subject)
        return response
    }

    /// Adds the headers that all responses have.
    ///
    /// A probe's response has no number of the newest event: the world may be locked for seconds by a change.
    private func finish(
        _ response: inout APIResponse, to request: APIRequest, of subject: InspectedServer, isProbe: Bool = false
    ) {
        response.headers += [("Cache-Control", "no-store"), ("Server", "mock-apns/\(subject.facts.version)")]
        if !isProbe { response.headers.append(("X-Mock-APNs-Seq", String(subject.journal.extent.lastSeq))) }
        response.headers += access.headers(for: request)
    }

    private enum Admission {
        case answered(APIResponse)
        case admitted(Route, pathParts: [String: String])
    }

    /// Finds the route of a request that may use it, or what answers it instead; the body does not matter.
    private func admit(_ request: APIRequest, by match: RouteTable.Match?) throws(Problem) -> Admission {
        let matches = match?.routes ?? []
        let allowed = matches.flatMap { $0.method == "GET" ? ["GET", "HEAD"] : [$0.method] }
        if matches.first?.isForAnyHost != true {
            try hosts.check(request, origins: access.origins)
            if access.isPreflight(request) { return .answered(try access.preflight(request, methods: allowed)) }
            let route = matches.first { $0.method == request.method }
            try hosts.checkSender(of: request, isWrite: route?.isWrite == true, origins: access.origins)
            let known = route?.parameters.map(\.name) ?? []
            if let answer = try access.signIn(request, parameters: known) { return .answered(answer) }
            try access.check(request)
        }
        guard let match else {
            throw .unknown(
                .unknownPath, "Path '\(request.path)' not found", request.path, "is not a path of the API",
                among: routes.paths, list: "/docs")
        }
        let method = request.method == "HEAD" ? "GET" : request.method
        guard let route = matches.first(where: { $0.method == method }) else {
            throw Problem(
                .methodNotAllowed, "'\(request.path)' takes \(allowed.joined(separator: ", ")), not \(request.method).",
                allowedMethods: allowed)
        }
        var pathParts: [String: String] = [:]
        for (name, encoded) in zip(route.names, match.values) {
            guard let part = PercentEncoding.decode(String(encoded)) else {
                throw Problem(.badPath, "'\(encoded)' is not percent-encoded UTF-8.")
            }
            pathParts[name] = part
        }
        return .admitted(route, pathParts: pathParts)
    }

    private func route(
        _ request: APIRequest, by match: RouteTable.Match?, of subject: InspectedServer, _ presence: ClientPresence
    ) async throws(Problem) -> APIResponse {
        let (route, pathParts): (Route, [String: String])
        switch try admit(request, by: match) {
        case .answered(let response): return response
        case .admitted(let found, let parts): (route, pathParts) = (found, parts)
        }
        let call = Route.Call(
            request: request, pathParts: pathParts, subject: subject, presence: presence,
            scan: Scan(searches, for: presence))
        // A route without parameters does not read the query, so it is checked here.
        if route.parameters.isEmpty, !route.isPlaceOfThePage { try QueryForm(()).read(call) }
        return try await kept(call, by: route)
    }

    /// Answers a call by a world that has every earlier change, when everything that the call has changed or seen is safe.
    private func kept(_ call: Route.Call, by route: Route) async throws(Problem) -> APIResponse {
        guard let keeper = call.subject.namespace.keeper else { return try await answer(call, by: route) }
        switch route.use {
        case .ignores, .changesLater: return try await answer(call, by: route)
        case .changes:
            let leave = try await call.beginChange()
            let response: APIResponse
            do throws(Problem) { response = try await answer(call, by: route) } catch {
                leave()
                throw error
            }
            try await call.endChange(leave)
            return response
        case .reads:
            guard await keeper.catchUp() else { throw .cannotKeep("Others may have changed the world", keeper) }
            let response = try await answer(call, by: route)
            // Also if it may never be safe: what was seen is what this server has.
            _ = await keeper.isSafe()
            return response
        }
    }

    private func answer(_ call: Route.Call, by route: Route) async throws(Problem) -> APIResponse {
        if route.work == .prompt { return try await route.answer(call) }
        return try await withTaskExecutorPreference(settings.threads) { () async throws(Problem) -> APIResponse in
            guard route.work == .search else { return try await route.answer(call) }
            try await call.search { (scan) async throws(SearchFailure) in try await scan.begin() }
            defer { call.scan.end() }
            return try await route.answer(call)
        }
    }
}

extension Route.Call {
    /// Waits until the world may be changed; `endChange` must follow.
    func beginChange() async throws(Problem) -> @Sendable () -> Void {
        guard let keeper = subject.namespace.keeper else { return {} }
        guard let leave = await keeper.enter() else { throw .cannotKeep("Nothing was changed", keeper) }
        return leave
    }

    /// Waits until what has changed since `beginChange` is safe; `leave` is what that has returned.
    func endChange(_ leave: @Sendable () -> Void) async throws(Problem) {
        // Asked before leaving: with its turn, a change may be lost.
        let safety = subject.namespace.keeper?.safety()
        leave()
        guard let keeper = subject.namespace.keeper, await safety?.value == false else { return }
        throw .cannotKeep("Changed, but not kept yet", keeper)
    }
}

extension Problem {
    fileprivate static func cannotKeep(_ outcome: String, _ keeper: any WorldKeeping) -> Problem {
        let reason = keeper.trouble.map { ": \($0)" } ?? ""
        return Problem(.cannotKeep, "\(outcome)\(reason). The server goes on trying.")
    }
}

internal import MockAPNsRules
internal import MockAPNsTransport
internal import MockAPNsWorld
internal import NIOCore

/// Answers the requests of a connection: applies the rules, records the request, and creates the response.
final class PushResponder: ConnectionResponder {
    let worker: Worker
    let connection: ConnectionRecord
    private let routing: PushRouting
    private let isBinary: Bool
    var situation: Situation
    /// The app of the certificate that replaces provider tokens; empty if there is none.
    let certificate: String
    private var requests: UInt32 = 0
    /// The weighted number of errors since the last accepted push.
    private var errors = 0
    /// Whether a fault has sent a GOAWAY.
    private var hasGoneAway = false
    /// The fault whose GOAWAY refuses all later requests.
    private var refusedBy: FaultID?
    /// The faults that were evaluated in the current idle period.
    private var askedWhileIdle: [FaultID] = []

    /// With `hasOnlyChannels`, only channel management is served.
    init(worker: Worker, connection: ConnectionRecord, routing: PushRouting, hasOnlyChannels: Bool = false) {
        self.worker = worker
        self.connection = connection
        self.routing = routing
        isBinary = connection.interface == .gateway
        situation = Situation(
            environment: connection.environment, certificate: connection.clientCertificate,
            address: connection.remoteHost, isBinary: isBinary, authority: worker, devices: worker, channels: worker,
            hasOnlyChannels: hasOnlyChannels)
        certificate = situation.certificate?.app ?? ""
    }

    var isAuthenticated: Bool { situation.isAuthenticated }

    func respond(to request: borrowing RequestView, streamID: Int32, after idle: TimeAmount) -> Response {
        respond(to: request, streamID: streamID, after: idle, problem: nil)
    }

    /// Answers a request; `problem` is that of its notification on the binary interface.
    func respond(
        to request: borrowing RequestView, streamID: Int32, after idle: TimeAmount, problem: GatewayStatus?
    ) -> Response {
        requests &+= 1
        if let other = other(for: request) {
            return other.respond(to: request, streamID, number: requests, after: idle, problem)
        }
        return respond(to: request, streamID, number: requests, after: idle, problem)
    }

    private func respond(
        to request: borrowing RequestView, _ streamID: Int32, number: UInt32, after idle: TimeAmount,
        _ problem: GatewayStatus?
    ) -> Response {
        // The response may refer to the ID, so it must not be that of a copy.
        let id = request[.apnsID]
        if request[.apnsTopic] == nil, let topic = situation.certificate?.onlyTopic, request.service == .push {
            return request.with(.apnsTopic, topic) {
                judge($0, id, impliesTopic: true, streamID, number, after: idle, problem)
            }
        }
        return judge(request, id, impliesTopic: false, streamID, number, after: idle, problem)
    }

    /// Returns the responder of another world if the request belongs to it; most servers have only one world.
    private func other(for request: borrowing RequestView) -> PushResponder? {
        guard let router = worker.router, !router.isIdle, routing != .api, !situation.hasOnlyChannels else {
            return nil
        }
        return router.responder(for: request, on: connection, of: worker)
    }

    /// Answers a request; `sentID` is its `apns-id`, and `impliesTopic` whether its topic is that of the certificate.
    private func judge(
        _ request: borrowing RequestView, _ sentID: ByteSpan?, impliesTopic: Bool, _ streamID: Int32, _ number: UInt32,
        after idle: TimeAmount, _ problem: GatewayStatus?
    ) -> Response {
        let time = worker.readClock()
        worker.registerUnknown(in: request)
        let ruleset = worker.ruleset
        situation.begin(at: time.world, options: ruleset.options, refusal: ruleset.refusal, edition: worker.edition)
        let verdict = ruleset.verdict(on: request, in: &situation)
        // Without faults, a push only costs this comparison.
        let faulted =
            ruleset.faults == nil
            ? nil : fault(on: request, verdict, at: time, number: number, after: idle, by: ruleset)
        let turnsAway = faulted == nil ? turnsAway(because: verdict, ruleset.options) : nil
        let (status, reason) =
            faulted.map { ($0.status, $0.reason) } ?? (turnsAway == nil ? verdict.status : 0, verdict.reason)
        var deadSince = situation.deadSince
        if faulted != nil {
            // A fault's 410 of a valid token has the current time.
            deadSince = reason?.carriesTimestamp == true ? deadSince ?? time.world : nil
        }

        guard situation.service == .push else {
            var facts = facts(number: number, at: time)
            facts.streamID = streamID
            return answerChannels(request, verdict, faulted, turnsAway: turnsAway, facts, by: ruleset)
        }

        // Documented: the client's ID is returned. Inferred: unless it is invalid.
        var id: UniqueID?
        let echo = sentID.flatMap { UniqueID.isCanonical($0, lowerCaseOnly: false) ? $0 : nil }
        if !isBinary, echo == nil || reason == .badMessageID { id = worker.nextID() }
        // Documented: only in the development environment. Observed: only for accepted pushes.
        let isTraced = status == 200 && connection.environment == .sandbox && !isBinary
        let uniqueID = isTraced ? worker.nextID() : nil
        let hasContentType = reason != nil && ruleset.options.sendsErrorContentType

        if status == 200, situation.registered == nil, let token = situation.deviceToken,
            faulted?.mark.effect.contains(.loses) != true
        {
            worker.noteUnknown(token)
        }
        var facts = facts(number: number, at: time)
        facts.streamID = streamID
        facts.status = status
        facts.verdict = faulted == nil ? verdict : Verdict(reason: reason, decidedBy: verdict.decidedBy)
        facts.verification = situation.verification
        facts.deadSince = deadSince
        facts.id = id
        facts.uniqueID = uniqueID
        facts.hasContentType = hasContentType
        facts.impliesTopic = impliesTopic
        var packet: GatewayStatus?
        if isBinary {
            if let reason {
                let reports = ruleset.options.gatewayReportsUnregistered
                packet = GatewayStatus(rejecting: reason, problem: problem, reportsUnregistered: reports)
            } else if status != 200, status != 0 {
                packet = .unknown
            }
            facts.packet = packet ?? (faulted?.wire?.goAway == nil ? nil : .shutdown)
        }
        worker.batch.append(
            request, facts, credential: situation.credential, certificate: certificate,
            registered: situation.registered, fault: faulted?.mark)
        return Response(
            status: status,
            headers: (
                (id.map { .uniqueID($0, upperCase: true) } ?? echo.map { .requestBytes($0) }).map {
                    Response.Header("apns-id", $0)
                }, uniqueID.map { Response.Header("apns-unique-id", .uniqueID($0, upperCase: false)) },
                hasContentType ? Response.Header("content-type", .text("application/json")) : nil
            ), body: reason.map { ResponseBody.bytes(for: $0, deadSince: deadSince) } ?? [],
            liftsStreamLimit: situation.isAuthenticated,
            endsConnection: hasTooManyErrors(after: reason, limit: ruleset.options.errorLimit),
            fault: turnsAway ?? faulted?.wire, packet: packet)
    }

    /// Returns the GOAWAY that a client with this certificate gets in place of an answer; `nil` if it is answered.
    func turnsAway(because verdict: Verdict, _ options: RuleOptions) -> WireFault? {
        guard let reason = verdict.reason, let certificate = situation.certificate else { return nil }
        switch reason {
        case .badCertificate where options.badCertificate != .answer, .badCertificateEnvironment:
            let problem = certificate.problem(in: connection.environment) ?? ""
            let detail = "\(reason.name), the certificate is \(certificate.subject). \(problem)"
            return WireFault(turningAwayBecause: reason, detail)
        default: return nil
        }
    }

    func hasTooManyErrors(after reason: Reason?, limit: Int) -> Bool {
        errors = reason.map { errors + $0.errorWeight } ?? 0
        return limit > 0 && errors >= limit
    }

    // MARK: Faults

    /// Returns the effects of the first fault that fires.
    private func fault(
        on request: borrowing RequestView, _ verdict: Verdict, at time: WorldClock.Reading, number: UInt32,
        after idle: TimeAmount, by ruleset: Ruleset
    ) -> FaultedResponse? {
        guard let plan = ruleset.faults else { return nil }
        askedWhileIdle.removeAll()
        if let fault = refusedBy, plan.has(fault) { return FaultedResponse(refusedBy: fault) }
        let firing = plan.firing(
            for: request, outline(verdict, number: number, at: time), on: connection,
            FaultOccasion(now: time.world, requestsBefore: Int(number) - 1, idle: idle.microseconds))
        guard let firing else { return nil }
        let answer = FaultedResponse(firing, verdict: verdict, hasGoneAway: hasGoneAway)
        if answer.wire?.goAway != nil { hasGoneAway = true }
        if answer.refusesFurther { refusedBy = firing.id }
        return answer
    }

    var watchesIdleness: Bool { worker.latestRuleset.faults?.hasIdleFaults ?? false }

    func idle(for idle: TimeAmount) -> WireFault? {
        let now = worker.readClock().world
        guard let plan = worker.ruleset.faults else { return nil }
        let firing = plan.firing(
            idling: connection, FaultOccasion(now: now, requestsBefore: Int(requests), idle: idle.microseconds),
            asked: &askedWhileIdle)
        guard let firing, let fault = WireFault(idle: firing), fault.goAway == nil || !hasGoneAway else { return nil }
        if fault.goAway != nil { hasGoneAway = true }
        if case .goAway(let frame) = firing.action, frame.then == .refuse { refusedBy = firing.id }
        return fault
    }

    /// Returns the facts of a push that do not depend on its verdict.
    private func facts(number: UInt32, at time: WorldClock.Reading) -> RecordHead {
        var facts = RecordHead()
        facts.receivedAt = time.system
        facts.clockTime = time.world
        facts.connectionID = connection.id
        facts.requestOnConnection = number
        facts.environment = connection.environment
        facts.isBinary = isBinary
        facts.routing = routing
        return facts
    }

    /// Returns what conditions may know about a push that was judged but not answered.
    private func outline(_ verdict: Verdict, number: UInt32, at time: WorldClock.Reading) -> PushOutline {
        var outline = PushOutline()
        outline.head = facts(number: number, at: time)
        outline.head.status = verdict.status
        outline.head.verdict = verdict
        outline.head.verification = situation.verification
        outline.keyID = situation.credential?.key.keyID ?? ""
        outline.teamID = situation.credential?.key.teamID ?? ""
        outline.certificate = certificate
        outline.registrations = worker.ruleset.registrations
        return outline
    }

    func refused(_ request: borrowing RequestView, streamID: Int32, because problem: RequestProblem) {
        requests &+= 1
        (other(for: request) ?? self).note(request, streamID: streamID, number: requests, because: problem)
    }

    private func note(
        _ request: borrowing RequestView, streamID: Int32, number: UInt32, because problem: RequestProblem
    ) {
        var facts = facts(number: number, at: worker.readClock())
        facts.streamID = streamID
        facts.status = problem.status
        if isBinary { facts.packet = .protocolError }
        worker.batch.append(request, facts, problem: problem.text)
    }

    func readCompleted() {
        worker.publish()
        worker.router?.publish()
    }

    func takeHold() -> ResponseHold? {
        let own = worker.takePublished()
        let others = worker.router?.takePublished() ?? []
        // Without a log, a read costs these two comparisons.
        guard own != nil || !others.isEmpty else { return nil }
        return ResponseHold(LogEnd.whenAllSafe(others + [own].compactMap(\.self)))
    }

    func goAwaySent(code: UInt32) { worker.world.noteGoAway(code: code, on: connection.id) }

    func closed(because reason: CloseReason) {
        readCompleted()
        worker.connectionEnded(connection, because: reason)
        worker.router?.connectionEnded(connection, because: reason)
    }
}

extension TimeAmount { fileprivate var microseconds: Int64 { nanoseconds / 1_000 } }

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
    private let certificate: String
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
        let arrival = Arrival(streamID: streamID, number: requests, idle: idle, problem: problem)
        return (other(for: request) ?? self).respond(to: request, arrival)
    }

    /// What is known about a request besides its fields and its body.
    private struct Arrival {
        let streamID: Int32
        let number: UInt32
        let idle: TimeAmount
        let problem: GatewayStatus?
        /// The ID that the client has given the request.
        var id: ByteSpan?
        /// Whether the topic is that of the certificate.
        var impliesTopic = false
    }

    private func respond(to request: borrowing RequestView, _ received: Arrival) -> Response {
        let service = situation.service(of: request)
        var arrival = received
        // The response may refer to the ID, so it must not be that of a copy.
        arrival.id = request.requestID(for: service)
        guard service == .push, request[.apnsTopic] == nil, let topic = situation.certificate?.onlyTopic else {
            return judge(request, arrival)
        }
        arrival.impliesTopic = true
        return request.with(.apnsTopic, topic) { [arrival] in judge($0, arrival) }
    }

    /// Returns the responder of another world if the request belongs to it; most servers have only one world.
    private func other(for request: borrowing RequestView) -> PushResponder? {
        guard let router = worker.router, !router.isIdle, routing != .api, !situation.hasOnlyChannels else {
            return nil
        }
        return router.responder(for: request, on: connection, of: worker)
    }

    /// What a request comes to.
    struct Outcome {
        /// 0 if there is no response.
        var status: UInt16
        var reason: Reason?
        var created: ChannelID?
        /// The body of the response to an accepted request.
        var body: [UInt8] = []
    }

    /// Applies the rules and the faults to a request, and carries out, records and answers it.
    private func judge(_ request: borrowing RequestView, _ arrival: Arrival) -> Response {
        let time = worker.readClock()
        worker.registerUnknown(in: request)
        let ruleset = worker.ruleset
        situation.begin(at: time.world, options: ruleset.options, refusal: ruleset.refusal, edition: worker.edition)
        var verdict = ruleset.verdict(on: request, in: &situation)
        // Without faults, a push only costs this comparison.
        let faulted = ruleset.faults == nil ? nil : fault(on: request, verdict, arrival, at: time, by: ruleset)
        let turnsAway = faulted == nil ? turnsAway(because: verdict, ruleset.options) : nil
        var outcome =
            faulted.map { Outcome(status: $0.status, reason: $0.reason) }
            ?? Outcome(status: turnsAway == nil ? verdict.status : 0, reason: verdict.reason)
        let effect = faulted?.mark.effect ?? []
        if situation.service != .push {
            let isReplaced = effect.contains(.decides) && !effect.contains(.loses)
            if verdict.reason == nil, !isReplaced { carryOut(&outcome, &verdict, by: ruleset) }
        } else if outcome.status == 200, situation.registered == nil, let token = situation.deviceToken,
            !effect.contains(.loses)
        {
            worker.noteUnknown(token)
        }

        let reason = outcome.reason
        var facts = facts(arrival, at: time)
        facts.service = situation.service
        facts.status = outcome.status
        facts.verdict = Verdict(reason: reason, decidedBy: verdict.decidedBy)
        facts.verification = situation.verification
        // A fault's 410 of a valid token has the current time.
        facts.deadSince = reason?.carriesTimestamp == true ? situation.deadSince ?? time.world : nil
        // Documented: the client's ID is returned. Inferred: unless it is invalid.
        let echo = arrival.id.flatMap { UniqueID.isCanonical($0, lowerCaseOnly: false) ? $0 : nil }
        if !isBinary, echo == nil || reason == .badMessageID { facts.id = worker.nextID() }
        // Documented: only in the development environment. Observed: only for accepted pushes.
        let isTraced = outcome.status == 200 && connection.environment == .sandbox && !isBinary
        facts.uniqueID = isTraced && situation.service == .push ? worker.nextID() : outcome.created?.bits
        facts.hasContentType = reason != nil && ruleset.options.sendsErrorContentType
        facts.impliesTopic = arrival.impliesTopic
        // The other service's answer takes the place of the mock's only where no fault does.
        let awaited =
            worker.answers == nil || faulted != nil || routing == .api ? nil : awaitedAnswer(to: request, facts)
        let packet = isBinary ? packet(for: outcome, arrival.problem, ruleset.options) : nil
        if isBinary { facts.packet = packet ?? (faulted?.wire?.goAway == nil ? nil : .shutdown) }
        worker.batch.append(
            request, facts, credential: situation.credential, certificate: certificate,
            registered: situation.registered, fault: faulted?.mark, answer: outcome.body)
        return Response(
            status: outcome.status, headers: headers(facts, echo: echo, created: outcome.created),
            body: reason.map { ResponseBody.bytes(for: $0, deadSince: facts.deadSince) } ?? outcome.body,
            liftsStreamLimit: situation.isAuthenticated,
            endsConnection: hasTooManyErrors(after: reason, limit: ruleset.options.errorLimit),
            fault: turnsAway ?? faulted?.wire ?? awaited, packet: packet)
    }

    /// Returns the headers of the response; `echo` is the client's ID, which is returned unless there is another.
    private func headers(
        _ facts: RecordHead, echo: ByteSpan?, created: ChannelID?
    ) -> (Response.Header?, Response.Header?, Response.Header?) {
        let id = facts.id.map { Response.Value.uniqueID($0, upperCase: true) } ?? echo.map { .requestBytes($0) }
        let unique =
            created.map { Response.Header("apns-channel-id", .channelID($0)) }
            ?? facts.uniqueID.map { Response.Header("apns-unique-id", .uniqueID($0, upperCase: false)) }
        return (
            id.map { Response.Header(facts.service == .push ? "apns-id" : "apns-request-id", $0) }, unique,
            facts.hasContentType ? Response.Header("content-type", .text("application/json")) : nil
        )
    }

    /// Returns the status of the error packet on the binary interface; `nil` if nothing is sent.
    private func packet(for outcome: Outcome, _ problem: GatewayStatus?, _ options: RuleOptions) -> GatewayStatus? {
        guard let reason = outcome.reason else { return [0, 200].contains(outcome.status) ? nil : .unknown }
        return GatewayStatus(
            rejecting: reason, problem: problem, reportsUnregistered: options.gatewayReportsUnregistered)
    }

    /// Returns the GOAWAY that a client with this certificate gets in place of an answer; `nil` if it is answered.
    private func turnsAway(because verdict: Verdict, _ options: RuleOptions) -> WireFault? {
        guard let reason = verdict.reason, let certificate = situation.certificate else { return nil }
        switch reason {
        case .badCertificate where options.badCertificate != .answer, .badCertificateEnvironment:
            let problem = certificate.problem(in: connection.environment) ?? ""
            let detail = "\(reason.name), the certificate is \(certificate.subject). \(problem)"
            return WireFault(turningAwayBecause: reason, detail)
        default: return nil
        }
    }

    private func hasTooManyErrors(after reason: Reason?, limit: Int) -> Bool {
        errors = reason.map { errors + $0.errorWeight } ?? 0
        return limit > 0 && errors >= limit
    }

    // MARK: Faults

    /// Returns the effects of the first fault that fires.
    private func fault(
        on request: borrowing RequestView, _ verdict: Verdict, _ arrival: Arrival, at time: WorldClock.Reading,
        by ruleset: Ruleset
    ) -> FaultedResponse? {
        guard let plan = ruleset.faults else { return nil }
        askedWhileIdle.removeAll()
        if let fault = refusedBy, plan.has(fault) { return FaultedResponse(refusedBy: fault) }
        let firing = plan.firing(
            for: request, outline(verdict, arrival, at: time), on: connection,
            FaultOccasion(now: time.world, requestsBefore: Int(arrival.number) - 1, idle: arrival.idle.microseconds))
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
    private func facts(_ arrival: Arrival, at time: WorldClock.Reading) -> RecordHead {
        var facts = RecordHead()
        facts.receivedAt = time.system
        facts.clockTime = time.world
        facts.connectionID = connection.id
        facts.streamID = arrival.streamID
        facts.requestOnConnection = arrival.number
        facts.environment = connection.environment
        facts.isBinary = isBinary
        facts.routing = routing
        return facts
    }

    /// Returns what conditions may know about a push that was judged but not answered.
    private func outline(_ verdict: Verdict, _ arrival: Arrival, at time: WorldClock.Reading) -> PushOutline {
        var outline = PushOutline()
        outline.head = facts(arrival, at: time)
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
        let arrival = Arrival(streamID: streamID, number: requests, idle: .zero, problem: nil)
        (other(for: request) ?? self).note(request, arrival, because: problem)
    }

    private func note(_ request: borrowing RequestView, _ arrival: Arrival, because problem: RequestProblem) {
        var facts = facts(arrival, at: worker.readClock())
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

internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsTransport
internal import MockAPNsWorld
internal import NIOCore

/// Answers the pushes of a connection: applies the rules, records the push, and creates the response.
final class PushResponder: ConnectionResponder {
    private let worker: Worker
    private let connection: ConnectionRecord
    private let routing: PushRouting
    private var situation: Situation
    private var requests: UInt32 = 0
    /// The weighted number of errors since the last accepted push.
    private var errors = 0
    /// The faults that were applied to the connection.
    private var faultHistory = FaultHistory()

    init(worker: Worker, connection: ConnectionRecord, routing: PushRouting) {
        self.worker = worker
        self.connection = connection
        self.routing = routing
        situation = Situation(environment: connection.environment, authority: worker, devices: worker)
    }

    func respond(to request: borrowing RequestView, streamID: Int32, after idle: TimeAmount) -> Response {
        requests &+= 1
        if let other = other(for: request) {
            return other.judge(request, streamID: streamID, number: requests, after: idle)
        }
        return judge(request, streamID: streamID, number: requests, after: idle)
    }

    /// Returns the responder of another world if the request belongs to it; most servers have only one world.
    private func other(for request: borrowing RequestView) -> PushResponder? {
        guard let router = worker.router, !router.isIdle, routing != .api else { return nil }
        return router.responder(for: request, on: connection, of: worker)
    }

    private func judge(
        _ request: borrowing RequestView,
        streamID: Int32,
        number: UInt32,
        after idle: TimeAmount
    ) -> Response {
        let time = worker.readClock()
        worker.registerUnknown(in: request)
        let ruleset = worker.ruleset
        situation.begin(
            at: time.world,
            options: ruleset.options,
            isStopping: ruleset.isStopping,
            edition: worker.edition
        )
        let verdict = ruleset.verdict(on: request, in: &situation)
        // Without faults, a push only costs this comparison.
        let faulted =
            ruleset.faults == nil
            ? nil : fault(on: request, verdict, at: time, number: number, after: idle, by: ruleset)
        let (status, reason) = faulted.map { ($0.status, $0.reason) } ?? (verdict.status, verdict.reason)
        let deadSince = faulted == nil ? situation.deadSince : self.deadSince(reason, at: time)

        // Documented: the client's ID is returned. Inferred: unless it is invalid.
        var id: UniqueID?
        let echo = request[.apnsID].flatMap { UniqueID.isCanonical($0, lowerCaseOnly: false) ? $0 : nil }
        if echo == nil || reason == .badMessageID { id = worker.identifiers.nextID() }
        // Documented: only in the development environment. Observed: only for accepted pushes.
        let isTraced = status == 200 && connection.environment == .sandbox
        let uniqueID = isTraced ? worker.identifiers.nextID() : nil
        let hasContentType = reason != nil && ruleset.options.sendsErrorContentType

        if status == 200, situation.registered == nil, let token = situation.deviceToken,
            faulted?.mark.effect.contains(.loses) != true
        {
            worker.noteUnknown(token)
        }
        let facts = RecordBatch.Facts(
            time: time,
            connection: connection.id,
            streamID: streamID,
            requestOnConnection: number,
            environment: connection.environment,
            status: status,
            verdict: faulted == nil ? verdict : Verdict(reason: reason, decidedBy: verdict.decidedBy),
            verification: situation.verification,
            credential: situation.credential,
            deadSince: deadSince,
            registered: situation.registered,
            id: id,
            uniqueID: uniqueID,
            hasContentType: hasContentType,
            fault: faulted?.mark,
            routing: routing
        )
        worker.batch.append(request, facts)
        return Response(
            status: status,
            headers: (
                Response.Header("apns-id", id.map { .uniqueID($0, upperCase: true) } ?? .requestBytes(echo!)),
                uniqueID.map { Response.Header("apns-unique-id", .uniqueID($0, upperCase: false)) },
                hasContentType ? Response.Header("content-type", .text("application/json")) : nil
            ),
            body: reason.map { Answer.body(for: $0, deadSince: deadSince) } ?? [],
            liftsStreamLimit: situation.isAuthenticated,
            endsConnection: hasTooManyErrors(after: reason, limit: ruleset.options.errorLimit),
            fault: faulted?.wire
        )
    }

    private func hasTooManyErrors(after reason: Reason?, limit: Int) -> Bool {
        errors = reason.map { errors + $0.errorWeight } ?? 0
        return limit > 0 && errors >= limit
    }

    // MARK: Faults

    /// The faults that were applied to a connection.
    private struct FaultHistory {
        /// Whether a fault has sent a GOAWAY.
        var hasGoneAway = false
        /// The fault whose GOAWAY refuses all later requests.
        var refusedBy: FaultID?
        /// The faults that were evaluated in the current idle period.
        var askedWhileIdle: [FaultID] = []
    }

    /// Returns the effects of the first fault that fires.
    private func fault(
        on request: borrowing RequestView,
        _ verdict: Verdict,
        at time: WorldClock.Reading,
        number: UInt32,
        after idle: TimeAmount,
        by ruleset: Ruleset
    ) -> FaultedAnswer? {
        guard let plan = ruleset.faults else { return nil }
        faultHistory.askedWhileIdle.removeAll()
        if let fault = faultHistory.refusedBy, plan.has(fault) { return FaultedAnswer(refusedBy: fault) }
        let firing = plan.firing(
            for: request,
            outline(of: request, verdict, number: number, at: time),
            on: FaultConnection(connection),
            FaultOccasion(now: time.world, requestsBefore: Int(number) - 1, idle: idle.microseconds)
        )
        guard let firing else { return nil }
        let answer = FaultedAnswer(firing, verdict: verdict, hasGoneAway: faultHistory.hasGoneAway)
        if answer.wire?.goAway != nil { faultHistory.hasGoneAway = true }
        if answer.refusesFurther { faultHistory.refusedBy = firing.id }
        return answer
    }

    var watchesIdleness: Bool { worker.latestRuleset.faults?.hasIdleFaults ?? false }

    func idle(for idle: TimeAmount) -> WireFault? {
        let now = worker.readClock().world
        guard let plan = worker.ruleset.faults else { return nil }
        let firing = plan.firing(
            idling: FaultConnection(connection),
            FaultOccasion(now: now, requestsBefore: Int(requests), idle: idle.microseconds),
            asked: &faultHistory.askedWhileIdle
        )
        guard let firing, let fault = WireFault(idle: firing),
            fault.goAway == nil || !faultHistory.hasGoneAway
        else {
            return nil
        }
        if fault.goAway != nil { faultHistory.hasGoneAway = true }
        if case .goAway(let frame) = firing.action, frame.then == .refuse {
            faultHistory.refusedBy = firing.id
        }
        return fault
    }

    /// Returns what conditions may know about a push that was judged but not answered.
    private func outline(
        of request: borrowing RequestView,
        _ verdict: Verdict,
        number: UInt32,
        at time: WorldClock.Reading
    ) -> PushOutline {
        var outline = PushOutline()
        outline.status = verdict.status
        outline.reason = verdict.reason
        outline.connectionID = connection.id
        outline.requestOnConnection = Int(number)
        outline.environment = connection.environment
        outline.verification = situation.verification
        outline.keyID = situation.credential?.key.keyID ?? ""
        outline.teamID = situation.credential?.key.teamID ?? ""
        outline.echoesID = request[.apnsID] != nil
        outline.receivedAt = time.system
        outline.clockTime = time.world
        outline.registrations = worker.ruleset.registrations
        return outline
    }

    /// Returns when the device token became invalid; for a fault's 410 of a valid token, the current time.
    private func deadSince(
        _ reason: Reason?,
        at time: WorldClock.Reading
    )
        -> Timestamp?
    {
        guard reason?.carriesTimestamp == true else { return nil }
        return situation.deadSince ?? time.world
    }

    func refused(_ request: borrowing RequestView, streamID: Int32, because problem: RequestProblem) {
        requests &+= 1
        (other(for: request) ?? self).note(request, streamID: streamID, number: requests, because: problem)
    }

    private func note(
        _ request: borrowing RequestView,
        streamID: Int32,
        number: UInt32,
        because problem: RequestProblem
    ) {
        let facts = RecordBatch.Facts(
            time: worker.readClock(),
            connection: connection.id,
            streamID: streamID,
            requestOnConnection: number,
            environment: connection.environment,
            status: problem.status,
            verdict: Verdict(reason: nil, decidedBy: nil),
            problem: problem.text,
            routing: routing
        )
        worker.batch.append(request, facts)
    }

    func readCompleted() {
        worker.publish()
        worker.router?.publish()
    }

    func goAwaySent(code: UInt32) { worker.world.noteGoAway(code: code, on: connection.id) }

    func closed(because reason: CloseReason) {
        readCompleted()
        worker.connectionEnded(connection, because: reason)
        worker.router?.connectionEnded(connection, because: reason)
    }
}

extension TimeAmount {
    fileprivate var microseconds: Int64 { nanoseconds / 1_000 }
}

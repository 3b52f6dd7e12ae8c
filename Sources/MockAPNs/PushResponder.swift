internal import MockAPNsRules
internal import MockAPNsTransport
internal import MockAPNsWorld
internal import NIOCore

/// Answers the pushes of one connection: asks the rules, records the push, renders the answer.
final class PushResponder: ConnectionResponder {
    private let worker: Worker
    private let connection: ConnectionRecord
    private var situation: Situation
    private var requests: UInt32 = 0
    /// The weight of the errors since the last accepted push.
    private var errors = 0

    init(worker: Worker, connection: ConnectionRecord) {
        self.worker = worker
        self.connection = connection
        situation = Situation(environment: connection.environment, authority: worker, devices: worker)
    }

    func respond(to request: borrowing RequestView, streamID: Int32, after idle: TimeAmount) -> Response {
        let time = worker.readClock()
        let ruleset = worker.ruleset
        requests &+= 1
        situation.begin(at: time.world, options: ruleset.options, isStopping: ruleset.isStopping)
        let verdict = ruleset.pipeline.verdict(on: request, in: &situation)

        // Documented: the client's id comes back. Inferred: unless it is not one.
        var id: UniqueID?
        let echo = request[.apnsID].flatMap { UniqueID.isCanonical($0, lowerCaseOnly: false) ? $0 : nil }
        if echo == nil || verdict.reason == .badMessageID { id = worker.identifiers.nextID() }
        // Documented: in the development environment alone. Observed: on accepted pushes.
        let isTraced = verdict.reason == nil && connection.environment == .sandbox
        let uniqueID = isTraced ? worker.identifiers.nextID() : nil
        let hasContentType = verdict.reason != nil && ruleset.options.sendsErrorContentType

        if verdict.reason == nil, situation.registered == nil, let token = situation.deviceToken {
            worker.noteUnknown(token)
        }
        worker.batch.append(
            request,
            RecordBatch.Facts(
                time: time,
                connection: connection.id,
                streamID: streamID,
                requestOnConnection: requests,
                environment: connection.environment,
                status: verdict.status,
                verdict: verdict,
                verification: situation.verification,
                credential: situation.credential,
                deadSince: situation.deadSince,
                registered: situation.registered,
                id: id,
                uniqueID: uniqueID,
                hasContentType: hasContentType
            )
        )
        return Response(
            status: verdict.status,
            headers: (
                Response.Header("apns-id", id.map { .uniqueID($0, upperCase: true) } ?? .requestBytes(echo!)),
                uniqueID.map { Response.Header("apns-unique-id", .uniqueID($0, upperCase: false)) },
                hasContentType ? Response.Header("content-type", .text("application/json")) : nil
            ),
            body: verdict.reason.map { Answer.body(for: $0, deadSince: situation.deadSince) } ?? [],
            liftsStreamLimit: situation.isAuthenticated,
            endsConnection: hasTooManyErrors(after: verdict, limit: ruleset.options.errorLimit)
        )
    }

    private func hasTooManyErrors(after verdict: Verdict, limit: Int) -> Bool {
        errors = verdict.reason.map { errors + $0.errorWeight } ?? 0
        return limit > 0 && errors >= limit
    }

    func refused(_ request: borrowing RequestView, streamID: Int32, because problem: RequestProblem) {
        requests &+= 1
        worker.batch.append(
            request,
            RecordBatch.Facts(
                time: worker.readClock(),
                connection: connection.id,
                streamID: streamID,
                requestOnConnection: requests,
                environment: connection.environment,
                status: problem.status,
                verdict: Verdict(reason: nil, decidedBy: nil),
                problem: problem.text
            )
        )
    }

    func readCompleted() { worker.publish() }

    func closed(because reason: CloseReason) {
        worker.publish()
        worker.connectionEnded(connection, because: reason)
    }
}

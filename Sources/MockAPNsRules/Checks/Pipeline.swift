/// The checks in the order in which APNs reports problems: the first one that fails decides the response.
///
/// Each service has its own. Apple documents no order. `docs/differences.md` lists the evidence for each step.
/// Without evidence, the order is a guess that `reordered` can change.
public final class Pipeline: Sendable {
    /// The order that observations support best.
    public static let standard = Pipeline(
        push: [
            .notStopping, .clientCertificate, .method, .path, .singleHeaders, .tokenPresent, .tokenValid, .tokenAge,
            .tokenEnvironment, .connectionKey, .tokenUpdates, .deviceTokenPresent, .messageID, .expiration, .priority,
            .collapseID, .pushType, .topicPresent, .topicForm, .topicAllowed, .payloadPresent, .payloadSize,
            .payloadJSON, .deviceTokenForm, .answerToken, .deviceTokenKnown, .deviceTokenTopic, .deviceTokenAlive,
            .pushTypeForTopic, .priorityForPushType, .deviceRate,
        ],
        broadcast: [
            .notStopping, .clientCertificate, .method, .broadcastPath, .tokenPresent, .tokenValid, .tokenAge,
            .tokenEnvironment, .connectionKey, .tokenUpdates, .bundleIDAllowed, .broadcastEnabled, .bundleIDPlain,
            .requestID, .broadcastTypePresent, .broadcastType, .channelPresent, .channelForm, .priority, .expiration,
            .channelAnswer, .channelRegistered, .expirationForChannel, .payloadPresent, .payloadSize, .payloadJSON,
            .channelRate,
        ],
        channels: [
            .notStopping, .clientCertificate, .channelsMethod, .channelsPath, .tokenPresent, .tokenValid, .tokenAge,
            .tokenEnvironment, .connectionKey, .tokenUpdates, .bundleIDAllowed, .broadcastEnabled, .bundleIDPlain,
            .requestID, .channelPresent, .channelForm, .channelAnswer, .channelRegistered, .payloadSize, .channelBody,
            .channelParameters, .channelTypePresent, .channelType, .channelRoom,
        ])

    /// The checks of a push, in order.
    public var checks: [Check] { push.checks }

    private let push: Order
    private let broadcast: Order
    private let channels: Order

    convenience init(checks: [Check]) { self.init(push: checks, broadcast: checks, channels: checks) }

    private init(push: [Check], broadcast: [Check], channels: [Check]) {
        self.push = Order(push)
        self.broadcast = Order(broadcast)
        self.channels = Order(channels)
    }

    /// Returns the checks of a service, in order; `Verdict.decidedBy` is a position among them.
    public func checks(of service: Service) -> [Check] { order(of: service).checks }

    /// The checks of all services; those that several have are repeated.
    public var allChecks: [Check] { Service.allCases.flatMap { checks(of: $0) } }

    private func order(of service: Service) -> Order {
        switch service {
        case .push: push
        case .broadcast: broadcast
        case .channels: channels
        }
    }

    /// The reason why an order is invalid.
    public enum OrderProblem: Error, Equatable, Sendable {
        /// No check has this name.
        case unknownCheck(String)
        /// The check is listed more than once.
        case repeatedCheck(String)
    }

    /// Returns a pipeline in which the listed checks exchange their positions to be in the given order.
    ///
    /// `["provider-token-present", "path"]` swaps these two checks; every other check keeps its position. In
    /// each service, this applies to those of the checks that it has.
    ///
    /// - Throws: `OrderProblem` for an unknown or repeated name.
    public func reordered(_ ids: [String]) throws(OrderProblem) -> Pipeline {
        let all = allChecks
        var seen: Set<String> = []
        for id in ids {
            guard all.contains(where: { $0.id == id }) else { throw .unknownCheck(id) }
            guard seen.insert(id).inserted else { throw .repeatedCheck(id) }
        }
        return Pipeline(
            push: push.reordered(ids), broadcast: broadcast.reordered(ids), channels: channels.reordered(ids))
    }

    /// Whether both have the same checks in the same order.
    public func hasChecks(of other: Pipeline) -> Bool {
        Service.allCases.allSatisfy { checks(of: $0).elementsEqual(other.checks(of: $0), by: ===) }
    }

    /// Runs the checks of the request's service until one rejects it.
    public func verdict(on request: borrowing RequestView, in situation: inout Situation) -> Verdict {
        let service = situation.service(of: request)
        guard service == .push else {
            situation.beginChannelRequest(for: service)
            return order(of: service).verdict(on: request, in: &situation, isRecalled: false)
        }
        situation.service = service
        let isRecalled = situation.recall(request.headerVersion)
        let verdict = push.verdict(on: request, in: &situation, isRecalled: isRecalled)
        if verdict.reason == nil { situation.remember(request.headerVersion) }
        return verdict
    }

    /// Returns the verdict of the check of a service that gives `reason`, for what is found out only later.
    public func rejection(_ reason: Reason, by service: Service) -> Verdict {
        let position = checks(of: service).firstIndex { $0.reasons == [reason] }
        return Verdict(reason: reason, decidedBy: position.map { UInt8($0) })
    }

    /// The checks of a service.
    private struct Order: Sendable {
        /// A check with its position, unretained, which avoids counting references for each check of each push.
        ///
        /// `checks` keeps it alive.
        private typealias Step = (position: UInt8, check: Unmanaged<Check>)

        let checks: [Check]
        private let steps: [Step]
        /// The steps for a request whose stable checks have passed before.
        private let unstableSteps: [Step]

        init(_ checks: [Check]) {
            self.checks = checks
            steps = checks.enumerated().map { (UInt8($0), .passUnretained($1)) }
            unstableSteps = steps.filter { !$0.check.takeUnretainedValue().isStable }
        }

        func reordered(_ ids: [String]) -> [Check] {
            let moved = ids.compactMap { id in checks.firstIndex { $0.id == id } }
            var reordered = checks
            for (place, old) in zip(moved.sorted(), moved) { reordered[place] = checks[old] }
            return reordered
        }

        @inline(__always) func verdict(
            on request: borrowing RequestView, in situation: inout Situation, isRecalled: Bool
        ) -> Verdict {
            (isRecalled ? unstableSteps : steps).withUnsafeBufferPointer { steps in
                for step in steps {
                    if let reason = step.check._withUnsafeGuaranteedRef({ $0.run(request, &situation) }) {
                        return Verdict(reason: reason, decidedBy: step.position)
                    }
                }
                return .accepted
            }
        }
    }
}

/// The checks in the order in which APNs reports problems: the first one that fails decides the response.
///
/// Apple documents no order. `docs/differences.md` lists the evidence for each step. Without evidence, the
/// order is a guess that `reordered` can change.
public struct Pipeline: Sendable {
    /// The checks in order.
    public let checks: [Check]

    /// The order that observations support best.
    public static let standard = Pipeline(
        checks: [
            .notStopping,
            .clientCertificate,
            .method,
            .path,
            .singleHeaders,
            .tokenPresent,
            .tokenValid,
            .tokenAge,
            .tokenEnvironment,
            .connectionKey,
            .tokenUpdates,
            .deviceTokenPresent,
            .messageID,
            .expiration,
            .priority,
            .collapseID,
            .pushType,
            .topicPresent,
            .topicForm,
            .topicAllowed,
            .payloadPresent,
            .payloadSize,
            .payloadJSON,
            .deviceTokenForm,
            .answerToken,
            .deviceTokenKnown,
            .deviceTokenTopic,
            .deviceTokenAlive,
            .pushTypeForTopic,
            .priorityForPushType,
            .deviceRate,
        ]
    )

    /// A check with its position, unretained, which avoids counting references for each check of each push.
    ///
    /// `checks` keeps it alive.
    private typealias Step = (position: UInt8, check: Unmanaged<Check>)

    private let steps: [Step]
    /// The steps for a request whose stable checks have passed before.
    private let unstableSteps: [Step]

    init(checks: [Check]) {
        self.checks = checks
        steps = checks.enumerated().map { (UInt8($0), .passUnretained($1)) }
        unstableSteps = steps.filter { !$0.check.takeUnretainedValue().isStable }
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
    /// `["provider-token-present", "path"]` swaps these two checks; every other check keeps its position.
    ///
    /// - Throws: `OrderProblem` for an unknown or repeated name.
    public func reordered(_ ids: [String]) throws(OrderProblem) -> Pipeline {
        var places: [Int] = []
        var moved: [Check] = []
        for id in ids {
            guard let place = checks.firstIndex(where: { $0.id == id }) else { throw .unknownCheck(id) }
            guard !places.contains(place) else { throw .repeatedCheck(id) }
            places.append(place)
            moved.append(checks[place])
        }
        var reordered = checks
        for (place, check) in zip(places.sorted(), moved) { reordered[place] = check }
        return Pipeline(checks: reordered)
    }

    /// Runs the checks until one rejects the request.
    public func verdict(on request: borrowing RequestView, in situation: inout Situation) -> Verdict {
        for step in situation.recall(request.headerVersion) ? unstableSteps : steps {
            if let reason = step.check._withUnsafeGuaranteedRef({ $0.run(request, &situation) }) {
                return Verdict(reason: reason, decidedBy: step.position)
            }
        }
        situation.remember(request.headerVersion)
        return .accepted
    }
}

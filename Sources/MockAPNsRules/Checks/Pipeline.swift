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

    /// The same checks, unretained, which avoids counting references for each check of each push.
    ///
    /// `checks` keeps them alive.
    private let order: [Unmanaged<Check>]

    init(checks: [Check]) {
        self.checks = checks
        order = checks.map(Unmanaged.passUnretained)
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
        for position in order.indices {
            if let reason = order[position]._withUnsafeGuaranteedRef({ $0.run(request, &situation) }) {
                return Verdict(reason: reason, decidedBy: UInt8(truncatingIfNeeded: position))
            }
        }
        return .accepted
    }
}

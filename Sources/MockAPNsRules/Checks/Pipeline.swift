/// The checks in the order in which APNs reports problems: the first that refuses a request answers it.
///
/// Apple documents no order. The evidence for each step is in `docs/differences.md`; where there is none, the
/// order is a guess that `reordered` can change.
public struct Pipeline: Sendable {
    /// The checks in their order.
    public let checks: [Check]

    /// The order best supported by observation.
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

    /// The same checks, which `checks` keeps alive: no references are counted for each of them and each push.
    private let order: [Unmanaged<Check>]

    /// A pipeline of these checks, in this order.
    init(checks: [Check]) {
        self.checks = checks
        order = checks.map(Unmanaged.passUnretained)
    }

    /// Why a new order cannot be had.
    public enum OrderProblem: Error, Equatable, Sendable {
        /// There is no check of this name.
        case unknownCheck(String)
        /// The check is named more than once.
        case repeatedCheck(String)
    }

    /// The same checks, with those named standing in the given order at the places they hold between them.
    ///
    /// `["provider-token-present", "path"]` looks for a provider token where the path was looked at, and the
    /// other way round; every other check keeps its place.
    ///
    /// - Throws: `OrderProblem` for a name that is unknown or comes twice.
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

    /// Looks at a request until a check refuses it.
    public func verdict(on request: borrowing RequestView, in situation: inout Situation) -> Verdict {
        for position in order.indices {
            if let reason = order[position]._withUnsafeGuaranteedRef({ $0.run(request, &situation) }) {
                return Verdict(reason: reason, decidedBy: UInt8(truncatingIfNeeded: position))
            }
        }
        return .accepted
    }
}

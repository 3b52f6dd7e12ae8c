package import MockAPNsFormats
package import MockAPNsRules
package import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// Selects pushes: the `match` of verifications and faults.
package struct PushMatcher: Sendable {
    package var requirements: [Requirement] = []
    package var search: [SearchText] = []
    package internal(set) var json: JSONValue = [:]

    package static let any = PushMatcher()

    /// Parses a matcher, or returns `nil` and appends the errors to `complaints` with their location below `pointer`.
    ///
    /// Relative times in searches refer to `now`.
    package static func read(
        _ value: JSONValue, at pointer: String, now: Timestamp, complaints: inout [Complaint]
    ) -> PushMatcher? {
        var reader = MatcherReader()
        reader.read(value, at: pointer, now: now)
        complaints += reader.complaints
        return reader.complaints.isEmpty ? reader.matcher : nil
    }

    /// The parts that can only be evaluated after the response, each with its member of the matcher.
    package var partsKnownLater: [(member: String, part: String)] {
        let own = requirements.filter { !$0.isKnownOnArrival }.map { (member: $0.name, part: $0.name) }
        return own + search.flatMap(\.condition.partsKnownLater).map { (member: "q", part: $0) }
    }

    package var condition: Condition { .all(requirements.map { .requirement($0) } + search.map(\.condition)) }

    package func query(in context: PushContext, _ budget: StepBudget) -> PushQuery.Condition? {
        condition == .all([]) ? nil : condition.query(in: context, budget)
    }

    /// The number of steps that a fault's conditions may take on a push if they take more on a large one; `nil` if they
    /// don't.
    ///
    /// The large push is an alert with a payload of 4,096 bytes. Whether another one exceeds the steps depends on it.
    package var exceededStepsOfFault: Int? {
        let condition = condition
        guard condition != .all([]) else { return nil }
        let most = Candidate.largestOfFault
        let budget = StepBudget(most)
        let payload = #"{"aps":{"alert":"\#(String(repeating: "large ", count: 678))"}}"#
        let path = "/3/device/" + String(repeating: "ab", count: 32)
        let headers = [
            (":method", "POST"), (":path", path), ("apns-topic", "com.example.app"), ("apns-push-type", "alert"),
        ]
        return RequestView.withRequest(headers: headers, body: Array(payload.utf8)) { request in
            _ = condition.holds(for: Candidate(request, PushOutline(), in: nil, budget))
            return budget.isSpent ? most : nil
        }
    }

    /// Returns the condition for a fault, with a separate budget for each push, or `nil` if every push matches.
    ///
    /// A push that exceeds the budget does not match, so that a slow pattern does not delay it. `text` is kept with it.
    package func faultMatch(text: String) -> FaultDraft.Match? {
        let condition = condition
        guard condition != .all([]) else { return nil }
        let tooCostly = NIOLockedValueBox<UInt64>(0)
        return FaultDraft.Match(text: text, tooCostly: { tooCostly.withLockedValue(\.self) }) { request, outline in
            let budget = StepBudget(Candidate.largestOfFault)
            let holds = condition.holds(for: Candidate(request, outline, in: nil, budget))
            guard budget.isSpent else { return holds }
            tooCostly.withLockedValue { $0 += 1 }
            return false
        }
    }
}

/// A requirement on one value of a push.
package struct Requirement: Sendable, Equatable {
    package enum Subject: Sendable, Equatable {
        case field(PushField)
        /// A header field, by its lowercase name.
        case header(String)
        case payload(JSONPointer)
        case lints
    }

    package let subject: Subject
    package let comparisons: [Comparison]
    /// The operators as written in the matcher; `equals` if it has only a value.
    var written: [String: JSONValue] = [:]

    /// The expected value, or the operators if there are others than `equals`.
    package var expected: JSONValue {
        let value = written.count == 1 ? written["equals"] : nil
        return value ?? .object(written)
    }

    package var operators: [Comparison.Operator] { Comparison.Operator.allCases.filter { written[$0.rawValue] != nil } }

    package static func field(_ field: PushField, equals text: String) -> Requirement {
        let wanted = field.row.isCaseless ? text.lowercased() : text
        return Requirement(
            subject: .field(field),
            comparisons: [field.row.search == .entry ? .contains(wanted) : .equals(.string(wanted))],
            written: ["equals": .string(text)])
    }

    package var name: String {
        switch subject {
        case .field(let field) where PushField.verdictFields.contains(field): "verdict.\(field.rawValue)"
        case .field(let field): field.rawValue
        case .header(let name): "headers.\(name)"
        case .payload(let pointer): pointer.description.isEmpty ? "payload" : "payload \(pointer)"
        case .lints: "lint"
        }
    }

    package var isKnownOnArrival: Bool {
        switch subject {
        case .field(let field): field.row.isKnownOnArrival
        case .lints: !comparisons.flatMap(\.texts).contains { Lint(rawValue: $0)?.isKnownOnArrival == false }
        case .header, .payload: true
        }
    }

    package func actual(_ candidate: Candidate) -> JSONValue? {
        switch subject {
        case .field(let field) where field.row.search == .entry:
            field.value(of: candidate).map { .array($0.split(separator: " ").map { .string(String($0)) }) }
        case .field(let field): field.value(of: candidate).map { .string($0) }
        case .header(let name): candidate.header(named: name).map { .string($0) }
        case .payload(let pointer): candidate.payload.flatMap { pointer.value(in: $0) }
        // `nil` without lints, so that `absent` matches a push without findings.
        case .lints: candidate.lints.isEmpty ? nil : .array(candidate.lints.map { .string($0.id) })
        }
    }

    package func isMet(by candidate: Candidate) -> Bool {
        guard candidate.budget.take(StepBudget.comparison * comparisons.count) else { return false }
        let actual = actual(candidate)
        let isText = if case .payload = subject { false } else { true }
        return comparisons.allSatisfy { $0.holds(for: actual, isText: isText, candidate.budget) }
    }
}

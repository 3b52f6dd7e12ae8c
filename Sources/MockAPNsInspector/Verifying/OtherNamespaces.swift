internal import MockAPNs
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// Pushes that a verification looked for in one namespace, and that came to others.
///
/// Where it asks for device tokens, every push to one of them counts, whatever else was asked: a token is one app on
/// one phone, so a push to it that is elsewhere went astray. Else those count that have all that was asked for, accepted
/// or not. The numbers of namespaces have nothing to do with each other, so the window does not matter.
struct OtherNamespaces {
    /// The pushes looked at, in all namespaces together: what is only a hint must not hold the API up.
    static let mostLookedAt = 20_000
    /// More namespaces are not worth a line each.
    private static let mostHints = 3

    /// How many there are in each namespace that has some, the likeliest first.
    private(set) var counts: [(name: String, count: Int)] = []
    private let asksForTokens: Bool
    private let subject: InspectedServer

    init(
        _ verification: Verification,
        in subject: InspectedServer,
        atMost limit: Int = mostLookedAt,
        _ scan: Scan
    ) async throws(SearchFailure) {
        let tokens = verification.matcher.requirements.filter(Self.isToken)
        var matcher = verification.matcher
        matcher.requirements.removeAll(where: Self.isAcceptance)
        if !tokens.isEmpty { (matcher.requirements, matcher.search) = (tokens, []) }
        asksForTokens = !tokens.isEmpty
        self.subject = subject
        let condition = matcher.condition
        let all = subject.server.namespaces.all
        var left = limit
        for namespace in all.prefix(1) + all.dropFirst().reversed() where namespace !== subject.namespace {
            guard left > 0 else { break }
            let context = subject.context(of: namespace)
            var count = 0
            _ = try await scan.visit(namespace.world.journal, PushQuery()) { request, outline in
                if condition.holds(for: Candidate(request, outline, in: context, scan.budget)) {
                    count += 1
                }
                left -= 1
                return left > 0
            }
            if count > 0 { counts.append((namespace.name, count)) }
        }
    }

    /// The counts by the names of the namespaces.
    var json: JSONValue {
        .object(counts.reduce(into: [:]) { $0[$1.name] = JSONValue($1.count) })
    }

    /// What may be the matter, for people.
    var hints: [String] {
        counts.prefix(Self.mostHints).map { name, count in
            let pushes =
                asksForTokens
                ? Verification.Expectation.pushes(count) + " to this token arrived"
                : Verification.Expectation.pushes(count) + " that would match arrived"
            return "\(pushes) in namespace '\(name)': \(question(about: name))"
        }
    }

    private func question(about other: String) -> String {
        let namespace = subject.namespace
        if namespace.isStandard { return "was it meant, with /api/v1/namespaces/\(other)/pushes/verify?" }
        if let port = namespace.listeners.first?.address.port {
            return "was the provider pointed at port \(port)?"
        }
        return "is the token registered in namespace '\(namespace.name)', and in no other?"
    }

    /// Whether a requirement names device tokens.
    private static func isToken(_ requirement: Requirement) -> Bool {
        guard requirement.subject == .field(.token) else { return false }
        return requirement.comparisons.allSatisfy { comparison in
            switch comparison {
            case .equals, .among: true
            default: false
            }
        }
    }

    /// Whether a requirement is the one that every verification has which says nothing of the verdict.
    private static func isAcceptance(_ requirement: Requirement) -> Bool {
        requirement == .field(.outcome, equals: PushQuery.Outcome.accepted.rawValue)
    }
}

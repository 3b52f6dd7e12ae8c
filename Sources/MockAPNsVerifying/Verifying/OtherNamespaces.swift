internal import MockAPNs
internal import MockAPNsQuery
internal import MockAPNsWorld

/// Pushes that would match a verification, but arrived in another namespace.
///
/// If the verification asks for device tokens, every push to one of them counts, whatever else is required: a token is
/// one app on one device, so a push to it in another namespace was sent to the wrong one. Otherwise all matching pushes
/// count, accepted or not. The window is ignored, because each namespace has its own numbers.
struct OtherNamespaces {
    /// The number of pushes to look at, in all namespaces together: a hint must not take long.
    static let mostLookedAt = 20_000
    /// More namespaces are not worth a line each.
    private static let mostHints = 3

    /// The number of pushes in each namespace that has some, the likeliest first.
    private(set) var counts: [(name: String, count: Int)] = []
    private let asksForTokens: Bool
    private let pushes: VerifiedNamespace

    init(
        _ verification: Verification, in pushes: VerifiedNamespace, atMost limit: Int = mostLookedAt, _ scan: Scan
    ) async throws(SearchFailure) {
        let tokens = verification.matcher.requirements.filter(Self.isToken)
        var matcher = verification.matcher
        matcher.requirements.removeAll { $0 == .acceptance }
        if !tokens.isEmpty { (matcher.requirements, matcher.search) = (tokens, []) }
        asksForTokens = !tokens.isEmpty
        self.pushes = pushes
        let condition = matcher.condition
        let all = pushes.server.namespaces.all
        var left = limit
        for namespace in all.prefix(1) + all.dropFirst().reversed() where namespace !== pushes.namespace {
            guard left > 0 else { break }
            let context = pushes.other(namespace).context
            var count = 0
            let journal = namespace.world.journal
            try await scan.visit(journal, PushQuery(), atMost: left) { request, outline, _ in
                if condition.holds(for: Candidate(request, outline, in: context, scan.budget)) { count += 1 }
                left -= 1
            }
            if count > 0 { counts.append((namespace.name, count)) }
        }
    }

    var hints: [String] {
        let which = asksForTokens ? "to this token" : "that would match"
        return counts.prefix(Self.mostHints).map { name, count in
            "\(ReportText.pushes(count)) \(which) arrived in namespace '\(name)': \(question(about: name))"
        }
    }

    private func question(about other: String) -> String {
        let namespace = pushes.namespace
        if namespace.isStandard { return "was it meant, with /api/v1/namespaces/\(other)/pushes/verify?" }
        if let port = namespace.listeners.first?.address.port { return "was the provider pointed at port \(port)?" }
        return "is the token registered in namespace '\(namespace.name)', and in no other?"
    }

    private static func isToken(_ requirement: Requirement) -> Bool {
        requirement.subject == .field(.token)
            && requirement.operators.allSatisfy { [.equals, .equalsJSON, .in].contains($0) }
    }
}

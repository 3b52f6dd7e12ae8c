internal import MockAPNsRules

/// The cases of `mock-apns drift`.
package enum DriftCatalogue {
    /// Every case, in the order in which they are sent.
    package static let all: [DriftCase] = {
        let cases = (singles + pairs).map(withContentType) + probes + devices + channels + certificates + updates
        return DriftCase.Place.allCases.flatMap { place in
            // A look at what the shared connection has sent is its last case.
            let here = cases.filter { $0.place == place }
            return here.filter { $0.probe != .laterSettings } + here.filter { $0.probe == .laterSettings }
        }
    }()

    /// Returns the cases that can be sent.
    ///
    /// A key of another environment is refused whatever the request is, so one case says it all.
    package static func cases(with needs: Set<DriftCase.Need>) -> [DriftCase] {
        if needs.contains(.otherEnvironment) { return [otherEnvironment] }
        return all.filter { item in item.need.map { needs.contains($0) } ?? true }
    }

    /// Options of `serve` that no case decides, and why.
    package static let undecided = [
        "background-priority": "it needs a push that a device may show",
        "push-type-mismatch": "it needs a device token of another kind",
        "environment-reason": "it is decided by the one case that is sent with a key of the other environment",
        "other-team": "it needs keys of two teams", "token-subject": "it needs a topic-specific key",
        "answer-tokens": "no other service has them", "gateway-unregistered": "the binary interface is turned off",
        "over-limit-stream": "the client keeps to the limit",
    ]

    /// The one case of a key of the other environment.
    package static let otherEnvironment = DriftCase(
        id: "key-environment", decides: "a provider key of the other environment",
        source: "observed as BadEnvironmentKeyInToken, documented as BadEnvironmentKeyIdInToken",
        choices: [DriftCase.Choice("--behavior environment-reason=documented", "BadEnvironmentKeyIdInToken")],
        need: .otherEnvironment, change: { _, _ in })

    static let contentType = DriftCase.Choice(
        "--behavior error-content-type=present", .header("content-type=application/json"))

    static func withContentType(_ item: DriftCase) -> DriftCase {
        guard item.hasErrorBody else { return item }
        var item = item
        item.choices.append(contentType)
        return item
    }

    /// One for each defect, and one without any.
    private static let singles =
        [
            DriftCase(
                id: "unknown-device", decides: "a push without a mistake to a device token that no device has",
                source: "documented: BadDeviceToken", choices: [], change: { _, _ in })
        ]
        + DriftDefect.all.map { defect in
            var item = DriftCase(
                id: defect.id, decides: defect.decides, source: defect.source, choices: defect.choices,
                change: defect.change)
            // A valid token of its own could count as an update of the shared one.
            if defect.parts.contains(.token) { item.place = place(of: defect) }
            // The header list is over the limit of SETTINGS, which may end the connection.
            if defect.id == "header-huge" { item.place = .own }
            item.hasErrorBody = defect.id != "header-huge"
            if defect.isRenewed { item.choices += scope }
            item.checks = [defect.check]
            return item
        }

    /// Two defects in one request decide which check comes first; one of each check is enough.
    private static let pairs: [DriftCase] = {
        let certain = DriftDefect.all.filter(\.isForOrder)
        let checks = Pipeline.standard.checks.map { check in certain.filter { $0.check == check.id } }.filter {
            !$0.isEmpty
        }
        return checks.indices.flatMap { one in
            checks[(one + 1)...].compactMap { others in
                let all = checks[one].flatMap { one in others.map { (one, $0) } }
                return all.first { $0.parts.isDisjoint(with: $1.parts) }.map(pair)
            }
        }
    }()

    private static func pair(_ one: DriftDefect, _ other: DriftDefect) -> DriftCase {
        let reason = DriftDefect.reasons[other.check] ?? ""
        var item = DriftCase(
            id: "\(one.id)+\(other.id)", decides: "whether \(one.check) is checked before \(other.check)",
            source: "docs/differences.md, order of checks",
            choices: [DriftCase.Choice("--check-order \(other.check),\(one.check)", reason)]
        ) { draft, provider in
            one.change(&draft, provider)
            other.change(&draft, provider)
        }
        item.checks = [one.check, other.check]
        if !one.parts.union(other.parts).isDisjoint(with: [.token]) {
            item.place = place(of: one.parts.contains(.token) ? one : other)
        }
        return item
    }

    /// The connection for a provider token: tokens from different times on one could count as updates.
    private static func place(of defect: DriftDefect) -> DriftCase.Place {
        if defect.isRenewed { return .updates }
        if defect.mayBeValid { return .own }
        if defect.id == "token-iat-old" { return .aged }
        return defect.check == "provider-token-age" ? .own : .refused
    }
}

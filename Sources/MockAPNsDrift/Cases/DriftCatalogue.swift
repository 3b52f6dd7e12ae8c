/// The cases of `mock-apns drift`.
package enum DriftCatalogue {
    /// Every case, in the order in which they are sent: those with the shared provider token first.
    package static let all: [DriftCase] = {
        let cases = singles + pairs
        return cases.filter { !$0.hasOwnToken } + cases.filter(\.hasOwnToken)
    }()

    /// One for each defect, and one without any.
    private static let singles =
        [
            DriftCase(
                id: "unknown-device", decides: "a push without a mistake to a device token that no device has",
                source: "documented: BadDeviceToken", choices: [], hasOwnToken: false, change: { _, _ in })
        ]
        + DriftDefect.all.map { defect in
            DriftCase(
                id: defect.id, decides: defect.decides, source: defect.source, choices: defect.choices,
                hasOwnToken: defect.part == .token, needsConnection: defect.mayBeValid, change: defect.change)
        }

    /// Two defects in one request decide which check comes first; one defect stands for each check.
    private static let pairs: [DriftCase] = {
        let first = DriftDefect.all.filter { defect in
            defect.isForOrder && DriftDefect.all.first { $0.isForOrder && $0.check == defect.check }?.id == defect.id
        }
        return first.indices.flatMap { one in first[(one + 1)...].compactMap { other in pair(first[one], other) } }
    }()

    private static func pair(_ one: DriftDefect, _ other: DriftDefect) -> DriftCase? {
        guard one.part != other.part, one.check != other.check else { return nil }
        let reason = DriftDefect.reasons[other.check] ?? ""
        return DriftCase(
            id: "\(one.id)+\(other.id)", decides: "whether \(one.check) is checked before \(other.check)",
            source: "docs/differences.md, order of checks",
            choices: reason.isEmpty ? [] : [DriftCase.Choice("--check-order \(other.check),\(one.check)", reason)],
            hasOwnToken: one.part == .token || other.part == .token
        ) { draft, provider in
            one.change(&draft, provider)
            other.change(&draft, provider)
        }
    }
}

extension DriftDefect {
    /// Whether pairs of it decide the order of checks.
    ///
    /// Only if the mistake is one beyond doubt: what an option of `serve` may accept would tell nothing about the order.
    var isForOrder: Bool { choices.isEmpty && Self.reasons[check] != nil }
}

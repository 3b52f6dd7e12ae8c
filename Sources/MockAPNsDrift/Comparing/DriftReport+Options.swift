internal import MockAPNs
internal import MockAPNsRules

/// What a report says about the options of `serve`.
extension DriftReport {
    private static let order = "--check-order "

    /// The options of `serve` that make the mock answer like the service as far as options can; the order of checks is
    /// one option.
    package var options: [String] {
        var options: [String] = []
        for option in differing.flatMap(\.options) where !option.hasPrefix(Self.order) {
            // Several values may explain the same; the first is as good as the others.
            let name = option.prefix { $0 != "=" }
            if !options.contains(where: { $0.prefix { $0 != "=" } == name }) { options.append(option) }
        }
        return options + [checkOrder].compactMap(\.self)
    }

    /// The differing cases that no option explains.
    package var unexplained: [Outcome] { differing.filter(\.options.isEmpty) }

    /// Options that explain only some of the cases that are about them, each with how many of how many.
    package var partial: [(option: String, count: Int, all: Int)] {
        options.compactMap { option in
            let about = outcomes.filter { outcome in
                Self.items[outcome.id]?.choices.contains { $0.option == option } ?? false
            }
            let count = about.count { $0.options.contains(option) }
            return count < about.count && !option.hasPrefix(Self.order) ? (option, count, about.count) : nil
        }
    }

    private static let items = Dictionary(DriftCatalogue.all.map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })

    /// The checks whose order differs, in the service's order; `nil` if none does or the answers contradict each other.
    private var checkOrder: String? {
        /// The pairs that the service's answers have decided: the first check comes before the second.
        var decided: [(first: String, second: String)] = []
        var moved: Set<String> = []
        for outcome in outcomes {
            let options = Self.items[outcome.id]?.choices.map(\.option) ?? []
            guard let option = options.first(where: { $0.hasPrefix(Self.order) }) else { continue }
            let checks = option.dropFirst(Self.order.count).split(separator: ",").map(String.init)
            guard checks.count == 2 else { continue }
            if outcome.options.contains(option) {
                decided.append((checks[0], checks[1]))
                moved.formUnion(checks)
            } else if outcome.differences.isEmpty {
                decided.append((checks[1], checks[0]))
            }
        }
        guard !moved.isEmpty else { return nil }
        let standard = Pipeline.standard.checks.map(\.id)
        var left = standard.filter(moved.contains)
        var sorted: [String] = []
        while !left.isEmpty {
            // The first in the mock's order that nothing else must precede.
            let next = left.first { check in
                !decided.contains { $0.second == check && $0.first != check && left.contains($0.first) }
            }
            guard let next else { return nil }
            sorted.append(next)
            left.removeAll { $0 == next }
        }
        return Self.order + sorted.joined(separator: ",")
    }
}

package import MockAPNsFormats

/// The result of a comparison, made to be shown to others: without tokens, keys, IDs and addresses.
package struct DriftReport: Equatable, Sendable {
    /// What a case got from the service and from the mock.
    package struct Outcome: Equatable, Sendable {
        package let id: String
        package let decides: String
        package let mock: DriftAnswer
        package let service: DriftAnswer
        /// The options of `serve` that would explain the difference.
        package let options: [String]

        package var differences: [String] { service.differences(from: mock) }
    }

    /// `sandbox`, `production` or `other`.
    package var upstream: String
    package var outcomes: [Outcome] = []
    /// The SETTINGS that differ, as text.
    package var settings: [String] = []
    /// Why the comparison ended early; `nil` if it is complete.
    package var stopped: String?

    package init(upstream: String) { self.upstream = upstream }

    package var differing: [Outcome] { outcomes.filter { !$0.differences.isEmpty } }

    /// Whether the mock answers like the service as far as was compared, and everything was.
    package var agrees: Bool { differing.isEmpty && settings.isEmpty && stopped == nil }

    /// The options of `serve` that make the mock answer like the service, without repetitions.
    package var options: [String] {
        var options: [String] = []
        for option in differing.flatMap(\.options) where !options.contains(option) { options.append(option) }
        return options
    }

    /// The report as JSON.
    package var json: JSONValue {
        func value(_ answer: DriftAnswer) -> JSONValue {
            .object([
                "status": .integer(Int64(answer.status)), "reason": JSONValue(answer.reason),
                "headers": .array(answer.headers.map { .string($0) }), "body": .string(answer.body),
            ])
        }
        let cases = outcomes.map { outcome in
            JSONValue.object([
                "id": .string(outcome.id), "decides": .string(outcome.decides), "mock": value(outcome.mock),
                "service": value(outcome.service), "differs": .array(outcome.differences.map { .string($0) }),
                "options": .array(outcome.options.map { .string($0) }),
            ])
        }
        return .object([
            "format": .integer(1), "upstream": .string(upstream), "cases": .array(cases),
            "settings": .array(settings.map { .string($0) }), "stopped": JSONValue(stopped),
        ])
    }

    /// The differences as text for people.
    package var text: String {
        var lines = differing.map { outcome in
            let hint = outcome.options.isEmpty ? "" : "\n  serve \(outcome.options.joined(separator: " "))"
            return
                "\(outcome.id): \(outcome.decides)\n  service: \(outcome.service.text)\n  mock:    \(outcome.mock.text)"
                + hint
        }
        lines += settings
        if let stopped { lines.append("stopped: \(stopped)") }
        lines.append("\(outcomes.count) cases compared, \(differing.count) differ")
        return lines.joined(separator: "\n")
    }
}

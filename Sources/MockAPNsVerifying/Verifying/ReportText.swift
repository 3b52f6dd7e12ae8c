internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// The report of a failed verification.
package struct ReportText {
    /// Longer values are cut in the middle.
    private static let longestValue = 48
    private static let nameWidth = 24
    private static let valueWidth = 40

    package let headline: String
    package let text: String

    /// Creates a report; `context` follows the headline, and `link` returns the URL of the push to look at first.
    init(
        _ headline: String, context: String = "", lines: [String], lookAt push: String?, link: (String) -> String?,
        hints: [String] = []
    ) {
        self.headline = headline
        let look = push.flatMap(link).map { ["look: \($0)"] } ?? []
        let all = [headline + context] + lines + look + hints.map { "hint: \($0)" }
        text = all.joined(separator: "\n") + "\n"
    }

    static func duration(_ microseconds: Int64) -> String {
        switch microseconds {
        case 1_000_000... where microseconds % 1_000_000 == 0 && microseconds < 60_000_000:
            "\(microseconds / 1_000_000) s"
        case ..<10_000_000: "\(microseconds / 1_000) ms"
        case ..<600_000_000: "\(microseconds / 1_000_000) s"
        case ..<36_000_000_000: "\(microseconds / 60_000_000) min"
        default: "\(microseconds / 3_600_000_000) h"
        }
    }

    /// Returns an expected number of pushes as text: `exactly 1 push`.
    static func expectation(_ range: ClosedRange<Int>) -> String {
        switch (range.lowerBound, range.upperBound) {
        case (_, 0): "no push"
        case (let least, .max): "at least \(pushes(least))"
        case (let least, let most) where least == most: "exactly \(pushes(least))"
        case (0, let most): "at most \(pushes(most))"
        case (let least, let most): "\(least) to \(pushes(most))"
        }
    }

    static func pushes(_ count: Int) -> String { counted(count, "push", "pushes") }

    /// Returns a value on one line, without control characters.
    static func shown(_ value: JSONValue) -> String {
        var text = String(decoding: value.text, as: UTF8.self)
        if case .string = value { text = String(text.dropFirst().dropLast()) }
        // JSON does not require escapes for some characters that move the cursor or change the text direction.
        let scalars = text.unicodeScalars.map { scalar -> String in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: "\\u{\(String(scalar.value, radix: 16))}"
            default: String(scalar)
            }
        }
        text = scalars.joined()
        guard text.count > longestValue else { return text.isEmpty ? "(empty)" : text }
        let half = (longestValue - 1) / 2
        return text.prefix(half) + "…" + text.suffix(half)
    }

    static func alert(of push: PushRecord?) -> String {
        let alert = push.map { PushFacts($0).reading.alert }
        let words = [alert?.title, alert?.body].compactMap { $0 }.joined(separator: " / ")
        return words.isEmpty ? "(silent)" : shown(.string(words))
    }

    /// Returns the line of a requirement: the actual value, and whether it is met.
    static func line(_ result: RequirementResult) -> String {
        let values =
            if result.isMet { shown(result.actual ?? result.expected) } else if result.name == "q" {
                shown(result.expected)
            } else {
                padded("expected " + shown(result.expected), 20) + " actual " + (result.actual.map(shown) ?? "(none)")
            }
        let mark = result.isMet ? "✔" : "✘  <<<<<"
        return "  \(padded(result.name, nameWidth)) \(padded(values, valueWidth)) \(mark)"
    }

    static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

extension PushQuery {
    init(after: UInt64, before: UInt64? = nil, _ condition: Condition? = nil) {
        self.init()
        self.after = after
        self.before = before
        self.condition = condition
    }
}

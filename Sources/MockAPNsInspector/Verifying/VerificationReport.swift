internal import MockAPNs
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// A verification that failed, told so that somebody who has never seen one knows what to do.
struct VerificationReport {
    /// Longer values are cut in the middle.
    private static let longestValue = 48
    private static let nameWidth = 24
    private static let valueWidth = 40
    /// More pushes than this are only counted.
    private static let mostListed = 5

    let verification: Verification
    let finding: Verification.Finding
    /// How long was waited, in words; empty when nothing was.
    let waited: String
    let hints: [String]
    let subject: InspectedServer
    /// Where a person can look at a push; `nil` where there is no page.
    let link: (String) -> String?

    /// What was expected, and what was there instead.
    var headline: String {
        "Expected \(verification.expectation.text), found \(finding.matched.count)"
            + (waited.isEmpty ? "" : " within \(waited)")
    }

    /// The whole report.
    var text: String {
        // Whatever numbers were asked for: the largest has none behind it, and 0 none before.
        let after = verification.after
        let end = verification.before ?? .max
        let last = min(finding.extent.lastSeq, end > 0 ? end - 1 : 0)
        let window = last > after ? "seq \(after + 1)..\(last)" : "nothing after seq \(after)"
        var lines = [
            headline
                + "          namespace \(subject.namespace.name), \(window), evicted \(finding.extent.evicted)"
        ]
        for (position, miss) in finding.nearMisses.enumerated() {
            lines += self.lines(of: miss, word: position == 0 ? "closest" : "next")
        }
        if let most = verification.expectation.most, finding.matched.count > most { lines += matchedLines }
        // What came nearest, or what was one too many.
        let culprit = finding.nearMisses.first?.seq ?? finding.matched.last
        if let url = culprit.flatMap({ link(id($0)) }) { lines.append("look: \(url)") }
        lines += hints.map { "hint: \($0)" }
        return lines.joined(separator: "\n") + "\n"
    }

    private func lines(of miss: Verification.NearMiss, word: String) -> [String] {
        [
            "\(Self.padded(word, 8)) \(id(miss.seq))  #\(miss.seq)  \(age(miss.seq))"
                + "   \(miss.met)/\(miss.results.count)"
        ] + miss.results.map(Self.line)
    }

    /// One requirement: what was there, and whether that is right.
    static func line(_ result: Verification.Result) -> String {
        let name = "  " + padded(result.name, nameWidth) + " "
        guard !result.isMet else {
            return name + padded(shown(result.actual ?? result.expected), valueWidth) + " ✔"
        }
        guard result.name != "q" else {
            return name + padded(shown(result.expected), valueWidth) + " ✘  <<<<<"
        }
        let expected = "expected " + shown(result.expected)
        let actual = "actual " + (result.actual.map(shown) ?? "(none)")
        let values = padded(expected, 20) + " " + actual
        return name + padded(values, valueWidth) + " ✘  <<<<<"
    }

    private var matchedLines: [String] {
        let shown = finding.matched.suffix(Self.mostListed)
        var lines = shown.reversed().map { seq in
            let push = subject.journal.push(seq: seq)
            let alert = push.map { AlertText(PushFacts($0).aps?["alert"]) }
            let words = [alert?.title, alert?.body].compactMap { $0 }.joined(separator: " / ")
            let text = words.isEmpty ? "(silent)" : Self.shown(.string(words))
            return "\(Self.padded("matched", 8)) \(id(seq))  #\(seq)  \(age(seq))   \(text)"
        }
        let more = finding.matched.count - shown.count
        if more > 0 { lines.append("         and \(more) more") }
        return lines
    }

    private func id(_ seq: UInt64) -> String { PushID(epoch: finding.extent.epoch, seq: seq).text }

    private func age(_ seq: UInt64) -> String {
        guard let push = subject.journal.push(seq: seq) else { return "not kept any more" }
        let now = subject.world.clock.read().system
        return Self.duration(max(0, now.microseconds - push.receivedAt.microseconds)) + " ago"
    }

    // MARK: Words

    /// A duration as people say it.
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

    /// A value on one line, without anything that a terminal would take for a command.
    static func shown(_ value: JSONValue) -> String {
        var text = String(decoding: value.text, as: UTF8.self)
        if case .string = value { text = String(text.dropFirst().dropLast()) }
        // What JSON need not escape may still move a cursor or turn the direction of writing.
        let scalars = text.unicodeScalars.map { scalar -> String in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                "\\u{\(String(scalar.value, radix: 16))}"
            default: String(scalar)
            }
        }
        text = scalars.joined()
        guard text.count > longestValue else { return text.isEmpty ? "(empty)" : text }
        let half = (longestValue - 1) / 2
        return text.prefix(half) + "…" + text.suffix(half)
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

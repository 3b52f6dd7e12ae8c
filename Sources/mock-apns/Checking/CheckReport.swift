internal import MockAPNsInspector
internal import MockAPNsQuery
internal import MockAPNsRules

/// The report of `mock-apns check`.
struct CheckReport {
    /// The name of the payload.
    let name: String
    let check: PayloadCheck

    /// A headline, a paragraph for each finding, by severity, and a sum.
    var text: String { ([headline] + check.findings.map(Self.paragraph) + [sum]).joined(separator: "\n\n") }

    private var headline: String {
        let told = check.pushType.isDerived ? " (derived from the payload)" : ""
        let sent =
            "\(name): push type \(check.pushType.name)\(told), \(check.size) of at most \(check.limit) bytes"
        guard let refusal = check.refusal else {
            return TerminalText.plain(sent) + "\nAPNs responds 200."
        }
        return [
            TerminalText.plain(sent), "APNs responds \(refusal.reason.status) \(refusal.reason.name).",
            "  expected: \(refusal.expected)", "  fix: \(refusal.reason.row.hint)",
        ].joined(separator: "\n")
    }

    private static func paragraph(_ finding: LintFinding) -> String {
        [
            "\(finding.severity.rawValue): \(finding.lint.id), \(place(of: finding))",
            "  \(finding.message)", "  fix: \(finding.fix)",
        ].map(TerminalText.plain).joined(separator: "\n")
    }

    private static func place(of finding: LintFinding) -> String {
        guard let pointer = finding.pointer, !pointer.isEmpty else { return "the payload" }
        if pointer == "headers/:path" { return "the device token" }
        let header = "headers/"
        return pointer.hasPrefix(header) ? String(pointer.dropFirst(header.count)) : pointer
    }

    private var sum: String {
        let parts = Lint.Severity.allCases.compactMap { severity -> String? in
            let count = check.count(severity)
            guard count > 0 else { return nil }
            return severity == .info
                ? "\(count) info" : count == 1 ? "1 \(severity)" : "\(count) \(severity)s"
        }
        return parts.isEmpty ? "No warnings." : parts.joined(separator: ", ")
    }
}

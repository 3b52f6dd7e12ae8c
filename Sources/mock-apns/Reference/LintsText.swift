internal import MockAPNsInspector
internal import MockAPNsQuery

/// `docs/lints.md`, from the table that lints are made of.
enum LintsText {
    static var markdown: String {
        """
        # Lints

        Made by `mock-apns reference --lints` from the table that the server goes by; `make reference` renews this file.

        A lint is something odd about a push that APNs does not refuse, or refuses in words too short to help. Every
        push's record has what was found in it as `lints`, and `mock-apns check payload.json` looks without a server.
        A lint never changes an answer.

        - **error**: refused, without effect, or certainly not what was meant.
        - **warning**: works, and is probably not what was meant.
        - **info**: works, and is worth knowing.

        Lints that look at several pushes go through the journal when somebody looks at a push, and say what was found
        of the later one. They know what the journal held when somebody looked first, and nothing from before a reset.

        \(ReferenceCommand.table(
            ["lint", "severity", "found when"],
            Lint.allCases.map { ["[`\($0.id)`](#\($0.id))", $0.row.severity.rawValue, $0.row.meaning] }
        ))
        \(Lint.allCases.map(section).joined(separator: "\n"))
        """
    }

    private static func section(_ lint: Lint) -> String {
        let row = lint.row
        let scope = lint.looksAtHistory ? "several pushes" : "a single push"
        return """
            ## \(lint.id)

            \(row.severity.rawValue), of \(scope). \(row.meaning)

            - Why: \(row.why)
            - Fix: \(row.fix)
            - Source: \(row.source).

            """
    }
}

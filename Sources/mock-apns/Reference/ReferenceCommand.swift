internal import ArgumentParser
internal import MockAPNs
internal import MockAPNsInspector
internal import MockAPNsRules
internal import MockAPNsWorld

/// `mock-apns reference`: the tables of reasons, push types, checks and choices, from what the server goes by.
struct ReferenceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reference",
        abstract: "Print the tables of reasons, push types, checks and choices, or of lints."
    )

    @Flag(help: "Print the lints instead.")
    var lints = false

    func run() { Console.standard.write(lints ? LintsText.markdown : Self.markdown, to: 1) }

    static var markdown: String {
        """
        # Reference

        Made by `mock-apns reference` from the tables that the server goes by; `make reference` renews this file.

        ## Reasons

        A device token that begins with the answer token is answered with the reason, whatever else is right with it.

        \(table(
            ["status", "reason", "answer token", "given when", "what to do"],
            Reason.allCases.sorted { ($0.status, $0.name) < ($1.status, $1.name) }.map {
                [
                    "\($0.status)", "`\($0.name)`", "`\(AnswerToken.prefix(of: $0))`", "\($0.row.meaning)",
                    "\($0.row.hint)",
                ]
            }
        ))
        ## Push types

        \(table(
            ["apns-push-type", "topic suffix", "largest payload", "priority 10"],
            PushType.allCases.map {
                [
                    "`\($0.name)`", $0.row.topicSuffix.utf8CodeUnitCount == 0 ? "none" : "`\($0.row.topicSuffix)`",
                    "\($0.row.payloadLimit) bytes", $0.row.refusesImmediate ? "refused" : "allowed",
                ]
            }
        ))
        ## Checks

        In this order; the first that refuses a push answers it. `--check-order` changes it.

        \(table(
            ["check", "stage", "expects", "answers"],
            Pipeline.standard.checks.map { check in
                let answers = check.reasons.count == Reason.allCases.count ? "any" : check.reasons.map(\.name).joined(separator: ", ")
                return ["`\(check.id)`", check.stage.rawValue, check.expects, answers]
            }
        ))
        ## Choices

        `--behavior name=value`; the first value is the default.

        \(table(
            ["name", "values", "meaning"],
            Behavior.all.map { ["`\($0.name)`", $0.values.map { "`\($0)`" }.joined(separator: " "), $0.meaning] }
        ))
        ## Faults ready-made

        For `--fault`, `mock-apns faults preset` and `POST /api/v1/faults/presets/{name}`. All take `skip`, `times` (0 for no
        limit) and `probability`.

        \(table(
            ["preset", "what happens", "source", "parameters"],
            FaultPreset.all.map { preset in
                let own = preset.parameters.filter { !["skip", "times"].contains($0.name) }
                return [
                    "`\(preset.name)`", preset.meaning, preset.source,
                    own.map { "`\($0.name)` (\(FaultArgument.text($0.standard)))" }.joined(separator: " "),
                ]
            }
        ))
        ## What is said of provider tokens

        \(table(
            ["`auth.verification`", "meaning"],
            TokenVerification.allCases.map { ["`\($0.name)`", "\($0.row.meaning)"] }
        ))
        """
    }

    /// A table of Markdown.
    static func table(_ titles: [String], _ rows: [[String]]) -> String {
        let lines = [titles, titles.map { _ in "---" }] + rows
        return lines.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
    }
}

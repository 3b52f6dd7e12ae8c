internal import MockAPNsFormats
internal import MockAPNsWorld

/// What does not fit the schemas of the app.
enum AppSchemaLints {
    static func shape(_ push: Candidate, _ notes: inout LintNotes) {
        for check in push.schemaChecks {
            switch check.outcome {
            case .fits: break
            case .differs(let mismatches):
                for mismatch in mismatches.map({ $0.below(check.way) }) {
                    notes.add(mismatch.way, "\(mismatch.message(of: "the payload")) (schema \(check.name))")
                }
            case .tooCostly:
                notes.add(
                    check.way,
                    "the check ended after \(JSONSchema.mostSteps) steps, without a result (schema \(check.name))",
                    fix: "Make the schema simpler: fewer alternatives inside alternatives, shorter patterns.")
            }
        }
    }
}

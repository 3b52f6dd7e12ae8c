internal import MockAPNsRules

/// The checks of a verdict as JSON text, as far as it is the same in every record.
///
/// A push has thirty checks, and nearly all of them say the same as in the push before.
struct CheckTexts: Sendable {
    /// The checks, in the order in which pushes go through them.
    let checks: [Check]
    /// Where the check of the body's length is, which has a limit of its own for each push.
    let sizeCheck: Int?
    private let passed: [[UInt8]]
    private let notReached: [[UInt8]]

    init(_ pipeline: Pipeline) {
        checks = pipeline.checks
        sizeCheck = checks.firstIndex { $0.id == "payload-size" }
        passed = checks.map { Self.members(of: $0, isPassed: true) }
        notReached = checks.map { Self.members(of: $0, isPassed: nil) }
    }

    /// The members `id` and `ok` of a check that a push passed, or (`nil`) did not reach.
    func members(at position: Int, isPassed: Bool?) -> [UInt8] {
        switch isPassed {
        case true?: passed[position]
        case nil: notReached[position]
        case false?: Self.members(of: checks[position], isPassed: false)
        }
    }

    private static func members(of check: Check, isPassed: Bool?) -> [UInt8] {
        var text: [UInt8] = []
        JSONWriter.append(to: &text) { writer in
            writer.member("id", check.id)
            writer.member("ok", isPassed)
        }
        return text
    }
}

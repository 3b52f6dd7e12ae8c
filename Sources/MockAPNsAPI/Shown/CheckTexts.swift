internal import MockAPNsFormats
internal import MockAPNsRules

/// Prerendered JSON for the checks of a service.
///
/// A push has 30 checks, and most of their output is identical in every record.
struct CheckTexts: Sendable {
    let checks: [Check]
    /// The position of the body size check, whose limit differs between pushes.
    let sizeCheck: Int?
    private let passed: [[UInt8]]
    private let notReached: [[UInt8]]

    init(_ checks: [Check]) {
        self.checks = checks
        sizeCheck = checks.firstIndex { $0.id == "payload-size" }
        passed = checks.map { Self.members(of: $0, isPassed: true) }
        notReached = checks.map { Self.members(of: $0, isPassed: nil) }
    }

    /// The members `id` and `ok`; `isPassed` is `nil` if the check was not reached.
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

extension [CheckTexts] {
    /// Renders the checks of all services, in their order.
    init(_ pipeline: Pipeline) { self = Service.allCases.map { CheckTexts(pipeline.checks(of: $0)) } }

    subscript(service: Service) -> CheckTexts { self[service.index] }
}

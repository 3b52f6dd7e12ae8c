internal import MockAPNsFormats
internal import MockAPNsWorld

/// What a reset put away.
enum ResetShape {
    static func json(_ report: ResetReport) -> JSONValue { .object(members(report)) }

    /// Members for an answer that has others as well.
    ///
    /// - Parameters:
    ///   - report: what was put away.
    ///   - settings: how many settings are others than before; `nil` where nobody has counted.
    /// - Returns: the members.
    static func members(_ report: ResetReport, settings: Int? = nil) -> [String: JSONValue] {
        var cleared: [String: JSONValue] = [
            "pushes": JSONValue(report.pushes),
            "devices": JSONValue(report.devices),
            "feedback": JSONValue(report.feedback),
            "faults": JSONValue(report.faults),
            "keys": JSONValue(report.keys),
            "strings": JSONValue(report.strings),
            "categories": JSONValue(report.categories),
        ]
        if let settings { cleared["settings"] = JSONValue(settings) }
        return [
            "epoch": JSONValue(report.epoch),
            "seq": JSONValue(report.seq),
            "cleared": .object(cleared),
        ]
    }
}

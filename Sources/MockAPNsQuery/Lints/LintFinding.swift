package import MockAPNsFormats

/// Something odd that was found in one push.
public struct LintFinding: Equatable, Sendable {
    /// What kind of thing.
    public let lint: Lint
    /// Where: a JSON Pointer into the payload, empty for the whole of it, or `headers/<name>`; `nil` for a push
    /// that is odd among others.
    public let pointer: String?
    /// What was seen, and what is expected.
    public let message: String
    /// What to do about it.
    public let fix: String

    /// How bad it is.
    public var severity: Lint.Severity { lint.row.severity }

    package var json: JSONValue { .written(by: write) }

    package func write(to writer: inout JSONWriter) {
        writer.object { finding in
            finding.member("fix", fix)
            finding.member("id", lint.id)
            finding.member("learn", lint.learn)
            finding.member("message", message)
            finding.member("pointer", pointer)
            finding.member("severity", severity.rawValue)
        }
    }
}

internal import MockAPNsFormats
internal import MockAPNsRules

/// Collects the findings of lints.
struct LintNotes {
    /// A payload may have hundreds of unknown keys.
    static let mostOfOne = 10

    private(set) var findings: [LintFinding] = []
    private var lint = Lint.pushTypeMissing
    private var count = 0

    mutating func take(_ lint: Lint, of push: LintedPush) {
        guard case .push(let look) = lint.row.scope else { return }
        self.lint = lint
        count = 0
        look(push, &self)
        guard count > Self.mostOfOne, let last = findings.popLast() else { return }
        findings.append(
            LintFinding(
                lint: lint,
                pointer: last.pointer,
                message: last.message + "; and \(count - Self.mostOfOne) more like this",
                fix: last.fix
            )
        )
    }

    mutating func add(_ way: [String], _ message: String, fix: String? = nil) {
        add(at: way.map { "/" + JSONPointer.escaped($0) }.joined(), message, fix)
    }

    mutating func add(_ header: HeaderName, _ message: String, fix: String? = nil) {
        add(at: "headers/\(header.text)", message, fix)
    }

    private mutating func add(at pointer: String, _ message: String, _ fix: String?) {
        count += 1
        guard count <= Self.mostOfOne else { return }
        findings.append(
            LintFinding(lint: lint, pointer: pointer, message: message, fix: fix ?? lint.row.fix)
        )
    }
}

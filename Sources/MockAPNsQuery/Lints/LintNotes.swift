internal import MockAPNsFormats
internal import MockAPNsRules

/// Takes down what lints find.
struct LintNotes {
    /// The most findings of one lint in one push: a payload may have hundreds of odd keys.
    static let mostOfOne = 10

    private(set) var findings: [LintFinding] = []
    private var lint = Lint.pushTypeMissing
    private var count = 0

    /// Lets one lint look at a push.
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

    /// Notes what was found at a place in the payload.
    mutating func add(_ way: [String], _ message: String, fix: String? = nil) {
        add(at: way.map { "/" + JSONPointer.escaped($0) }.joined(), message, fix)
    }

    /// Notes what was found in a header.
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

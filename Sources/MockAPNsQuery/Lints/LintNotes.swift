internal import MockAPNsFormats
internal import MockAPNsRules

/// The findings of one lint about a push.
struct LintNotes {
    /// The maximum number of findings: a payload may have hundreds of unknown keys.
    static let mostOfOne = 10

    private(set) var findings: [LintFinding] = []
    private let lint: Lint
    private var count = 0

    init(_ lint: Lint, on push: Candidate) {
        self.lint = lint
        lint.look?(push, &self)
        guard count > Self.mostOfOne, let last = findings.popLast() else { return }
        let message = "\(last.message); and \(count - Self.mostOfOne) more like this"
        findings.append(LintFinding(lint: lint, pointer: last.pointer, message: message, fix: last.fix))
    }

    /// Adds a finding at a path in the payload.
    mutating func add(_ way: [String], _ message: String, fix: String? = nil) {
        add(at: way.map { "/" + JSONPointer.escaped($0) }.joined(), message, fix)
    }

    /// Adds a finding about an invalid value at a path in the payload, or about a missing one in the object around it.
    mutating func add(_ way: [String], invalid seen: JSONValue?, _ expected: String, fix: String? = nil) {
        add([PayloadProblem(way, invalid: seen, expected, fix: fix)])
    }

    /// Adds what a reading of the payload found.
    mutating func add(_ problems: [PayloadProblem]) {
        for problem in problems { add(problem.way, problem.message, fix: problem.fix) }
    }

    mutating func add(_ header: HeaderName, _ message: String, fix: String? = nil) {
        add(header: header.text.description, message, fix: fix)
    }

    /// Adds a finding about a header that this server does not know.
    mutating func add(header: String, _ message: String, fix: String? = nil) {
        add(at: "headers/\(header)", message, fix)
    }

    private mutating func add(at pointer: String, _ message: String, _ fix: String?) {
        count += 1
        guard count <= Self.mostOfOne else { return }
        findings.append(LintFinding(lint: lint, pointer: pointer, message: message, fix: fix ?? lint.fix))
    }
}

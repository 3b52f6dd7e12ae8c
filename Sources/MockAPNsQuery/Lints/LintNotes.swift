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
        let message = "\(way.last ?? "") is \(seen?.words ?? "absent"); \(expected)"
        add(seen == nil ? way.dropLast() : way, message, fix: fix)
    }

    mutating func add(_ header: HeaderName, _ message: String, fix: String? = nil) {
        add(at: "headers/\(header.text)", message, fix)
    }

    private mutating func add(at pointer: String, _ message: String, _ fix: String?) {
        count += 1
        guard count <= Self.mostOfOne else { return }
        findings.append(LintFinding(lint: lint, pointer: pointer, message: message, fix: fix ?? lint.fix))
    }
}

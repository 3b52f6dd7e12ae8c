internal import MockAPNs
internal import Synchronization

/// Connections that ended badly, kept for the end.
final class ConnectionProblems: Sendable {
    /// Further ones are only counted.
    static let mostKept = 10

    /// What is known of them.
    struct Summary: Equatable {
        var lines: [String] = []
        var count = 0
    }

    private let state = Mutex(Summary())

    var summary: Summary { state.withLock { $0 } }

    /// Keeps a problem.
    func note(_ problem: ConnectionProblem) { note(problem.description) }

    /// Keeps the line of a problem.
    func note(_ line: String) {
        state.withLock { summary in
            summary.count += 1
            if summary.lines.count < Self.mostKept { summary.lines.append(line) }
        }
    }
}

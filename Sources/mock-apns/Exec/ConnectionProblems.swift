internal import Synchronization

/// Connections that ended badly, collected for the report.
final class ConnectionProblems: Sendable {
    /// Further ones are only counted.
    static let mostKept = 10

    /// The first lines, and the number of all.
    struct Summary: Equatable {
        var lines: [String] = []
        var count = 0
    }

    private let state = Mutex(Summary())

    var summary: Summary { state.withLock { $0 } }

    /// Adds the line of a problem.
    func note(_ line: String) {
        state.withLock { summary in
            summary.count += 1
            if summary.lines.count < Self.mostKept { summary.lines.append(line) }
        }
    }
}

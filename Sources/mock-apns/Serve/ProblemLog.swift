internal import MockAPNs
internal import Synchronization

/// Tells of connections that ended badly: one line each, and no flood of them.
final class ProblemLog: Sendable {
    /// Lines in any one second; a client that retries in a loop must not fill a disk.
    static let linesPerSecond = 10

    private struct State {
        var second: Int64 = 0
        var lines = 0
        var untold = 0
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Int64
    private let write: @Sendable (String) -> Void

    /// A log that goes by a clock of seconds and writes lines.
    init(
        now: @escaping @Sendable () -> Int64 = { SystemFacts.now },
        write: @escaping @Sendable (String) -> Void = { Console.standard.note($0) }
    ) {
        self.now = now
        self.write = write
    }

    /// Tells of a problem, unless too many came in this second.
    func note(_ problem: ConnectionProblem) { note(problem.description) }

    /// Writes a line, unless too many came in this second.
    func note(_ line: String) {
        let second = now()
        let lines: [String] = state.withLock { state in
            var lines: [String] = []
            if state.second != second {
                if state.untold > 0 { lines.append("\(state.untold) more connections ended badly") }
                state = State(second: second)
            }
            if state.lines < Self.linesPerSecond {
                state.lines += 1
                lines.append(line)
            } else {
                state.untold += 1
            }
            return lines
        }
        for line in lines { write(line) }
    }
}

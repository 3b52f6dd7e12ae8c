internal import Synchronization

/// Logs connections that ended badly, one line each, up to a rate.
final class ProblemLog: Sendable {
    /// The maximum number of lines per second; a client that retries in a loop must not fill a disk.
    static let linesPerSecond = 10

    private struct State {
        var second: Int64 = 0
        var lines = 0
        var skipped = 0
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Int64
    private let write: @Sendable (String) -> Void

    /// Creates a log with a clock of seconds and a function that writes lines.
    init(
        now: @escaping @Sendable () -> Int64 = { SystemFacts.now },
        write: @escaping @Sendable (String) -> Void = { Console.standard.note($0) }
    ) {
        self.now = now
        self.write = write
    }

    /// Writes a line, unless there were too many in this second.
    func note(_ line: String) {
        let second = now()
        let lines: [String] = state.withLock { state in
            var lines: [String] = []
            if state.second != second {
                if state.skipped > 0 { lines.append("\(state.skipped) more connections ended badly") }
                state = State(second: second)
            }
            if state.lines < Self.linesPerSecond {
                state.lines += 1
                lines.append(line)
            } else {
                state.skipped += 1
            }
            return lines
        }
        for line in lines { write(line) }
    }
}

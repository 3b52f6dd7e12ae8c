internal import MockAPNs
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld
internal import Synchronization

/// The report of what the server received from a command that failed.
struct ExecReport {
    /// Further pushes are only counted.
    static let mostListed = 10

    let exitCode: Int32
    /// The journal of each namespace; the default namespace comes first.
    let journals: [(namespace: String, journal: Journal)]
    let problems: ConnectionProblems.Summary

    /// The lines, without control characters.
    var lines: [String] {
        let counters = journals.map(\.journal.counters)
        let received = counters.reduce(0) { $0 + $1.received }
        let refused = counters.reduce(0) { $0 + $1.rejected }
        // Connections are numbered across namespaces.
        let connections = journals.compactMap { $0.journal.connections.last?.id }.max() ?? 0
        var lines = [
            "the command ended with exit code \(exitCode); the server received:",
            "  \(counted(received, "push", "pushes")), \(refused) rejected;"
                + " \(counted(connections, "connection", "connections")), \(problems.count) failed",
        ]
        lines += rejected(of: refused)
        lines += problems.lines.map { "  " + TerminalText.plain($0) }
        if problems.count > problems.lines.count {
            lines.append("  and \(problems.count - problems.lines.count) more connections failed")
        }
        if connections == 0 {
            let variables = "\(ExecVariable.host.rawValue) and \(ExecVariable.port.rawValue)"
            lines.append("  hint: no client connected; the command has to connect to \(variables)")
        }
        return lines
    }

    /// The first rejected pushes, with reasons and hints.
    private func rejected(of all: UInt64) -> [String] {
        var query = PushQuery()
        query.outcomes = [.rejected]
        query.order = .ascending
        query.limit = Self.mostListed
        let found = journals.flatMap { name, journal in
            journal.pushes(query).pushes.map { (namespace: name, push: $0) }
        }
        // The numbers of different namespaces cannot be compared.
        let listed = found.sorted { $0.push.receivedAt < $1.push.receivedAt }.prefix(Self.mostListed)
        var hinted: Set<String> = []
        var lines: [String] = []
        for (namespace, push) in listed {
            let reason = push.verdict.reason
            let name = reason?.name ?? push.problem ?? ""
            let topic = push.request[.apnsTopic] ?? "no topic"
            let path = (push.request[.path] ?? "").split(separator: "/").last.map(String.init) ?? ""
            let token = TerminalText.shortened(token: path)
            let prefix = namespace == Namespace.standardName ? "" : "\(namespace) "
            let line = "\(prefix)#\(push.seq)  \(push.answer.status) \(name)  \(topic)  \(token)"
            lines.append("  " + TerminalText.plain(line))
            if let reason, hinted.insert(name).inserted { lines.append("      \(reason.row.hint)") }
        }
        // From the counters: the journal may have discarded some, or they were deleted.
        if all > listed.count { lines.append("  and \(all - UInt64(listed.count)) more rejected") }
        return lines
    }
}

/// Connections that ended badly, collected for the report.
final class ConnectionProblems: Sendable {
    static let mostKept = 10

    /// The first lines, and the number of all.
    struct Summary: Equatable {
        var lines: [String] = []
        var count = 0
    }

    private let state = Mutex(Summary())

    var summary: Summary { state.withLock { $0 } }

    func note(_ line: String) {
        state.withLock { summary in
            summary.count += 1
            if summary.lines.count < Self.mostKept { summary.lines.append(line) }
        }
    }
}

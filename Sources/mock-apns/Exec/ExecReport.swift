internal import MockAPNs
internal import MockAPNsRules
internal import MockAPNsWorld

/// What the server saw of a command that failed.
struct ExecReport {
    /// Further pushes are only counted.
    static let mostListed = 10

    let exitCode: Int32
    let journal: Journal
    let problems: ConnectionProblems.Summary

    /// The lines; nothing of a push in them can move a cursor.
    var lines: [String] {
        let counters = journal.counters
        let connections = journal.connections.last?.id ?? 0
        var lines = [
            "the command ended with exit code \(exitCode); what the server saw:",
            "  \(Self.count(counters.received, "push", "pushes")), \(counters.rejected) rejected;"
                + " \(Self.count(connections, "connection", "connections")), \(problems.count) failed",
        ]
        lines += rejected
        lines += problems.lines.map { "  " + TerminalText.plain($0) }
        if problems.count > problems.lines.count {
            lines.append("  and \(problems.count - problems.lines.count) more connections failed")
        }
        if connections == 0 {
            lines.append(
                "  hint: nobody connected; \(ExecEnvironment.host) and \(ExecEnvironment.port) tell the command"
                    + " where to"
            )
        }
        return lines
    }

    /// The pushes that were refused: when, why, and what to do.
    private var rejected: [String] {
        var query = PushQuery()
        query.outcomes = [.rejected]
        query.order = .ascending
        query.limit = Self.mostListed
        let page = journal.pushes(query)
        var hinted: Set<String> = []
        var lines: [String] = []
        for push in page.pushes {
            let reason = push.verdict.reason
            let name = reason?.name ?? push.problem ?? ""
            let topic = push.request[.apnsTopic] ?? "no topic"
            let path = (push.request[.path] ?? "").split(separator: "/").last.map(String.init) ?? ""
            let token = TerminalText.shortened(token: path)
            lines.append(
                "  "
                    + TerminalText.plain("#\(push.seq)  \(push.answer.status) \(name)  \(topic)  \(token)")
            )
            if let reason, hinted.insert(name).inserted { lines.append("      \(reason.row.hint)") }
        }
        // By the counter: some may have been dropped to make room, or deleted.
        let listed = UInt64(page.pushes.count)
        let all = journal.counters.rejected
        if all > listed { lines.append("  and \(all - listed) more rejected") }
        return lines
    }

    private static func count(_ count: UInt64, _ one: String, _ many: String) -> String {
        count == 1 ? "1 \(one)" : "\(count) \(many)"
    }
}

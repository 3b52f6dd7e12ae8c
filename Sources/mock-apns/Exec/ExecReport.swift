internal import MockAPNs
internal import MockAPNsFormats
internal import MockAPNsInspector
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

struct ExecReport {
    /// Further pushes are only counted.
    static let mostListed = 10

    let exitCode: Int32
    /// The world of each namespace that was not deleted; the default namespace comes first.
    let worlds: [(namespace: String, world: World)]
    /// The counts of all namespaces, with those that were deleted.
    let tally: Tally
    /// How many connections there were, in all namespaces.
    let connections: UInt64
    let problems: ConnectionProblems
    /// Whether Apple's push hosts lead to the server.
    var intercepts = false

    var lines: [any CellText] {
        let (all, kept) = (Counts(tally), worlds.reduce(into: Counts()) { $0.add($1.world.tally) })
        var lines: [any CellText] = [
            "the command ended with exit code \(exitCode); the server received:",
            "  \(counted(all.pushes, "push", "pushes")), \(all.rejected) rejected;"
                + " \(counted(connections, "connection", "connections")), \(problems.count) failed",
        ]
        if all.pushes > kept.pushes {
            let gone = Counts(pushes: all.pushes - kept.pushes, rejected: all.rejected - kept.rejected)
            lines.append("  \(gone.pushes) of them, \(gone.rejected) rejected, in namespaces that were deleted")
        }
        lines += rejected(of: kept.rejected)
        lines += problems.lines.map { ("  " + TerminalText.plain($0)).styled(.bad) }
        if problems.count > problems.lines.count {
            lines.append("  and \(problems.count - problems.lines.count) more connections failed")
        }
        if connections == 0 {
            let variables = "\(ExecVariable.host.rawValue) and \(ExecVariable.port.rawValue)"
            let places =
                intercepts
                ? "Apple's push hosts (--hosts-file helps programs that look names up themselves), or to \(variables)"
                : "\(variables), or use --intercept"
            lines.append("  hint: no client connected; the command has to connect to \(places)")
        }
        return lines
    }

    private func rejected(of all: UInt64) -> [any CellText] {
        var query = PushQuery()
        query.outcomes = [.rejected]
        query.order = .ascending
        query.limit = Self.mostListed
        let found = worlds.flatMap { name, world in
            world.journal.pushes(query).pushes.map { (namespace: name, world: world, push: $0) }
        }
        // The numbers of different namespaces cannot be compared.
        let listed = found.sorted { $0.push.receivedAt < $1.push.receivedAt }.prefix(Self.mostListed)
        var hinted: Set<String> = []
        var lines: [any CellText] = []
        for (namespace, world, push) in listed {
            let name = push.verdict.reason?.name ?? push.problem ?? ""
            let topic = push.request[.apnsTopic] ?? push.bundleID ?? "no topic"
            let token = push.request[.path]?.split(separator: "/").last.map(String.init) ?? ""
            let prefix = namespace == Namespace.standardName ? "" : "\(namespace) "
            let line = "\(prefix)#\(push.seq)  \(push.answer.status) \(name)  \(topic)  \(TerminalText.token(token))"
            lines.append(("  " + TerminalText.plain(line)).styled(.bad))
            if let hint = push.cause(in: world)?.hint, hinted.insert(hint).inserted {
                lines.append("      " + TerminalText.plain(hint))
            }
        }
        // From the counters: the journal may have discarded some, or they were deleted.
        if all > listed.count { lines.append("  and \(all - UInt64(listed.count)) more rejected") }
        return lines
    }
}

/// How many pushes were received, and rejected.
private struct Counts {
    var pushes: UInt64 = 0
    var rejected: UInt64 = 0

    init(pushes: UInt64 = 0, rejected: UInt64 = 0) { (self.pushes, self.rejected) = (pushes, rejected) }

    init(_ tally: Tally) {
        self.init()
        add(tally)
    }

    mutating func add(_ tally: Tally) {
        for group in tally.pushes {
            pushes += group.count
            if !group.isAccepted { rejected += group.count }
        }
    }
}

/// Connections that ended badly, collected for the report.
struct ConnectionProblems {
    static let mostKept = 10

    private(set) var lines: [String] = []
    private(set) var count = 0

    mutating func note(_ line: String) {
        count += 1
        if lines.count < Self.mostKept { lines.append(line) }
    }
}

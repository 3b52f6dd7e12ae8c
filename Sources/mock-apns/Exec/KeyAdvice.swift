internal import MockAPNsRules
internal import MockAPNsWorld

/// Says once how to accept the provider's own key, when a push is rejected because its key is unknown.
struct KeyAdvice {
    private let journal: Journal
    private let changes: AsyncStream<Void>

    /// Notices every push from now on.
    init(_ journal: Journal) {
        (self.journal, changes) = (journal, journal.changes())
    }

    /// Prints the advice as soon as there is such a push; ends when the task is cancelled.
    func run() async {
        for await _ in changes {
            if let line = Self.line(for: journal) { return Console.note(line) }
        }
        // The last push may have come with the end of the command.
        if let line = Self.line(for: journal) { Console.note(line) }
    }

    /// The advice, if the first rejected pushes include one with an unknown key.
    static func line(for journal: Journal) -> String? {
        guard journal.counters.rejected > 0 else { return nil }
        var query = PushQuery()
        query.outcomes = [.rejected]
        query.reasons = [.invalidProviderToken]
        query.order = .ascending
        let push = journal.pushes(query).pushes.first { $0.verification == .unknownKey }
        return push.map { push in
            let key = TerminalText.plain(push.keyID ?? "")
            let form = "AuthKey_\(key).p8,\(key),\(TerminalText.plain(push.teamID ?? ""))"
            return
                "a push was rejected because the provider's key \(key) is unknown here; accept every key with"
                + " --auth wellformed, or add this one with --key \(form)"
        }
    }
}

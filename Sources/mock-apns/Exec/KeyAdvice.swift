internal import MockAPNs
internal import MockAPNsRules
internal import MockAPNsWorld
internal import Synchronization

/// Says once how to accept the provider's own key, when a push is rejected because its key is unknown.
///
/// Looks at the default namespace at every push, and at the others when they are deleted or at the end.
final class KeyAdvice: Sendable {
    private let journal: Journal
    private let changes: AsyncStream<Void>
    private let isSaid = Atomic(false)

    /// Notices every push from now on.
    init(_ namespaces: Namespaces) {
        journal = namespaces.standard.world.journal
        changes = journal.changes()
        namespaces.onRemoval { [self] in look(at: $0.world.journal) }
    }

    /// Prints the advice as soon as there is such a push; ends when the task is cancelled.
    func run() async { for await _ in changes where look(at: journal) { return } }

    /// Prints the advice if there is such a push, and returns whether it is printed.
    @discardableResult func look(at journal: Journal) -> Bool {
        guard !isSaid.load(ordering: .relaxed), let line = Self.line(for: journal) else {
            return isSaid.load(ordering: .relaxed)
        }
        if !isSaid.exchange(true, ordering: .relaxed) { Console.note(line) }
        return true
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
            return "a push was rejected because the provider's key \(key) is unknown here; accept every key with"
                + " --auth wellformed, or add this one with --key \(form)"
        }
    }
}

internal import MockAPNs
internal import MockAPNsQuery
internal import NIOConcurrencyHelpers

/// The context of each namespace, so that whoever asks about a namespace sees the same verifications and lints.
final class NamespaceContexts: Sendable {
    private struct Entry {
        let namespace: Namespace
        let context: PushContext
    }

    private let entries = NIOLockedValueBox<[ObjectIdentifier: Entry]>([:])

    /// The context of a namespace; those of removed namespaces are dropped.
    func context(of namespace: Namespace) -> PushContext {
        entries.withLockedValue { entries in
            if let known = entries[ObjectIdentifier(namespace)] { return known.context }
            entries = entries.filter { !$0.value.namespace.isRemoved }
            let made = PushContext(namespace.world)
            guard !namespace.isRemoved else { return made }
            entries[ObjectIdentifier(namespace)] = Entry(namespace: namespace, context: made)
            return made
        }
    }

    /// Drops the context of a removed namespace.
    func forget(_ namespace: Namespace) {
        entries.withLockedValue { $0[ObjectIdentifier(namespace)] = nil }
    }
}

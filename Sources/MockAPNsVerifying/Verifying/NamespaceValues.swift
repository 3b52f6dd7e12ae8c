package import MockAPNs
internal import NIOConcurrencyHelpers

/// One value for each namespace, created on first use and dropped when the namespace is removed.
package final class NamespaceValues<Value: Sendable>: Sendable {
    private struct Entry {
        let namespace: Namespace
        let value: Value
    }

    private let entries = NIOLockedValueBox<[ObjectIdentifier: Entry]>([:])

    /// Creates an empty table.
    package init() {}

    /// Returns the value of a namespace, which `make` creates if there is none.
    package func value(of namespace: Namespace, make: () -> Value) -> Value {
        entries.withLockedValue { entries in
            if let known = entries[ObjectIdentifier(namespace)] { return known.value }
            entries = entries.filter { !$0.value.namespace.isRemoved }
            let made = make()
            // Whoever asks about a removed namespace must not keep it in memory.
            if !namespace.isRemoved {
                entries[ObjectIdentifier(namespace)] = Entry(namespace: namespace, value: made)
            }
            return made
        }
    }

    /// Drops the value of a removed namespace.
    package func forget(_ namespace: Namespace) {
        entries.withLockedValue { $0[ObjectIdentifier(namespace)] = nil }
    }
}

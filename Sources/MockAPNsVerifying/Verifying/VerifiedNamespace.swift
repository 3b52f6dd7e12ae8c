package import MockAPNs
package import MockAPNsQuery
internal import MockAPNsRules
package import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// A namespace whose pushes are searched, waited for and verified.
package struct VerifiedNamespace: Sendable {
    /// The server, which hints and searches in other namespaces look at.
    package let server: MockAPNsServer
    package let namespace: Namespace
    /// What conditions and lints may look at.
    package let context: PushContext
    /// Wakes requests that wait for pushes of the namespace.
    package let watch: PushWatch
    /// Counts the requests that wait for pushes, in all namespaces.
    package let waits: ClientCount
    /// The contexts of all namespaces: a push counts as verified for every request alike.
    package let contexts: NamespaceValues<PushContext>

    /// Creates the default namespace of a server.
    package init(of server: MockAPNsServer) {
        self.init(server, server.namespaces.standard, ClientCount(), NamespaceValues())
    }

    private init(
        _ server: MockAPNsServer,
        _ namespace: Namespace,
        _ waits: ClientCount,
        _ contexts: NamespaceValues<PushContext>
    ) {
        (self.server, self.namespace, self.waits, self.contexts) = (server, namespace, waits, contexts)
        watch = PushWatch(namespace.world.journal, counting: waits)
        context = Self.context(of: namespace, contexts)
    }

    /// Returns another namespace of the same server.
    package func other(_ namespace: Namespace) -> VerifiedNamespace {
        VerifiedNamespace(server, namespace, waits, contexts)
    }

    package var journal: Journal { namespace.world.journal }

    /// The present time of the namespace's clock.
    var now: Timestamp { namespace.world.clock.read().system }

    /// Returns the context of any namespace of the server.
    func context(of namespace: Namespace) -> PushContext { Self.context(of: namespace, contexts) }

    private static func context(
        of namespace: Namespace,
        _ contexts: NamespaceValues<PushContext>
    ) -> PushContext {
        contexts.value(of: namespace) { PushContext(namespace.world) }
    }
}

/// One value for each namespace, created on first use and dropped when the namespace is removed.
package final class NamespaceValues<Value: Sendable>: Sendable {
    private struct Entry {
        let namespace: Namespace
        let value: Value
    }

    private let entries = NIOLockedValueBox<[ObjectIdentifier: Entry]>([:])

    package init() {}

    /// Returns the value of a namespace, which `make` creates if there is none.
    package func value(of namespace: Namespace, make: () -> Value) -> Value {
        entries.withLockedValue { entries in
            if let known = entries[ObjectIdentifier(namespace)] { return known.value }
            entries = entries.filter { !$0.value.namespace.isRemoved }
            let made = make()
            // Asking about a removed namespace must not keep it in memory.
            if !namespace.isRemoved {
                entries[ObjectIdentifier(namespace)] = Entry(namespace: namespace, value: made)
            }
            return made
        }
    }

    package func forget(_ namespace: Namespace) {
        entries.withLockedValue { $0[ObjectIdentifier(namespace)] = nil }
    }
}

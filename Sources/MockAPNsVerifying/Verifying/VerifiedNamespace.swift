package import MockAPNs
package import MockAPNsQuery
package import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// A namespace whose pushes are searched, waited for and verified.
package struct VerifiedNamespace: Sendable {
    package let server: MockAPNsServer
    package let namespace: Namespace
    package let context: PushContext
    package let watch: PushWatch
    /// Counts the requests that wait for pushes, in all namespaces.
    package let waits: ClientCount
    /// The contexts of all namespaces, shared by all requests so that they agree on which pushes are verified.
    package let contexts: NamespaceValues<PushContext>

    package init(of server: MockAPNsServer) {
        self.init(server, server.namespaces.standard, ClientCount(), NamespaceValues())
    }

    private init(
        _ server: MockAPNsServer, _ namespace: Namespace, _ waits: ClientCount, _ contexts: NamespaceValues<PushContext>
    ) {
        (self.server, self.namespace, self.waits, self.contexts) = (server, namespace, waits, contexts)
        watch = PushWatch(namespace.world.journal, counting: waits)
        context = contexts.value(of: namespace) { PushContext(namespace.world) }
    }

    package func other(_ namespace: Namespace) -> VerifiedNamespace {
        VerifiedNamespace(server, namespace, waits, contexts)
    }

    package var journal: Journal { namespace.world.journal }
}

/// One value for each namespace, created on first use and dropped when the namespace is removed.
package final class NamespaceValues<Value: Sendable>: Sendable {
    private let entries = NIOLockedValueBox<[ObjectIdentifier: (namespace: Namespace, value: Value)]>([:])

    package init() {}

    package func value(of namespace: Namespace, make: () -> Value) -> Value {
        entries.withLockedValue { entries in
            if let known = entries[ObjectIdentifier(namespace)] { return known.value }
            entries = entries.filter { !$0.value.namespace.isRemoved }
            let made = make()
            // Asking about a removed namespace must not keep it in memory.
            if !namespace.isRemoved { entries[ObjectIdentifier(namespace)] = (namespace, made) }
            return made
        }
    }

    package func forget(_ namespace: Namespace) { entries.withLockedValue { $0[ObjectIdentifier(namespace)] = nil } }
}

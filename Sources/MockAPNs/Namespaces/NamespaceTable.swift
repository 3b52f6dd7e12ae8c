internal import NIOConcurrencyHelpers
internal import Synchronization

/// The namespaces that there are besides the one of every server, for event loops to look at.
final class NamespaceTable: Sendable {
    private let count = Atomic<UInt64>(0)
    private let entries = NIOLockedValueBox<[Namespace]>([])

    /// Counts changes; read before `all`.
    var version: UInt64 { count.load(ordering: .acquiring) }

    /// The namespaces, in the order of their making.
    var all: [Namespace] { entries.withLockedValue { $0 } }

    func insert(_ namespace: Namespace) {
        entries.withLockedValue { $0.append(namespace) }
        count.wrappingAdd(1, ordering: .releasing)
    }

    func remove(_ namespace: Namespace) {
        entries.withLockedValue { entries in entries.removeAll { $0 === namespace } }
        count.wrappingAdd(1, ordering: .releasing)
    }
}

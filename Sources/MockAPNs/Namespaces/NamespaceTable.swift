internal import MockAPNsWorld
internal import NIOConcurrencyHelpers
internal import Synchronization

/// The namespaces besides the standard one, and who owns which device token, for event loops to look at.
final class NamespaceTable: Sendable {
    /// What the table holds at one moment.
    struct Contents: Sendable {
        /// The namespaces, in the order of their making.
        fileprivate(set) var namespaces: [Namespace] = []
        /// Counts changes of `namespaces`.
        fileprivate(set) var edition: UInt64 = 0
        /// The owners of device tokens, by the numbers of namespaces.
        fileprivate(set) var owners = TokenOwners()
    }

    private let count = Atomic<UInt64>(0)
    private let state = NIOLockedValueBox(Contents())

    /// Counts changes; read before `contents`.
    var version: UInt64 { count.load(ordering: .acquiring) }

    /// What the table holds now.
    var contents: Contents { state.withLockedValue { $0 } }

    /// The namespaces, in the order of their making.
    var all: [Namespace] { contents.namespaces }

    /// Adds a namespace; pushes to its device tokens are its own from now on.
    func insert(_ namespace: Namespace) {
        let number = namespace.number
        namespace.world.onTokenChange { changes in
            self.change { contents in
                for change in changes { contents.owners.note(change, in: number) }
            }
        }
        changeNamespaces { $0.append(namespace) }
    }

    /// Removes a namespace, whose device tokens stay claimed until `forgetTokens`.
    func remove(_ namespace: Namespace) { changeNamespaces { all in all.removeAll { $0 === namespace } } }

    /// Forgets the device tokens of a namespace that was removed.
    func forgetTokens(of namespace: Namespace) { namespace.world.onTokenChange(nil) }

    private func changeNamespaces(_ change: (inout [Namespace]) -> Void) {
        self.change { contents in
            change(&contents.namespaces)
            contents.edition += 1
        }
    }

    private func change(_ change: (inout Contents) -> Void) {
        state.withLockedValue(change)
        count.wrappingAdd(1, ordering: .releasing)
    }
}

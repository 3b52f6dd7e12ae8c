internal import MockAPNsWorld
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import Synchronization

/// The worlds of the namespaces, and the device tokens that each owns, for the event loops.
final class RoutingTable: Sendable {
    /// The routes at a point in time.
    struct Routes: Sendable {
        /// The workers of each world on each loop, by the number of its namespace.
        fileprivate(set) var workers: [UInt64: [NIOLoopBound<Worker>]] = [:] { didSet { edition += 1 } }
        /// Counts the changes of `workers`.
        private(set) var edition: UInt64 = 0
        /// The owners of device tokens, by the same numbers.
        fileprivate(set) var owners = TokenOwners()
    }

    private let count = Atomic<UInt64>(0)
    private let state = NIOLockedValueBox(Routes())

    /// Counts changes; must be read before `routes`.
    var version: UInt64 { count.load(ordering: .acquiring) }

    /// The current routes.
    var routes: Routes { state.withLockedValue { $0 } }

    /// Routes pushes for a world's device tokens to its workers.
    func insert(_ world: World, _ workers: [NIOLoopBound<Worker>], number: UInt64) {
        world.onTokenChange { changes in
            self.change { routes in for change in changes { routes.owners.note(change, in: number) } }
        }
        change { $0.workers[number] = workers }
    }

    /// Removes the routes to a world, which keeps its device tokens until they are removed.
    func remove(_ number: UInt64) { change { $0.workers[number] = nil } }

    private func change(_ change: (inout Routes) -> Void) {
        state.withLockedValue(change)
        count.wrappingAdd(1, ordering: .releasing)
    }
}

internal import MockAPNsWorld
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import Synchronization

/// The worlds besides the standard one, and the device tokens that each owns, for event loops to look at.
final class RoutingTable: Sendable {
    /// The routes at one moment.
    struct Routes: Sendable {
        /// What judges the pushes of each world, on each loop, by the number of its namespace.
        fileprivate(set) var workers: [UInt64: [NIOLoopBound<Worker>]] = [:]
        /// Counts changes of `workers`.
        fileprivate(set) var edition: UInt64 = 0
        /// The owners of device tokens, by the same numbers.
        fileprivate(set) var owners = TokenOwners()
    }

    private let count = Atomic<UInt64>(0)
    private let state = NIOLockedValueBox(Routes())

    /// Counts changes; read before `routes`.
    var version: UInt64 { count.load(ordering: .acquiring) }

    /// The routes now.
    var routes: Routes { state.withLockedValue { $0 } }

    /// Routes pushes for a world's device tokens to its workers.
    func insert(_ world: World, _ workers: [NIOLoopBound<Worker>], number: UInt64) {
        world.onTokenChange { changes in
            self.change { routes in
                for change in changes { routes.owners.note(change, in: number) }
            }
        }
        change { routes in
            routes.workers[number] = workers
            routes.edition += 1
        }
    }

    /// Ends the routes to a world, whose device tokens stay its own until they are forgotten.
    func remove(_ number: UInt64) {
        change { routes in
            routes.workers[number] = nil
            routes.edition += 1
        }
    }

    private func change(_ change: (inout Routes) -> Void) {
        state.withLockedValue(change)
        count.wrappingAdd(1, ordering: .releasing)
    }
}

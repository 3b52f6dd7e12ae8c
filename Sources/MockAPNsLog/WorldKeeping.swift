package import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// Stores one world, in its own store or in a log shared with other servers.
package protocol WorldKeeping: AnyObject, Sendable {
    /// The stored world.
    var world: World { get }

    /// The reason why changes cannot be stored at the moment; `nil` if they can.
    var trouble: StoreError? { get }

    /// The latest reason why lists miss stored pushes; `nil` if there was no failure.
    var readFailure: StoreError? { get }

    /// The reason why background work in the store fails, which refuses no change; `nil` if it works.
    var backgroundFailure: StoreError? { get }

    /// Checks that the store is still there. Call this once a second, from one thread at a time; it may block.
    func check()

    /// Waits until the world may be changed; returns `nil` if changes are refused.
    ///
    /// Call the returned function exactly once, after the change.
    func enter() async -> (@Sendable () -> Void)?

    /// Waits until the world includes all changes made before the call, and returns whether it does.
    func catchUp() async -> Bool

    /// Replaces the properties of the namespace.
    func write(properties: [String: String]) async throws(StoreError)

    /// Stops keeping the world, whose data `delete` deletes.
    ///
    /// Afterwards all changes count as safe, because nothing is left that could lose them. If `delete` throws, those that
    /// are not safe yet may never be.
    func abandon(_ delete: @escaping @Sendable () throws(StoreError) -> Void) async throws(StoreError)

    /// Closes the world. A world in its own store writes pending changes first.
    func close() async
}

extension WorldKeeping {
    /// Returns the safety of all changes so far; call it before leaving what `enter` has let in.
    package func safety() -> Safety { Safety(of: world.logEnd) }

    /// Waits until it is known whether all changes so far are safe, and returns the result.
    package func isSafe() async -> Bool { await safety().value }
}

/// Whether the changes up to the end of a log are safe; it is known later.
///
/// Asks the log when it is created. A log that several servers share may forget changes once their turn is over, and then
/// others take their positions: who asks later could be told of the wrong ones.
package final class Safety: Sendable {
    private struct State {
        var isSafe: Bool?
        var waiter: CheckedContinuation<Bool, Never>?
    }

    private let state = NIOLockedValueBox(State())

    init(of end: LogEnd?) {
        guard let end else {
            state.withLockedValue { $0.isSafe = true }
            return
        }
        end.whenSafe { [state] isSafe in
            let waiter = state.withLockedValue { state in
                state.isSafe = isSafe
                return state.waiter.take()
            }
            waiter?.resume(returning: isSafe)
        }
    }

    /// Waits until it is known; only one task may wait.
    package var value: Bool {
        get async {
            await withCheckedContinuation { waiter in
                let known = state.withLockedValue { state in
                    if state.isSafe == nil { state.waiter = waiter }
                    return state.isSafe
                }
                if let known { waiter.resume(returning: known) }
            }
        }
    }
}

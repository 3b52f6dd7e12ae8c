package import MockAPNsWorld

/// Keeps one world: alone in a store of its own, or with other servers in a shared log.
package protocol WorldKeeping: AnyObject, Sendable {
    /// The world that is kept.
    var world: World { get }

    /// Why changes cannot be kept at the moment; `nil` if they can.
    var trouble: StoreError? { get }

    /// The latest reason why lists miss pushes that are kept; `nil` if there is none.
    var readFailure: StoreError? { get }

    /// Waits until the world may be changed, and returns what to call once when that is done; `nil` if it cannot be changed.
    func enter() async -> (@Sendable () -> Void)?

    /// Waits until the world has everything that was changed before the call, and returns whether it has.
    func catchUp() async -> Bool

    /// Returns whether everything that has changed so far is safe, once that is known.
    func isSafe() async -> Bool

    /// Replaces what the server keeps about the namespace besides its world.
    func write(properties: [String: String]) throws(StoreError)

    /// Ends the keeping; everything that was changed is written.
    func close() async
}

extension WorldKeeping {
    package func isSafe() async -> Bool {
        guard let end = world.logEnd else { return true }
        return await withCheckedContinuation { continuation in
            end.whenSafe { continuation.resume(returning: $0) }
        }
    }
}

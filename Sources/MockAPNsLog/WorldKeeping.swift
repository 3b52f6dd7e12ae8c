package import MockAPNsWorld

/// Stores one world, in its own store or in a log shared with other servers.
package protocol WorldKeeping: AnyObject, Sendable {
    /// The stored world.
    var world: World { get }

    /// The reason why changes cannot be stored at the moment; `nil` if they can.
    var trouble: StoreError? { get }

    /// The latest reason why lists miss stored pushes; `nil` if there was no failure.
    var readFailure: StoreError? { get }

    /// Waits until the world may be changed; returns `nil` if changes are refused.
    ///
    /// Call the returned function exactly once, after the change.
    func enter() async -> (@Sendable () -> Void)?

    /// Waits until the world includes all changes made before the call, and returns whether it does.
    func catchUp() async -> Bool

    /// Waits until it is known whether all changes so far are safe, and returns the result.
    func isSafe() async -> Bool

    /// Replaces the properties of the namespace.
    func write(properties: [String: String]) throws(StoreError)

    /// Closes the world. A world in its own store writes pending changes first.
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

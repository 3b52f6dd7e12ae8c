internal import MockAPNsLog
internal import NIOConcurrencyHelpers

/// A lease in the database, so that only one server at a time tidies.
final class TidyLease: Sendable {
    /// A unique name for this server.
    private let holder = "\(UInt64.random(in: 1 ... .max))"
    private let state = NIOLockedValueBox(State())

    private struct State {
        /// Until when this server certainly has the lease.
        var heldUntil: ContinuousClock.Instant?
        /// Until when there is no point in asking for it.
        var refusedUntil: ContinuousClock.Instant?
    }

    /// The duration of the lease in seconds, by the database's clock.
    private static let length = 10
    /// Half of it, after which the lease is renewed or asked for again.
    private static let half: Duration = .seconds(5)

    /// Takes or renews the lease, and returns whether this server has it.
    func take(_ connection: Connection) throws(StoreError) -> Bool {
        let now = ContinuousClock.now
        let (isHeld, isRefused) = state.withLockedValue { state in
            (state.heldUntil.map { now < $0 } ?? false, state.refusedUntil.map { now < $0 } ?? false)
        }
        if isHeld || isRefused { return isHeld }
        let update = """
            update lease set holder = $1, until = now() + interval '\(Self.length) seconds'
            where id = 1 and (holder = $1 or until < now())
            """
        let isTaken = try connection.run(update, [.text(holder)]).changes > 0
        state.withLockedValue { state in
            state.heldUntil = isTaken ? now + Self.half : nil
            state.refusedUntil = isTaken ? nil : now + Self.half
        }
        return isTaken
    }

    /// Releases the lease, so that another server can take it immediately.
    func release(_ connection: Connection) throws(StoreError) {
        guard state.withLockedValue({ $0.heldUntil.take() }) != nil else { return }
        try connection.run("update lease set until = now() where holder = $1", [.text(holder)])
    }
}

internal import MockAPNsLog
internal import NIOConcurrencyHelpers

/// Lets one server at a time delete what is no longer kept.
final class TidyLease: Sendable {
    /// The name of this server in the database: one that no other has.
    private let holder = "\(UInt64.random(in: 1 ... .max))"
    private let state = NIOLockedValueBox(State())

    private struct State {
        /// Until when the lease is certain, and until when it need not be asked for.
        var heldUntil: ContinuousClock.Instant?
        var refusedUntil: ContinuousClock.Instant?
    }

    /// The time for which the lease is taken, in seconds of the database's clock, and the half of it.
    private static let length = 10
    private static let half: Duration = .seconds(5)

    /// Takes the lease or prolongs it, and returns whether this server has it.
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

    /// Lets others take it at once.
    func release(_ connection: Connection) throws(StoreError) {
        guard state.withLockedValue({ $0.heldUntil.take() }) != nil else { return }
        try connection.run("update lease set until = now() where holder = $1", [.text(holder)])
    }
}

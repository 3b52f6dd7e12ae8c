/// How much of what happens a client is told: so many events in a window of time, and a pause until the next.
struct EventPace: Sendable {
    /// How many events fit into a window.
    let most: Int
    let window: Duration
    private var end: ContinuousClock.Instant?
    private var told = 0

    init(most: Int, window: Duration) {
        self.most = most
        self.window = window
    }

    /// How many events may follow before the next pause.
    var left: Int { max(0, most - told) }

    /// The client was told of so many events.
    mutating func told(_ count: Int) { told += count }

    /// When to go on; `nil` for at once.
    mutating func pause(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard let end, now < end else {
            self.end = now + window
            told = 0
            return nil
        }
        guard told >= most else { return nil }
        self.end = nil
        told = 0
        return end
    }
}

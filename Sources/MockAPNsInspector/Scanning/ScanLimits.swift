/// How much work one request may cause, and how many requests may search pushes at the same time.
struct ScanLimits: Sendable {
    /// Steps that the conditions of one request may take: about a second of work.
    var steps = 200_000_000
    /// Steps that each push adds, so that plain searches succeed in a journal of any size.
    var stepsOfPush = 2_000
    /// Requests that search pushes at the same time.
    var running = 8
    /// Requests that wait until others are done; one more is refused.
    var waiting = 64
    /// How long a search runs before others get the thread.
    var slice = Duration.milliseconds(2)
}

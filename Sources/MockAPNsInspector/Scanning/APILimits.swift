/// How much work one request may cause, and how much goes on at the same time.
struct APILimits: Sendable {
    /// Steps that the conditions of one request may take: about a second of work.
    var steps = 200_000_000
    /// Steps that each push adds, so that plain searches succeed in a journal of any size.
    var stepsOfPush = 2_000
    /// Requests that search pushes at the same time.
    var running = 8
    /// Requests that wait until others are done; one more is refused.
    var waiting = 500
    /// How long a search runs before others get the thread.
    var slice = Duration.milliseconds(2)
    /// How long a search runs before it looks whether its client is still there.
    ///
    /// A client that has only closed its own side after the request still reads the answer of a short search.
    var patience = Duration.milliseconds(200)
    /// Event streams at the same time; one more is refused.
    var streams = 4_000
}

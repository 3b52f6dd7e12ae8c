internal import MockAPNsVerifying
internal import NIOCore

/// The work that requests to the API may cause.
struct APILimits: Sendable {
    /// The limits of searches through pushes.
    var searches = SearchLimits()
    /// Event streams at the same time; one more is refused.
    var streams = 4_000
}

/// What the API waits for, and how long.
struct APITiming: Sendable {
    /// Until a connection on which nothing happens is ended; one that an answer goes over is not.
    var idle = TimeAmount.seconds(60)
    /// Between two comments that show that a stream is alive.
    var heartbeat = Duration.seconds(15)
}

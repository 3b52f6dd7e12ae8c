internal import MockAPNsVerifying

/// The work that requests to the API may cause.
struct APILimits: Sendable {
    /// The limits of searches through pushes.
    var searches = SearchLimits()
    /// Event streams at the same time; one more is refused.
    var streams = 4_000
}

/// The limits of searches through pushes, for one search and for all together.
package struct SearchLimits: Sendable {
    /// Steps that the conditions of one request may take: about a second of work.
    package var steps = 200_000_000
    /// Steps added for each push, so that simple searches succeed in a journal of any size.
    package var stepsOfPush = 2_000
    /// Requests that search pushes at the same time.
    package var running = 8
    /// Requests that wait until others are done; one more is refused.
    package var waiting = 500
    /// The time that a search runs before others get the thread.
    package var slice = Duration.milliseconds(2)
    /// The time that a search runs before it checks whether its client is still there.
    ///
    /// A client that has closed only its sending side still reads the answer of a short search.
    package var timeout = Duration.milliseconds(200)

    package init() {}
}

/// Why a search through pushes, or a wait for them, ended without a result.
package enum SearchFailure: Error, Equatable {
    /// Too many searches wait already; the associated value is how many may.
    case tooBusy(waiting: Int)
    /// The conditions took all steps that a search may take before they had seen more than this number of pushes.
    case tooMuchWork(steps: Int, pushes: Int)
    case stopped(StopSignal.Cause)
    /// The store of older pushes could not be read, for this reason.
    case unreadable(String)
}

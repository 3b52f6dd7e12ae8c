/// Why a search through pushes, or a wait for them, ended without a result.
package enum SearchFailure: Error, Equatable {
    /// Too many searches wait already; the associated value is how many may.
    case tooBusy(waiting: Int)
    /// The conditions took all steps that a search may take before they had seen more than this number of pushes.
    case tooMuchWork(steps: Int, pushes: Int)
    /// The client has closed the connection.
    case clientGone
    /// The server is going down.
    case serverStopping
    /// The namespace that was searched has been removed.
    case namespaceRemoved
}

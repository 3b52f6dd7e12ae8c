extension Scan {
    /// Waits until a check succeeds, which is made at once and after every change; others may search meanwhile.
    ///
    /// - Parameters:
    ///   - watch: Tells of changes.
    ///   - limit: The longest wait, in microseconds.
    ///   - check: The check.
    /// - Returns: Whether the check succeeded.
    /// - Throws: `SearchFailure` if the server stops or the namespace is removed meanwhile, and what the check throws.
    package func wait(
        on watch: PushWatch,
        atMost limit: Int64,
        until check: () async throws(SearchFailure) -> Bool
    ) async throws(SearchFailure) -> Bool {
        let end = try await away { () async throws(SearchFailure) in
            try await watch.wait(atMost: .microseconds(limit), stop: presence.watch()) {
                () async throws(SearchFailure) in
                repeats()
                return try await check()
            }
        }
        switch end {
        case .stopped(.shutdown): throw .serverStopping
        case .stopped(.namespaceGone): throw .namespaceRemoved
        case .satisfied: return true
        case .timedOut, .stopped(.clientGone): return false
        }
    }
}

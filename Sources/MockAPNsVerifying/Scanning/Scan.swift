package import MockAPNsFormats
package import MockAPNsRules
package import MockAPNsWorld
internal import NIOCore
internal import Synchronization

/// One request's search through pushes, within a budget and in slices, so that others get the thread in between.
///
/// It ends early when the client leaves or the server stops.
package final class Scan: Sendable {
    /// The remaining steps of this request's conditions.
    package let budget: StepBudget
    private let queue: ScanQueue
    let presence: ClientPresence
    /// The length of a slice, in nanoseconds.
    private let slice: UInt64
    /// When the search began, in nanoseconds of the system's monotonic clock; 0 before.
    private let start = Atomic<UInt64>(0)
    /// When the current slice began.
    private let sliceStart = Atomic<UInt64>(0)

    package init(_ queue: ScanQueue = ScanQueue(), for presence: ClientPresence = ClientPresence()) {
        self.queue = queue
        self.presence = presence
        slice = UInt64(queue.limits.slice / .nanoseconds(1))
        budget = StepBudget(queue.limits.steps)
    }

    /// Waits until this request may search; `end` lets the next one search.
    package func begin() async throws(SearchFailure) {
        guard await queue.enter() else { throw .tooBusy(waiting: queue.limits.waiting) }
    }

    package func end() { queue.leave() }

    /// Waits for something else, while other requests search.
    package func away<Result>(
        _ wait: () async throws(SearchFailure) -> Result
    ) async throws(SearchFailure) -> Result {
        queue.leave()
        let result: Swift.Result<Result, SearchFailure>
        do throws(SearchFailure) {
            result = .success(try await wait())
        } catch {
            result = .failure(error)
        }
        _ = await queue.enter(isRefusable: false)
        return try result.get()
    }

    /// Renews the budget before the request repeats a search because something has changed.
    package func repeats() { budget.renew(queue.limits.steps) }

    /// Calls `use` with every push that a query finds, oldest first, until it returns `false`.
    package func visit(
        _ journal: Journal,
        _ query: PushQuery,
        _ use: (borrowing RequestView, PushOutline) -> Bool
    ) async throws(SearchFailure) -> Journal.Extent {
        var scan = journal.scan(query)
        var goesOn = true
        try await walk(&scan) { request, outline, _ in
            goesOn = use(request, outline)
            return goesOn
        }
        return scan.extent
    }

    func count(_ journal: Journal, _ query: PushQuery) async throws(SearchFailure) -> Int {
        var count = 0
        _ = try await visit(journal, query) { _, _ in
            count += 1
            return true
        }
        return count
    }

    package func page(_ query: PushQuery, in journal: Journal) async throws(SearchFailure) -> PushPage {
        var scan = journal.scan(query)
        var found: [JournalScan.Match] = []
        try await walk(&scan) { _, _, match in
            found.append(match)
            return true
        }
        return scan.page(of: found)
    }

    private func walk(
        _ scan: inout JournalScan,
        _ use: (borrowing RequestView, PushOutline, JournalScan.Match) -> Bool
    ) async throws(SearchFailure) {
        var goesOn = true
        var count = 0
        while goesOn {
            let hasMore = scan.next { request, outline, match in goesOn = use(request, outline, match) }
            guard hasMore else { return }
            count += 1
            guard !budget.isSpent else { throw .tooMuchWork(steps: queue.limits.steps, pushes: count) }
            budget.allow(queue.limits.stepsOfPush)
            try await pause()
        }
    }

    /// Lets others have the thread when it is time.
    package func pause() async throws(SearchFailure) {
        let now = NIODeadline.now().uptimeNanoseconds
        guard now &- sliceStart.load(ordering: .relaxed) >= slice else { return }
        _ = start.compareExchange(expected: 0, desired: now, ordering: .relaxed)
        try checkPresence(after: now - start.load(ordering: .relaxed))
        await Task.yield()
        sliceStart.store(NIODeadline.now().uptimeNanoseconds, ordering: .relaxed)
    }

    private func checkPresence(after nanoseconds: UInt64) throws(SearchFailure) {
        switch presence.watch().cause {
        case .clientGone:
            if nanoseconds >= UInt64(queue.limits.patience / .nanoseconds(1)) { throw .clientGone }
        case .shutdown: throw .serverStopping
        case .namespaceGone: throw .namespaceRemoved
        case nil: break
        }
    }
}

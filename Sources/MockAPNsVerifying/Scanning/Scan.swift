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
    let queue: ScanQueue
    let presence: ClientPresence
    /// The length of a slice, in nanoseconds.
    private let slice: UInt64
    /// When the search began, in nanoseconds of the system's monotonic clock; 0 before.
    private let start = Atomic<UInt64>(0)
    /// Whether this search has a place among those that run at the same time.
    private let hasPlace = Atomic<Bool>(false)
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
        hasPlace.store(true, ordering: .relaxed)
    }

    package func end() {
        hasPlace.store(false, ordering: .relaxed)
        queue.leave()
    }

    /// Reads from a store; other requests may search meanwhile.
    func reading<Value>(_ read: () async throws(HistoryFailure) -> Value) async throws(SearchFailure) -> Value {
        let hasPlace = hasPlace.load(ordering: .relaxed)
        if hasPlace { queue.leave() }
        let result: Result<Value, HistoryFailure>
        do throws(HistoryFailure) { result = .success(try await read()) } catch { result = .failure(error) }
        if hasPlace { _ = await queue.enter(isRefusable: false) }
        do throws(HistoryFailure) { return try result.get() } catch { throw .unreadable(error.description) }
    }

    /// Renews the budget before the request repeats a search because something has changed.
    func repeats() { budget.renew(queue.limits.steps) }

    /// Returns the numbers of the pushes that a query finds, oldest first.
    package func find(
        _ journal: Journal, _ query: PushQuery
    ) async throws(SearchFailure) -> (seqs: [UInt64], extent: Journal.Extent) {
        var seqs: [UInt64] = []
        let scan = try await visit(journal, query) { _, outline, _ in seqs.append(outline.seq) }
        return (seqs, scan.extent)
    }

    /// Calls `use` with every push that a query finds, oldest first, but at most with `most`.
    @discardableResult package func visit(
        _ journal: Journal, _ query: PushQuery, atMost most: Int = .max,
        _ use: (borrowing RequestView, PushOutline, FoundRecord) -> Void
    ) async throws(SearchFailure) -> JournalScan {
        var scan = journal.scan(query)
        var found = 0
        var count = 0
        while found < most {
            let hasMore = scan.next { request, outline, match in
                use(request, outline, match)
                found += 1
            }
            guard hasMore else { break }
            count += 1
            guard !budget.isSpent else { throw .tooMuchWork(steps: queue.limits.steps, pushes: count) }
            budget.allow(queue.limits.stepsOfPush)
            try await pause()
        }
        return scan
    }

    /// Lets others have the thread when it is time.
    package func pause() async throws(SearchFailure) {
        let now = NIODeadline.now().uptimeNanoseconds
        guard now &- sliceStart.load(ordering: .relaxed) >= slice else { return }
        _ = start.compareExchange(expected: 0, desired: now, ordering: .relaxed)
        let elapsed = Duration.nanoseconds(now - start.load(ordering: .relaxed))
        if let cause = presence.watch().cause, cause != .clientGone || elapsed >= queue.limits.timeout {
            throw .stopped(cause)
        }
        await Task.yield()
        sliceStart.store(NIODeadline.now().uptimeNanoseconds, ordering: .relaxed)
    }
}

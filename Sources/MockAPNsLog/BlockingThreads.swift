internal import Dispatch
internal import NIOConcurrencyHelpers

/// The threads on which a server calls its stores, whose calls block until a disk or a database answers.
///
/// Swift's own threads serve sockets, signals and probes. There is one for each core, so none of them may wait. These
/// threads exist only while there are calls.
package final class BlockingThreads: Sendable {
    /// How many calls may run and wait.
    package struct Limits: Sendable {
        /// Calls that run at the same time.
        package var running = 4
        /// Calls that wait until others are done; one more is refused.
        package var waiting = 500

        package init() {}
    }

    private struct Call {
        let id: UInt64
        let work: @Sendable () -> Void
    }

    private struct State {
        /// The threads without a call.
        var idle: [DispatchQueue]
        /// The calls that wait for a thread, in order.
        var waiting: [Call] = []
        /// What ends the wait of each caller, by the ID of the call.
        var refusals: [UInt64: @Sendable (StoreError) -> Void] = [:]
        var lastID: UInt64 = 0
        var isStopped = false
    }

    private let limits: Limits
    private let state: NIOLockedValueBox<State>

    /// Creates threads, which start with the first calls.
    package init(_ limits: Limits = Limits()) {
        self.limits = limits
        let threads = (1...limits.running).map { DispatchQueue(label: "mock-apns.store.\($0)") }
        state = NIOLockedValueBox(State(idle: threads))
    }

    /// The number of calls that wait for a thread.
    package var waitingCount: Int { state.withLockedValue { $0.waiting.count } }

    /// Makes a call on one of these threads, and returns its result.
    ///
    /// Throws without making the call if too many are waiting. `stop` ends the wait.
    package func run<Value: Sendable>(
        _ call: @escaping @Sendable () throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let caller = Caller<Value>()
        await withCheckedContinuation { continuation in
            caller.wait(continuation)
            start(
                { caller.resume(Result { () throws(StoreError) in try call() }) },
                refuse: { caller.resume(.failure($0)) })
        }
        return try caller.result.get()
    }

    /// Refuses the calls that wait, and all that come; who waits for a running call waits no longer.
    package func stop() {
        let refusals = state.withLockedValue { state in
            state.isStopped = true
            state.waiting = []
            defer { state.refusals = [:] }
            return state.refusals.values
        }
        for refuse in refusals { refuse(Self.stopped) }
    }

    private static let stopped = StoreError(.failed, "the server is stopping")

    private func start(_ work: @escaping @Sendable () -> Void, refuse: @escaping @Sendable (StoreError) -> Void) {
        enum Way {
            case now(Call, on: DispatchQueue)
            case later
            case never(StoreError)
        }
        let way: Way = state.withLockedValue { state in
            if state.isStopped { return .never(Self.stopped) }
            state.lastID += 1
            let call = Call(id: state.lastID, work: work)
            guard let thread = state.idle.popLast() else {
                guard state.waiting.count < limits.waiting else {
                    let problem = "\(limits.waiting) requests for stored data are already waiting; retry later"
                    return .never(StoreError(.failed, problem))
                }
                state.refusals[call.id] = refuse
                state.waiting.append(call)
                return .later
            }
            state.refusals[call.id] = refuse
            return .now(call, on: thread)
        }
        switch way {
        case .now(let call, let thread): thread.async { self.work(off: call, on: thread) }
        case .later: break
        case .never(let error): refuse(error)
        }
    }

    /// Makes a call, and then those that wait.
    private func work(off first: Call, on thread: DispatchQueue) {
        var next: Call? = first
        while let call = next {
            call.work()
            next = state.withLockedValue { state in
                state.refusals[call.id] = nil
                guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
                state.idle.append(thread)
                return nil
            }
        }
    }
}

/// A task that waits for a call, and is resumed once.
///
/// The result goes through a lock, because the thread sanitizer does not see that a continuation orders what was done before
/// it was resumed and what the task does then.
private final class Caller<Value: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Void, Never>?
        var result: Result<Value, StoreError>?
    }

    private let state = NIOLockedValueBox(State())

    /// The result, after the task was resumed.
    var result: Result<Value, StoreError> {
        guard let result = state.withLockedValue({ $0.result }) else {
            preconditionFailure("read before the task was resumed")
        }
        return result
    }

    func wait(_ continuation: CheckedContinuation<Void, Never>) {
        state.withLockedValue { $0.continuation = continuation }
    }

    func resume(_ result: Result<Value, StoreError>) {
        let continuation = state.withLockedValue { state in
            if state.result == nil { state.result = result }
            return state.continuation.take()
        }
        continuation?.resume()
    }
}

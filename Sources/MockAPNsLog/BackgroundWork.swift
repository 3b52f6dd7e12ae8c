internal import Dispatch
internal import NIOConcurrencyHelpers

/// Work in a store that no change waits for.
package enum BackgroundWork: CaseIterable, Sendable {
    /// Deleting what is no longer needed, and similar work.
    case tidying
    /// Writing the state of the world.
    case snapshot

    /// What has failed and what follows from it, for messages.
    package var effect: String {
        switch self {
        case .tidying: "Old data could not be cleaned up and stays in the store"
        case .snapshot: "The state of the world could not be written, so the next start takes longer"
        }
    }
}

/// Runs work that no change waits for.
///
/// A failure is reported once, refuses nothing, and is tried again after a pause that grows with each attempt.
final class BackgroundWorker: Sendable {
    /// The first and the longest pause after a failure, in nanoseconds.
    typealias Pauses = ClosedRange<UInt64>

    /// What became of an attempt.
    enum Outcome: Equatable {
        /// Nothing is left to do.
        case done
        case hasMore
        /// The work failed; it is due again after this time in nanoseconds.
        case failed(pause: UInt64)
        /// It has failed before, and is not due yet.
        case paused
    }

    private struct Failure {
        var error: StoreError
        var pause: UInt64
        /// When the work is due again, in nanoseconds of the monotonic clock.
        var dueAt: UInt64
    }

    private let pauses: Pauses
    private let onChange: @Sendable (BackgroundWork, StoreError?) -> Void
    private let failures = NIOLockedValueBox<[BackgroundWork: Failure]>([:])

    /// `onChange` is called with the error when a kind of work starts to fail, and with `nil` when it works again.
    init(pauses: Pauses, onChange: @escaping @Sendable (BackgroundWork, StoreError?) -> Void) {
        self.pauses = pauses
        self.onChange = onChange
    }

    /// The reason why some work fails; `nil` if all of it works.
    var failure: StoreError? {
        failures.withLockedValue { failures in BackgroundWork.allCases.compactMap { failures[$0]?.error }.first }
    }

    /// Whether the work has failed and is not due yet.
    func isPaused(_ work: BackgroundWork) -> Bool {
        let now = DispatchTime.now().uptimeNanoseconds
        return failures.withLockedValue { failures in failures[work].map { now < $0.dueAt } ?? false }
    }

    /// Runs one step of the work unless it is paused; the step returns whether more may remain.
    ///
    /// A kind of work has steps in an order, so it works again only when none of them is left.
    func attempt(_ work: BackgroundWork, _ step: () throws(StoreError) -> Bool) -> Outcome {
        guard !isPaused(work) else { return .paused }
        do throws(StoreError) {
            if try step() { return .hasMore }
            if failures.withLockedValue({ $0.removeValue(forKey: work) }) != nil { onChange(work, nil) }
            return .done
        } catch {
            let (pause, isNew) = failures.withLockedValue { failures in
                let last = failures[work]?.pause
                let pause = last.map { min(2 * $0, pauses.upperBound) } ?? pauses.lowerBound
                let dueAt = DispatchTime.now().uptimeNanoseconds + pause
                failures[work] = Failure(error: error, pause: pause, dueAt: dueAt)
                return (pause, last == nil)
            }
            if isNew { onChange(work, error) }
            return .failed(pause: pause)
        }
    }
}

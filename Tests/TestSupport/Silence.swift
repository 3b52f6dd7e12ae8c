import Foundation
import MockAPNsLog

/// Lets the calls of a store wait until they are released, like those of a database that does not answer.
package final class Silence: @unchecked Sendable {
    // `@unchecked Sendable`: everything is used under the condition's lock.
    private let condition = NSCondition()
    private var isSilent = false
    private var isInterrupted = false
    private var waiting = 0
    private var inTasks = 0

    package init() {}

    /// The number of calls that wait.
    package var waitingCount: Int { withLock { waiting } }

    /// The number of calls on a thread that was running a task, which must not wait.
    package var callsInTasks: Int { withLock { inTasks } }

    /// Lets calls wait from now on.
    package func begin() { withLock { isSilent = true } }

    /// Releases all calls, which then go on.
    package func end() {
        withLock {
            isSilent = false
            condition.broadcast()
        }
    }

    /// Releases all calls, which then fail, as all later ones do while it is silent.
    package func interrupt() {
        withLock {
            isInterrupted = true
            condition.broadcast()
        }
    }

    /// Waits while it is silent.
    package func pass() throws(StoreError) {
        let hasTask = withUnsafeCurrentTask { $0 != nil }
        let isFailed = withLock {
            if hasTask { inTasks += 1 }
            waiting += 1
            while isSilent, !isInterrupted { condition.wait() }
            waiting -= 1
            return isSilent
        }
        if isFailed { throw StoreError(.failed, "interrupted") }
    }

    private func withLock<Value>(_ use: () -> Value) -> Value {
        condition.lock()
        defer { condition.unlock() }
        return use()
    }
}

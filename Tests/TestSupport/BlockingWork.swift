import Foundation

/// Runs what blocks on a thread of its own, so that no thread of Swift's pool waits for it.
public func onOwnThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { done in Thread { done.resume(with: Result { try work() }) }.start() }
}

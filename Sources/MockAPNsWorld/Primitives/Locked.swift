#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A value that one thread at a time may touch.
///
/// A POSIX lock, because the thread sanitizer knows it: on Linux the kernel hands a contended `Mutex` of
/// Synchronization over, unseen by the sanitizer, which then takes every access for a race (Swift 6.3).
///
/// `@unchecked Sendable`: POSIX documents a mutex as safe to use from any thread, and nothing touches the
/// value without it.
final class Locked<Value: ~Copyable>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    init(_ initial: consuming Value) {
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        value.initialize(to: initial)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Lends the value under the lock.
    func withLock<Result: ~Copyable, Failure: Error>(
        _ use: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try use(&value.pointee)
    }
}

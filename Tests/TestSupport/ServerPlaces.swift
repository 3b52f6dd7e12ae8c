import Foundation
import Synchronization
import Testing

/// Lends one of the few places for tests with live servers, and waits for one to be free.
///
/// Tests run all at once, and each server has threads and sockets: without a bound a run has thousands of them. A test
/// that has a place keeps it for every server it starts, so two tests can never wait for each other.
///
/// Records an issue when the process has more than 200 threads or 1,000 open files all the same.
public func withServerPlace<Result>(
    isolation: isolated (any Actor)? = #isolation, _ use: () async throws -> Result
) async throws -> Result {
    guard !ServerPlaces.isTaken else { return try await use() }
    await ServerPlaces.shared.take()
    defer { ServerPlaces.shared.giveBack() }
    let result = try await ServerPlaces.$isTaken.withValue(true, operation: use)
    ServerPlaces.checkProcess()
    return result
}

/// The places for tests with live servers.
private final class ServerPlaces: Sendable {
    @TaskLocal static var isTaken = false
    static let shared = ServerPlaces()
    static let limits = (threads: 200, files: 1_000)

    private struct State {
        var free = 8
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    func giveBack() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }

    /// Linux tells by these directories; elsewhere nothing is checked.
    static func checkProcess() {
        for (directory, limit) in [("/proc/self/task", limits.threads), ("/proc/self/fd", limits.files)] {
            guard let entries = try? FileManager.default.contentsOfDirectory(atPath: directory) else { continue }
            if entries.count > limit {
                Issue.record("\(directory) has \(entries.count) entries: expected at most \(limit)")
            }
        }
    }
}

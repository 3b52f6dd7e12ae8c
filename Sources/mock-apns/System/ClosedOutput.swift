#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Notices that nobody reads standard output any more, also while there is nothing to write.
enum ClosedOutput {
    /// Returns when the reader is gone.
    static func wait() async throws {
        while !isClosed { try await Task.sleep(for: .milliseconds(250)) }
    }

    private static var isClosed: Bool {
        var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return poll(&output, 1, 0) > 0 && output.revents & Int16(POLLERR | POLLNVAL) != 0
    }
}

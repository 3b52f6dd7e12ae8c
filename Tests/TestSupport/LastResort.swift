import Foundation
import Synchronization

/// The only limit on waiting in tests.
///
/// It ends what hangs, and decides nothing: a machine that is busy with other things may take a minute for what takes a
/// moment elsewhere.
public enum LastResort {
    /// After so many seconds of silence, the threads of this process are shown, because the server may be one of them.
    private static let look = 60
    /// So many times this long may be waited.
    private static let looks = 10
    /// The limit in seconds.
    public static let seconds = look * looks

    private static let isShown = Mutex(false)

    /// Prepares a blocking socket for `retrying`.
    public static func limit(_ socket: Int32) {
        var time = timeval(tv_sec: look, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(socket, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// Calls what blocks on a prepared socket, again and again while nothing comes.
    ///
    /// - Parameters:
    ///   - call: A call like `recv`.
    ///   - isSilent: Whether the call's result says that its time was up.
    /// - Returns: What the call returned; what says that its time was up after `seconds` without anything.
    public static func retrying<Count: SignedInteger>(
        _ call: () -> Count, while isSilent: (Count) -> Bool = { $0 < 0 && errno == EAGAIN }
    ) -> Count {
        for _ in 1..<looks {
            let count = call()
            guard isSilent(count) else { return count }
            showThreads()
        }
        return call()
    }

    /// Prints what all threads of this process do, once.
    private static func showThreads() {
        let isFirst = isShown.withLock { isShown in
            defer { isShown = true }
            return !isShown
        }
        guard isFirst else { return }
        let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
            path: "../../scripts/support/stacks.py"
        ).path
        let command = ["python3", program, "\(ProcessInfo.processInfo.processIdentifier)"]
        let seen = (try? RunningProgram.run(command).output) ?? Data("cannot run \(program)\n".utf8)
        let words = "--- a test has waited for \(look) seconds; the threads of its process ---\n"
        FileHandle.standardError.write(Data(words.utf8) + seen + Data("---\n".utf8))
    }
}

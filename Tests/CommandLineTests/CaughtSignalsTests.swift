import Foundation
import Synchronization
import TestSupport
import Testing

@testable import mock_apns

/// Signals that this process catches.
@Suite struct CaughtSignalsTests {
    /// They are ignored by default, so that a lost one does not end the tests.
    private static let signals = [SIGURG, SIGWINCH]

    @Test func `reports a signal that comes at once`() throws {
        let heard = Mutex<[Int32]>([])
        let told = DispatchSemaphore(value: 0)
        let caught = try CaughtSignals(Self.signals) { number in
            heard.withLock { $0.append(number) }
            told.signal()
        }
        defer { for number in Self.signals { signal(number, SIG_DFL) } }
        // To the process, because a thread that runs tests may block signals; their order is undefined.
        for number in Self.signals { kill(getpid(), number) }
        for _ in Self.signals where told.wait(timeout: .now() + Double(LastResort.seconds)) == .timedOut { break }
        let numbers = heard.withLock { $0 }
        #expect(numbers.sorted() == Self.signals)
        withExtendedLifetime(caught) {}
    }

    /// Does not limit the open files of a process: Swift's runtime needs some too.
    @Test func `a pipe that cannot be opened is reported in one line`() {
        let words = "cannot open a pipe for signals: too many open files; ulimit -n shows the limit"
        #expect(throws: CommandFailure(.badConfiguration, words)) {
            try CaughtSignals.makePipe { _ in
                errno = EMFILE
                return -1
            }
        }
    }
}

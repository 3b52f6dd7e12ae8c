import Testing

@testable import MockAPNsWorld

/// Waiting for several logs at once.
@Suite struct LogEndTests {
    /// A log that answers when told to.
    private final class Log: ChangeLog {
        private let waiters = Locked<[@Sendable (Bool) -> Void]>([])
        let end: UInt64 = 1

        var isAsked: Bool { waiters.withLock { !$0.isEmpty } }

        func append(_ change: AppliedChange) {}

        func whenSafe(_ end: UInt64, _ proceed: @escaping @Sendable (Bool) -> Void) {
            waiters.withLock { $0.append(proceed) }
        }

        func answer(_ isSafe: Bool) { for waiter in waiters.withLock({ $0 }) { waiter(isSafe) } }
    }

    @Test(
        arguments: [
            ([], true), ([true], true), ([false], false), ([true, true], true), ([false, true], false),
            ([true, false], false), ([true, true, false], false), ([true, true, true], true),
        ] as [([Bool], Bool)]) func `asks all logs at once, and is safe only if all are`(answers: [Bool], isSafe: Bool)
    {
        let logs = answers.map { _ in Log() }
        let heard = Locked<[Bool]>([])
        LogEnd.whenAllSafe(logs.map { LogEnd(log: $0, end: 1) })({ isSafe in heard.withLock { $0.append(isSafe) } })
        #expect(logs.allSatisfy { $0.isAsked })
        for (log, answer) in zip(logs, answers) {
            #expect(heard.withLock { $0.isEmpty })
            log.answer(answer)
        }
        #expect(heard.withLock { $0 } == [isSafe])
    }
}

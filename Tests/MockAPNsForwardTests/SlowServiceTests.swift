import MockAPNs
import MockAPNsForward
import MockAPNsRules
import MockAPNsUpstream
import MockAPNsWorld
import TestSupport
import Testing

/// A service that is slower than the clients, and the end of forwarding.
struct SlowServiceTests {
    @Test func `20,000 pushes to a service that takes 50 ms for each`() async throws {
        let key = try ForwardKey()
        try await withService(key) { service, target in
            _ = try service.world.faults.add(
                FaultDraft(when: FaultTrigger(), action: .delay(FaultAction.Delay(50_000))))
            var target = target
            target.options.times.answer = .hours(1)
            try await withForwarding(to: target, { $0.journal.records = 50_000 }) { pair async throws in
                let (count, limits) = (20_000, Forwarder.Limits())
                var mostWaiting = 0
                for _ in 0..<(count / 500) {
                    try await pair.push(count: 500)
                    mostWaiting = max(mostWaiting, pair.world.forwards.counts.waiting)
                }
                await eventually {
                    let counts = pair.world.forwards.counts
                    return counts.answered + counts.failed + counts.dropped == UInt64(count)
                }
                let counts = pair.world.forwards.counts
                #expect(mostWaiting <= limits.waiting && counts.waiting == 0 && counts.failed == 0)
                #expect(counts.answered >= UInt64(limits.waiting) && counts.differing == 0)
                #expect(service.world.journal.counters.received == counts.answered)
                let kept = pair.world.journal.pushes(.oldestFirst).pushes.count {
                    pair.world.forwards[$0.seq].map { $0.outcome != .dropped } == true
                }
                #expect(kept == min(ForwardLog.capacity, Int(counts.answered)))
            }
        }
    }

    @Test func `dropped pushes take no place of answers`() async throws {
        let key = try ForwardKey()
        try await withService(key) { _, target in
            try await withForwarding(to: target) { pair async throws in
                let (journal, forwards) = (pair.world.journal, pair.world.forwards)
                journal.noteForwards([(1, ForwardRecord(.failed, because: "no"))], epoch: 1)
                journal.noteDroppedForwards((2...30_000).map { $0...$0 }, epoch: 1, isBeginning: true)
                journal.noteDroppedForwards((30_001...40_000).map { $0...$0 }, epoch: 1, isBeginning: false)
                #expect(forwards[1]?.outcome == .failed && forwards[2]?.outcome == .dropped)
                #expect(forwards[40_000]?.outcome == .dropped && forwards[40_001] == nil)
                #expect(forwards.counts.dropped == 39_999 && pair.forwardEvents == 2)
                // Of many ranges, the latest are kept.
                journal.noteDroppedForwards(
                    (0..<1_000).map { 50_000 + 2 * $0...50_000 + 2 * $0 }, epoch: 1, isBeginning: true)
                #expect(forwards[2] == nil && forwards[50_000]?.outcome == .dropped && forwards[50_001] == nil)
            }
        }
    }

    @Test func `each time that the queue becomes full is one event`() async throws {
        try await withRawServer([RawServer.Step(after: RawServer.preface, bytes: RawServer.settings)]) { service in
            var limits = Forwarder.Limits()
            (limits.waiting, limits.sending) = (2, 1)
            try await withForwarding(to: try ForwardTarget.plain(service), limits: limits) { pair async throws in
                // One is sent, two wait, and the others are dropped.
                for _ in 0..<3 {
                    try await pair.push()
                    await eventually { pair.world.forwards.counts.waiting > 0 || service.openConnections == 1 }
                }
                await eventually { pair.world.forwards.counts.waiting == 2 }
                for count in 1...5 {
                    try await pair.push()
                    _ = try await pair.records(count)
                }
                #expect(pair.world.forwards.counts.dropped == 5 && pair.forwardEvents == 1)
            }
        }
    }

    @Test func `stopping leaves no connection that is being opened`() async throws {
        // It accepts the connection, and says nothing.
        try await withRawServer([]) { service in
            var target = try ForwardTarget.plain(service)
            target.options.times.settings = .hours(1)
            try await withForwarding(to: target) { pair async throws in
                try await pair.push()
                await eventually { service.openConnections == 1 }
                await pair.forwarder.stop()
                await eventually { service.openConnections == 0 }
            }
        }
    }
}

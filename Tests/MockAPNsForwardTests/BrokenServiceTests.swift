import MockAPNs
import MockAPNsForward
import MockAPNsRules
import MockAPNsUpstream
import MockAPNsWorld
import NIOCore
import TestSupport
import Testing

/// Services that break: the client's answer stays the mock's, and the record says what happened.
struct BrokenServiceTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let script: [RawServer.Step]
        /// A part of the error.
        let error: String
        /// The same for a system that reports the end of the connection as a reset.
        var reset: String?
    }

    static let cases = [
        Case(
            testDescription: "garbage",
            script: [.init(after: RawServer.preface, bytes: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))],
            error: "HTTP/2"),
        Case(
            testDescription: "closes at once", script: [.init(after: "", bytes: [], closes: true)], error: "closed",
            reset: "broke"),
        Case(
            testDescription: "closes after the request",
            script: [
                .init(after: RawServer.preface, bytes: RawServer.settings),
                .init(after: "alert", bytes: [], closes: true),
            ], error: "closed", reset: "broke"),
        Case(
            testDescription: "resets the stream",
            script: [
                .init(after: RawServer.preface, bytes: RawServer.settings),
                .init(after: "alert", bytes: RawServer.frame(3, stream: 1, [0, 0, 0, 2])),
            ], error: "reset the stream"),
        Case(
            testDescription: "GOAWAY on each connection",
            script: [.init(after: RawServer.preface, bytes: RawServer.settings + RawServer.goAway(last: 0))],
            error: "GOAWAY"),
    ]

    @Test(arguments: cases) func `a broken service is shown in the record only`(_ row: Case) async throws {
        try await withRawServer(row.script) { service in
            try await withForwarding(to: try ForwardTarget.plain(service)) { pair in
                #expect(try await pair.push() == 200)
                let record = try #require(try await pair.records(1).first)
                #expect(record.outcome == .failed && record.status == nil)
                let error = try #require(record.error)
                #expect(error.contains(row.error) || row.reset.map(error.contains) == true, "\(error)")
                #expect(pair.world.forwards.counts.failed == 1)
                #expect(try await pair.push() == 200)
            }
        }
    }

    @Test(arguments: [Reason.tooManyRequests, .internalServerError, .serviceUnavailable])
    func `an answer with an error is an answer, and is not repeated`(_ reason: Reason) async throws {
        let key = try ForwardKey()
        try await withService(key) { service, target in
            _ = try service.world.faults.add(
                FaultDraft(when: FaultTrigger(), action: .respond(FaultAction.Response(reason))))
            try await withForwarding(to: target) { pair in
                #expect(try await pair.push() == 200)
                let record = try #require(try await pair.records(1).first)
                #expect(record.outcome == .differs && record.reason == reason.name)
                #expect(record.status == Int(reason.status))
                #expect(service.world.journal.counters.received == 1)
            }
        }
    }

    @Test func `a service that does not answer fills the queue, and no more`() async throws {
        let script = [RawServer.Step(after: RawServer.preface, bytes: RawServer.settings)]
        try await withRawServer(script) { service in
            let limits = Forwarder.Limits()
            var target = try ForwardTarget.plain(service)
            // A push that fails makes room for another, however long the pushes take here.
            target.options.times.answer = .hours(1)
            try await withForwarding(to: target, { $0.journal.records = 50_000 }) { pair in
                // As many as fit in the queue, some of which are sent from it; then the rest of what it takes.
                try await pair.push(count: limits.waiting)
                await eventually { pair.world.forwards.counts.waiting == limits.waiting - limits.sending }
                try await pair.push(count: limits.sending)
                await eventually { pair.world.forwards.counts.waiting == limits.waiting }
                let dropped: UInt64 = 9_600
                try await pair.push(count: Int(dropped))
                await eventually { pair.world.forwards.counts.dropped >= dropped }
                let counts = pair.world.forwards.counts
                #expect(counts.dropped == dropped && counts.waiting == limits.waiting)
                #expect(counts.answered == 0 && counts.failed == 0)
                let pushes = pair.world.journal.pushes(.oldestFirst).pushes
                let last = try #require(pushes.last)
                let record = try #require(pair.world.forwards[last.seq])
                #expect(record.outcome == .dropped && record.error?.contains("queue was full") == true)
                #expect(pushes.count { pair.world.forwards[$0.seq] != nil } == Int(dropped))
                // Those that were dropped are one event, not thousands.
                #expect(pair.forwardEvents == 1)
            }
        }
    }
}

import MockAPNs
import MockAPNsForward
import MockAPNsRules
import MockAPNsUpstream
import MockAPNsWorld
import TestSupport
import Testing

/// Clients that get the other service's responses.
struct RealAnswerTests {
    /// Nothing happens because time passes.
    private static let patience = Duration.seconds(3_600)

    @Test func `the client gets the response of the service, and the mock records its own`() async throws {
        let key = try ForwardKey()
        try await withService(key, { $0.rules.unknownTokens = .reject }) { _, target in
            try await withForwarding(to: target, answers: target.answers(upTo: Self.patience)) { pair async throws in
                let answer = try await pair.answer()
                #expect(answer.status == 400)
                #expect(String(decoding: answer.body, as: UTF8.self) == #"{"reason":"BadDeviceToken"}"#)
                // What became of the push is known before its client has the response.
                let push = try #require(pair.world.journal.pushes(.oldestFirst).pushes.first)
                let record = try #require(pair.world.forwards[push.seq])
                #expect(push.status == 200 && record.status == 400 && record.outcome == .differs)
                #expect(answer.headers.map(\.name) == record.headers.map(\.name))
            }
        }
    }

    @Test func `an accepted push has the headers of the service`() async throws {
        let key = try ForwardKey()
        try await withService(key) { service, target in
            try await withForwarding(to: target, answers: target.answers(upTo: Self.patience)) { pair async throws in
                let answer = try await pair.answer()
                #expect(answer.status == 200 && answer.body.isEmpty)
                let there = try #require(service.world.journal.pushes(.oldestFirst).pushes.first)
                #expect(answer.headers.map(\.name) == ["apns-id", "apns-unique-id"])
                #expect(answer.header("apns-unique-id") == there.answer.uniqueID)
            }
        }
    }

    @Test func `many clients wait on one connection`() async throws {
        let key = try ForwardKey()
        try await withService(key, { $0.rules.unknownTokens = .reject }) { _, target in
            let answers = target.answers(upTo: Self.patience)
            try await withForwarding(to: target, answers: answers) { pair async throws in
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<500 { group.addTask { try await pair.push() } }
                    for try await status in group { #expect(status == 400) }
                }
                #expect(answers.count == 0)
            }
        }
    }

    @Test func `what is not forwarded is answered by the mock at once`() async throws {
        let key = try ForwardKey()
        try await withService(key, { $0.rules.unknownTokens = .reject }) { service, target in
            let answers = target.answers(upTo: Self.patience)
            try await withForwarding(to: target, answers: answers) { pair async throws in
                #expect(try await pair.push(topic: "com.example.other") == 200)
                #expect(try await pair.push(headers: [UpstreamHeader("apns-priority", "3")]) == 400)
                #expect(service.world.journal.counters.received == 0 && answers.count == 0)
            }
        }
    }

    @Test func `a fault's answer stays`() async throws {
        let key = try ForwardKey()
        try await withService(key) { _, target in
            try await withForwarding(to: target, answers: target.answers(upTo: Self.patience)) { pair async throws in
                _ = try pair.world.faults.add(
                    FaultDraft(when: FaultTrigger(), action: .respond(FaultAction.Response(Reason.internalServerError)))
                )
                #expect(try await pair.push() == 500)
            }
        }
    }

    @Test func `if the service fails, the mock's own response is sent`() async throws {
        try await withRawServer([RawServer.Step(after: "", bytes: [], closes: true)]) { service in
            let target = try ForwardTarget.plain(service)
            try await withForwarding(to: target, answers: target.answers(upTo: Self.patience)) { pair async throws in
                #expect(try await pair.push() == 200)
                #expect(pair.world.forwards.counts.failed == 1)
            }
        }
    }

    @Test func `a dropped push is answered by the mock at once`() async throws {
        try await withRawServer([RawServer.Step(after: RawServer.preface, bytes: RawServer.settings)]) { service in
            let target = try ForwardTarget.plain(service)
            var limits = Forwarder.Limits()
            limits.waiting = 0
            try await withForwarding(to: target, limits: limits, answers: target.answers(upTo: Self.patience)) {
                pair async throws in
                #expect(try await pair.push() == 200)
                #expect(pair.world.forwards.counts.dropped == 1)
            }
        }
    }

    @Test func `a service that does not answer delays the client until the limit only`() async throws {
        try await withRawServer([RawServer.Step(after: RawServer.preface, bytes: RawServer.settings)]) { service in
            let target = try ForwardTarget.plain(service)
            try await withForwarding(to: target, answers: target.answers(upTo: .milliseconds(50))) {
                pair async throws in
                #expect(try await pair.push() == 200)
                #expect(try await pair.push() == 200)
            }
        }
    }

    @Test func `clients that wait are answered when the forwarder stops`() async throws {
        try await withRawServer([RawServer.Step(after: RawServer.preface, bytes: RawServer.settings)]) { service in
            let target = try ForwardTarget.plain(service)
            let answers = target.answers(upTo: Self.patience)
            try await withForwarding(to: target, answers: answers) { pair async throws in
                async let status = pair.push()
                await eventually { answers.count == 1 }
                await pair.forwarder.stop()
                #expect(try await status == 200)
                // From now on nobody waits.
                #expect(try await pair.push() == 200)
            }
        }
    }

    @Test func `no more clients wait than the limit`() {
        let answers = ForwardAnswers(upTo: Self.patience) { _, _ in true }
        for stream in 0..<Int32(ForwardAnswers.capacity) {
            #expect(answers.wait(connection: 1, stream: stream) { _ in })
        }
        #expect(!answers.wait(connection: 2, stream: 1) { _ in })
        answers.give(nil, connection: 1, stream: 7)
        #expect(answers.wait(connection: 2, stream: 1) { _ in })
        #expect(answers.count == ForwardAnswers.capacity)
    }
}

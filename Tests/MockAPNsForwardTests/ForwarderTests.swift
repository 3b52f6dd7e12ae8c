import MockAPNs
import MockAPNsForward
import MockAPNsRules
import MockAPNsUpstream
import MockAPNsWorld
import NIOCore
import TestSupport
import Testing

/// Forwarding to a second server of this package.
struct ForwarderTests {
    @Test func `the answers are compared, and the push is signed with the key given`() async throws {
        let key = try ForwardKey()
        try await withService(key) { service, target in
            try await withForwarding(to: target) { pair in
                let own = UpstreamHeader("apns-collapse-id", "news")
                #expect(try await pair.push(headers: [own, UpstreamHeader("x-private", "secret")]) == 200)
                let record = try #require(try await pair.records(1).first)
                #expect(record.outcome == .same && record.status == 200 && record.reason == nil && record.error == nil)
                #expect(record.headers.map(\.name) == ["apns-id", "apns-unique-id"] && record.microseconds > 0)
                let push = try #require(service.world.journal.pushes(.oldestFirst).pushes.first)
                #expect(push.keyID == key.keyID && push.teamID == key.teamID)
                #expect(push.request[.apnsCollapseID] == "news" && push.request[.apnsTopic] == Pair.topic)
                #expect(!push.request.headers.contains { $0.name == "x-private" })
                #expect(push.request.headers.count { $0.name == "authorization" } == 1)
                #expect(push.request.body == Array(#"{"aps":{"alert":"Hi"}}"#.utf8))
            }
        }
    }

    @Test func `another reason differs`() async throws {
        let key = try ForwardKey()
        try await withService(key, { $0.rules.unknownTokens = .reject }) { _, target in
            try await withForwarding(to: target) { pair in
                #expect(try await pair.push() == 200)
                let record = try #require(try await pair.records(1).first)
                #expect(record.outcome == .differs && record.status == 400 && record.reason == "BadDeviceToken")
                #expect(String(decoding: record.body, as: UTF8.self) == #"{"reason":"BadDeviceToken"}"#)
                #expect(pair.world.forwards.counts == ForwardLog.Counts.one(differing: true))
            }
        }
    }

    @Test func `only the chosen pushes are forwarded`() async throws {
        let key = try ForwardKey()
        try await withService(key) { service, target in
            var target = target
            let other = String(repeating: "ef", count: 32)
            target.tokens = [Pair.token, other]
            try await withForwarding(to: target) { pair in
                #expect(try await pair.push(other, topic: "com.example.other") == 200)
                #expect(try await pair.push(String(repeating: "cd", count: 32)) == 200)
                #expect(try await pair.push(body: "no json") == 200)
                #expect(try await pair.push(headers: [UpstreamHeader("apns-priority", "3")]) == 400)
                #expect(try await pair.push(Pair.token.uppercased()) == 200)
                _ = try await pair.records(2)
                #expect(service.world.journal.counters.received == 2)
            }
        }
    }

    @Test(arguments: [false, true]) func `pushes of namespaces are forwarded while they are followed`(
        inBackground: Bool
    ) async throws {
        let key = try ForwardKey()
        try await withService(key) { service, target in
            try await withForwarding(to: target, inBackground: inBackground) { pair in
                let namespaces = pair.server.namespaces
                let forwarder = pair.forwarder
                var draft = Namespaces.Draft(name: "first")
                draft.source = namespaces.standard
                let first = try await namespaces.add(draft)
                #expect(try await pair.push(in: first) == 200)
                namespaces.onAddition { forwarder.follow($0.world) }
                namespaces.onRemoval { forwarder.leave($0.world) }
                draft.name = "second"
                let second = try await namespaces.add(draft)
                for namespace in [first, second] { #expect(try await pair.push(in: namespace) == 200) }
                for world in [first.world, second.world] { await eventually { world.forwards.counts.answered == 1 } }
                let pushes = first.world.journal.pushes(.oldestFirst).pushes
                #expect(pushes.map { first.world.forwards[$0.seq]?.status } == [nil, 200])
                #expect(pair.world.forwards.counts == ForwardLog.Counts())

                forwarder.leave(first.world)
                for namespace in [first, second] { #expect(try await pair.push(in: namespace) == 200) }
                await eventually { second.world.forwards.counts.answered == 2 }
                #expect(first.world.forwards.counts.answered == 1)
                #expect(service.world.journal.count == 3)
            }
        }
    }

    @Test func `rejected pushes are forwarded if wanted`() async throws {
        let key = try ForwardKey()
        try await withService(key) { _, target in
            var target = target
            target.includesRejected = true
            try await withForwarding(to: target) { pair in
                #expect(try await pair.push(headers: [UpstreamHeader("apns-priority", "3")]) == 400)
                let record = try #require(try await pair.records(1).first)
                #expect(record.outcome == .same && record.status == 400 && record.reason == "BadPriority")
            }
        }
    }

    @Test func `a reset forgets the records, and late ones are only counted`() async throws {
        let key = try ForwardKey()
        try await withService(key) { _, target in
            try await withForwarding(to: target) { pair in
                try await pair.push()
                _ = try await pair.records(1)
                let push = try #require(pair.world.journal.pushes(.oldestFirst).pushes.first)
                #expect(pair.world.forwards[push.seq] != nil)
                _ = pair.world.reset()
                try await pair.push()
                _ = try await pair.records(2)
                let late = ForwardRecord(.failed, because: "late")
                pair.world.journal.noteForwards([(push.seq, late)], epoch: push.epoch)
                #expect(pair.world.forwards[push.seq] == nil && pair.world.forwards.counts.failed == 1)
            }
        }
    }

    @Test func `imported pushes are not forwarded`() async throws {
        let key = try ForwardKey()
        try await withService(key) { service, target in
            try await withForwarding(to: target) { pair in
                try await pair.push()
                _ = try await pair.records(1)
                let push = try #require(pair.world.journal.pushes(.oldestFirst).pushes.first)
                let batch = RecordBatch()
                RequestView.withRequest(
                    headers: push.request.judgedHeaders, body: push.request.body, bodyLength: push.request.body.count
                ) { batch.append($0, RecordHead()) }
                let time = pair.world.clock.read()
                let adopted = pair.world.journal.adopt(batch, [(time: time, steps: [], refusal: nil)])
                #expect(adopted.seqs.count == 1)
                try await pair.push()
                _ = try await pair.records(2)
                #expect(service.world.journal.counters.received == 2)
            }
        }
    }

    @Test func `no more records are kept than the limit`() async throws {
        let key = try ForwardKey()
        try await withService(key) { _, target in
            try await withForwarding(to: target) { pair in
                let all = (1...UInt64(ForwardLog.capacity + 5)).map {
                    (push: $0, record: ForwardRecord(.failed, because: "no"))
                }
                pair.world.journal.noteForwards(all, epoch: 1)
                #expect(pair.world.forwards[5] == nil && pair.world.forwards[6] != nil)
            }
        }
    }

    @Test func `texts of the other service are cut`() {
        let long = String(repeating: "x", count: 2_000)
        let headers = (0..<50).map { (name: "x-\($0)", value: long) }
        let record = ForwardRecord(
            status: 200, reason: long, headers: headers, body: Array(long.utf8), microseconds: 1, isSame: true)
        #expect(record.headers.count == 16 && record.headers.allSatisfy { $0.value.utf8.count == 512 })
        #expect(record.body.count == 1_024 && record.reason?.utf8.count == 512)
    }
}

extension ForwardLog.Counts {
    static func one(differing: Bool) -> ForwardLog.Counts {
        var counts = ForwardLog.Counts()
        (counts.answered, counts.differing) = (1, differing ? 1 : 0)
        return counts
    }
}

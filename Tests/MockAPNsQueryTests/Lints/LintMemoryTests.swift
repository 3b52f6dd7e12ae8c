import MockAPNsRules
import Testing

@testable import MockAPNsQuery
@testable import MockAPNsWorld

/// Lints that look at several pushes, each with stories in which it is reported and stories in which it is not.
@Suite struct LintMemoryTests {
    @Test func `reports the same push twice within a minute`() {
        var story = LintStory()
        #expect(story.push() == [])
        #expect(story.push(system: 59, clock: 59) == [.samePushTwice])
        #expect(story.memory.findings[4]?.first?.message == "the same push was accepted 59 s before (seq:2)")
        #expect(story.push(body: "{ }") == [])
        #expect(story.push(topic: "com.b") == [])
        #expect(story.push(to: "cd") == [])
        #expect(story.push(to: LintStory.token.uppercased()) == [.samePushTwice], "letter case is no difference")
    }

    @Test(arguments: [(60.0, 0.0), (0, 60)]) func `does not report the same push after a minute of either clock`(
        system: Double, clock: Double
    ) {
        var story = LintStory()
        _ = story.push()
        #expect(story.push(system: system, clock: clock) == [])
    }

    @Test func `a push that was refused before may come again`() {
        var story = LintStory()
        _ = story.push(status: 400, reason: .badTopic)
        #expect(story.push() == [])
        #expect(story.push(status: 400, reason: .badTopic) == [])
    }

    @Test func `reports an apns-id of another push or of an accepted one`() {
        var story = LintStory()
        let id = "0c6b0000-0000-4000-8000-00000000abcd"
        _ = story.push(id: id)
        #expect(story.push(system: 100, id: id.uppercased()) == [.apnsIDReused])
        #expect(story.memory.findings[4]?.first?.message.contains("seq:2, which was accepted") == true)
        #expect(story.push(body: "{ }", id: id) == [.apnsIDReused])
        #expect(story.memory.findings[6]?.first?.message.contains("seq:4, which is another push") == true)
        #expect(story.push(body: "[1]", id: "0c6b0000-0000-4000-8000-00000000abce") == [])
        #expect(story.push(body: "[2]") == [])
        #expect(story.push(body: "[3]", id: "") == [])
        #expect(story.push(body: "[4]", id: "") == [], "an empty header names nothing")
    }

    @Test func `a push that was refused keeps its apns-id when it comes again`() {
        var story = LintStory()
        let id = "0c6b0000-0000-4000-8000-00000000abcd"
        _ = story.push(status: 503, reason: .shutdown, id: id)
        #expect(story.push(id: id) == [])
    }

    @Test func `reports a push to a device token that was answered 410`() {
        var story = LintStory()
        _ = story.push(status: 410, reason: .unregistered, body: "1")
        #expect(story.push(status: 410, reason: .unregistered, body: "2") == [.pushToDeadToken])
        #expect(
            story.memory.findings[4]?.first?.message == "this device token was answered 410 Unregistered before (seq:2)"
        )
        #expect(story.push(status: 403, reason: .expiredProviderToken, body: "3") == [.pushToDeadToken])
        #expect(story.push(status: 410, reason: .unregistered, topic: "com.b", body: "4") == [])
        #expect(story.push(status: 410, reason: .unregistered, to: "cd", body: "5") == [])
        #expect(story.push(body: "6") == [], "it is alive again")
        #expect(story.push(status: 400, reason: .badPriority, body: "7") == [])
    }

    @Test(arguments: [
        (UInt16(429), Reason.tooManyRequests, 0.999, [Lint.retryTooFastAfter429]),
        (429, .tooManyProviderTokenUpdates, 0.999, [.retryTooFastAfter429]), (429, .tooManyRequests, 1, []),
        (503, .serviceUnavailable, 899, [.retryTooFastAfter503]), (503, .serviceUnavailable, 900, []),
        (503, .shutdown, 0, []), (500, .internalServerError, 0, []), (400, .badTopic, 0, []),
    ]) func `reports a retry that comes too fast`(status: UInt16, reason: Reason, after: Double, found: [Lint]) {
        for (system, clock) in [(after, 0.0), (0, after), (after, after)] {
            var story = LintStory()
            _ = story.push(status: status, reason: reason)
            #expect(story.push(system: system, clock: clock) == found)
            #expect(story.push(body: "another") == [])
        }
    }

    @Test func `reports a provider token that is renewed too often`() {
        var story = LintStory()
        func push(_ story: inout LintStory, _ clock: Double, _ issuedAt: Int, _ key: String = "KEY1") -> [Lint] {
            story.push(clock: clock, body: "\(story.seq)", key: key, issuedAt: issuedAt)
        }
        #expect(push(&story, 0, 100) == [])
        #expect(push(&story, 1_199, 200) == [.tokenRefreshedTooOften])
        #expect(push(&story, 1_199, 200) == [])
        #expect(push(&story, 1_199, 100) == [], "the one before may still be under way")
        #expect(push(&story, 1_200, 300, "KEY2") == [], "each key has its own")
        #expect(push(&story, 2_399, 400) == [], "20 minutes after the last one came")
        #expect(push(&story, 2_400, 500) == [.tokenRefreshedTooOften])
        #expect(push(&story, 2_399, 600) == [], "the clock was set back")
        #expect(story.memory.findings[4]?.first?.message.contains("19 minutes after") == true)
    }

    @Test func `only a token that follows an accepted one counts as renewed`() {
        var story = LintStory()
        func push(_ story: inout LintStory, _ clock: Double, _ issuedAt: Int, _ reason: Reason? = nil) -> [Lint] {
            story.push(
                clock: clock, status: reason?.status ?? 200, reason: reason, body: "\(story.seq)", issuedAt: issuedAt)
        }
        #expect(push(&story, 0, 100, .expiredProviderToken) == [])
        #expect(push(&story, 1, 200) == [], "nothing was accepted before")
        #expect(push(&story, 60, 300, .tooManyProviderTokenUpdates) == [.tokenRefreshedTooOften])
        #expect(push(&story, 61, 300, .tooManyProviderTokenUpdates) == [], "it was said")
        #expect(push(&story, 62, 200) == [], "the last one is still under way")
        #expect(push(&story, 1_201, 300) == [], "20 minutes after the one that was accepted")
        #expect(push(&story, 1_202, 200) == [], "it may still be under way")
        #expect(push(&story, 1_203, 400) == [.tokenRefreshedTooOften])
        let message = story.memory.findings[6]?.first?.message
        #expect(message?.contains("59 s after the last one that was accepted") == true, "\(message ?? "")")
        #expect(message?.contains("stays valid for requests in flight") == true)
    }

    /// As test suites do: each process makes its own token, on a connection of its own.
    @Test(arguments: [false, true]) func `reports processes that each make a provider token`(areAtOnce: Bool) {
        var story = LintStory()
        for number in 1...4 {
            let end = areAtOnce ? nil : Double(number) + 0.5
            story.connect(UInt64(number), opened: Double(number), closed: end)
            for push in 1...2 {
                let found = story.push(
                    clock: Double(number), on: UInt64(number), body: "\(number) \(push)", issuedAt: number)
                #expect(found == [])
            }
        }
    }

    @Test func `reports a connection for each push`() {
        var story = LintStory()
        for number in 1...8 { story.connect(UInt64(number), opened: Double(number), closed: Double(number) + 0.5) }
        for number in 1...4 { #expect(story.push(on: UInt64(number), body: "\(number)") == []) }
        #expect(story.push(on: 5, body: "5") == [.connectionPerPush])
        #expect(story.memory.findingsOfConnections.keys.sorted() == [5])
        #expect(story.push(on: 5, body: "5a") == [])
        for number in 6...8 { #expect(story.push(on: UInt64(number), body: "\(number)") == []) }
    }

    @Test func `a connection has each warning once`() {
        var story = LintStory()
        for number in 1...9 { story.connect(UInt64(number), opened: Double(number), closed: Double(number) + 0.5) }
        for number in 1...7 { _ = story.push(on: UInt64(number), body: "\(number)") }
        #expect(story.memory.findingsOfConnections.mapValues { $0.map(\.finding.lint) } == [5: [.connectionPerPush]])
        for number in 1...3 { _ = story.push(on: 8, body: "8 \(number)", issuedAt: number) }
        let told = story.memory.findingsOfConnections[8]?.map(\.finding.lint)
        #expect(told == [.tokenRefreshedTooOften])
    }

    @Test func `connections that overlap are a pool and not reported`() {
        var open = LintStory()
        for number in 1...6 { open.connect(UInt64(number), opened: Double(number)) }
        for number in 1...6 { #expect(open.push(on: UInt64(number), body: "\(number)") == []) }
        var overlapping = LintStory()
        for number in 1...6 {
            overlapping.connect(UInt64(number), opened: Double(number), closed: Double(number) + 1.5)
        }
        for number in 1...6 { #expect(overlapping.push(on: UInt64(number), body: "\(number)") == []) }
        var unknown = LintStory()
        for number in 1...6 { #expect(unknown.push(on: UInt64(number), body: "\(number)") == []) }
    }

    @Test func `reports too many connections at a time`() {
        var story = LintStory()
        for number in 1...22 { story.connect(UInt64(number), opened: Double(number), closed: number <= 2 ? 21.5 : nil) }
        for number in 1...22 {
            let found = story.push(system: Double(number), on: UInt64(number), body: "\(number)")
            #expect(found == (number == 21 ? [.manyConnections] : []), "\(number)")
        }
        #expect(story.push(system: 21, on: 21, body: "again") == [], "said once for a connection")
        #expect(story.memory.findings[42]?.first?.message == "21 connections are open")
    }

    @Test func `a request that the transport refused is not compared`() {
        var story = LintStory()
        _ = story.push()
        #expect(story.push(hasProblem: true) == [])
        #expect(story.push(to: "") == [])
    }

    @Test func `broadcasts are compared like pushes`() {
        var story = LintStory()
        #expect(story.push(id: "I", channel: "YQ==") == [])
        #expect(story.push(system: 5, clock: 5, channel: "YQ==") == [.samePushTwice])
        #expect(story.push(channel: "Yg==") == [])
        #expect(story.push(topic: "com.b", channel: "YQ==") == [])
        #expect(story.push(status: 429, body: "[]", channel: "YQ==") == [])
        #expect(story.push(body: "[]", channel: "YQ==") == [.retryTooFastAfter429])
        #expect(story.push(body: "7", id: "I", channel: "YQ==") == [.apnsIDReused])
        #expect(
            story.memory.findings[story.seq]?.first?.message
                == "the apns-request-id is that of seq:2, which is another push")
        #expect(
            story.push(system: 60, clock: 60, body: "8", issuedAt: 60, channel: "YQ==") == [.tokenRefreshedTooOften])
    }

    @Test func `every lint that looks at history has a story`() {
        let told: Set<Lint> = [
            .samePushTwice, .apnsIDReused, .pushToDeadToken, .retryTooFastAfter429, .retryTooFastAfter503,
            .tokenRefreshedTooOften, .budgetExceeded, .connectionPerPush, .manyConnections,
        ]
        #expect(Set(Lint.allCases.filter(\.looksAtHistory)) == told)
    }

    @Test func `pushes that have left the journal are forgotten`() {
        var story = LintStory()
        for number in 0..<8_000 {
            _ = story.push(
                status: number % 2 == 0 ? 410 : 200, to: "ab" + String(number + 0x10000, radix: 16).padded,
                body: "\(number)", id: "\(number)", issuedAt: number)
            if number % 100 == 99 { story.memory.forget(before: story.seq - 200) }
        }
        #expect(story.memory.weight < 3_000)
        #expect(story.memory.findings.keys.contains(story.seq), "and what is there is not")
    }
}

extension String {
    /// An even number of digits.
    fileprivate var padded: String { count % 2 == 0 ? self : "0" + self }
}

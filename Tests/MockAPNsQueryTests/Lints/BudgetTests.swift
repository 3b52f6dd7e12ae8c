import MockAPNsRules
import Testing

@testable import MockAPNsQuery
@testable import MockAPNsWorld

/// Budgets of kinds of push, by the world's clock.
@Suite struct BudgetTests {
    private static let minute = 60.0

    /// Sends a service update of Push to Talk; each has another body, so that none is the same push twice.
    private func update(
        _ story: inout LintStory, at minutes: Double, priority: String? = "10", status: UInt16 = 200,
        to token: String = LintStory.token, kind: String = "service-update"
    ) -> Bool {
        let body = "{\"aps\":{\"ptt-push-type\":\"\(kind)\"},\"n\":\(story.seq)}"
        return story.push(
            system: minutes * Self.minute, clock: minutes * Self.minute, status: status, to: token,
            topic: "com.a.voip-ptt", body: body, type: "pushtotalk", priority: priority
        ).contains(.budgetExceeded)
    }

    @Test func `a seventh service update within an hour is above the budget`() {
        var story = LintStory()
        for minute in 0..<6 { #expect(!update(&story, at: Double(minute))) }
        #expect(update(&story, at: 59))
        let finding = story.memory.findings[story.seq]?.first
        #expect(finding?.pointer == "headers/apns-priority")
        #expect(
            finding?.message.contains("the device takes 6 an hour at priority 10 of pushtotalk, service update") == true
        )
        #expect(finding?.message.contains("seq:4") == true, "\(finding?.message ?? "")")
    }

    @Test func `a budget comes back with the clock`() {
        var story = LintStory()
        for minute in 0..<6 { #expect(!update(&story, at: Double(minute))) }
        #expect(!update(&story, at: 60), "the first was an hour before")
        #expect(update(&story, at: 60.5))
        #expect(!update(&story, at: -600), "the clock was put back")
    }

    @Test(arguments: [nil, "10"]) func `priority 10 is the default`(priority: String?) {
        var story = LintStory()
        #expect((0..<7).map { update(&story, at: Double($0), priority: priority) }.last == true)
    }

    @Test func `what does not count`() {
        var story = LintStory()
        for minute in 0..<6 { #expect(!update(&story, at: Double(minute))) }
        #expect(!update(&story, at: 7, priority: "5"), "lower priorities")
        #expect(!update(&story, at: 7, status: 429), "refused pushes")
        #expect(!update(&story, at: 7, to: "cd"), "another device")
        #expect(!update(&story, at: 7, kind: "speaker"), "the other kind")
        #expect(update(&story, at: 7))
    }

    @Test func `a device takes 360 location pushes in 24 hours`() {
        var story = LintStory()
        func push(_ number: Int, _ story: inout LintStory) -> Bool {
            story.push(
                clock: Double(number), topic: "com.a.location-query", body: "{\"n\":\(number)}", type: "location"
            ).contains(.budgetExceeded)
        }
        #expect((0..<360).allSatisfy { !push($0, &story) })
        #expect(push(360, &story))
        #expect(!push(361 + 86_400, &story))
    }

    @Test func `entries go with their pushes`() {
        var story = LintStory()
        for number in 0..<2_000 { _ = update(&story, at: Double(number), to: "ab\(number % 10)\(number % 10)") }
        story.memory.forget(before: story.seq - 10)
        #expect(story.memory.weight < 100)
    }
}

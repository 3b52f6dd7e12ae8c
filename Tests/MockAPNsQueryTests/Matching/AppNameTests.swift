import MockAPNsFormats
import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsQuery
@testable import MockAPNsWorld

@Suite struct AppNameTests {
    private static func matches(_ text: String, in world: World) throws -> Int {
        let search = try SearchText(text, now: Timestamp(seconds: 0))
        let matcher = PushMatcher(requirements: [], search: [search], json: .object([:]))
        var query = PushQuery()
        query.condition = matcher.query(in: PushContext(world), StepBudget(.max))
        return world.journal.pushes(query).matched
    }

    @Test func `a word finds the pushes of the app with this name`() throws {
        let world = try World(ruleset: Ruleset())
        let drafts = ["com.example.other", "com.example.app.voip"].map { PushDraft().setting("apns-topic", to: $0) }
        world.publish([PushDraft()] + drafts)
        #expect(try Self.matches("shop", in: world) == 0)
        _ = try world.apps.put(AppDescription(name: "The Shop"), as: "com.example.app")
        #expect(try Self.matches("shop", in: world) == 2)
        #expect(try Self.matches(#""the shop""#, in: world) == 2)
        _ = try world.apps.put(AppDescription(name: "Store"), as: "com.example.app")
        #expect(try Self.matches("shop", in: world) == 0)
        #expect(try Self.matches("STORE", in: world) == 2)
        _ = world.reset([.apps])
        #expect(try Self.matches("store", in: world) == 0)
    }
}

import Testing

@testable import MockAPNsWorld

@Suite struct NotificationCategoriesTests {
    private typealias Limit = NotificationCategory

    private func name(_ category: String, of app: String = "a") -> AppKey<String> { AppKey(app: app, key: category) }

    private func actions(_ count: Int) -> [NotificationAction] {
        (0..<count).map { NotificationAction(title: "\($0)") }
    }

    @Test func `a category is put, replaced and removed whole`() throws {
        let categories = try World(ruleset: Ruleset()).categories
        #expect(categories[name("ORDER")] == nil)
        #expect(try categories.put(actions(2), as: name("ORDER")))
        #expect(try categories.put(actions(3), as: name("ORDER", of: "b")))
        #expect(try !categories.put(actions(1), as: name("ORDER")))
        #expect(categories[name("ORDER")] == actions(1))
        #expect(categories.all.map(\.value.count) == [1, 3])
        #expect(categories.remove(name("ORDER")))
        #expect(!categories.remove(name("ORDER")))
        #expect(categories.all.map(\.name) == [name("ORDER", of: "b")])
        // One without buttons is there all the same.
        #expect(try categories.put([], as: name("QUIET")))
        #expect(categories[name("QUIET")] == [])
    }

    @Test func `keeps at most 500 categories`() throws {
        let categories = try World(ruleset: Ruleset()).categories
        for number in 0..<Limit.most { #expect(try categories.put([], as: name("\(number)"))) }
        let full = TableRefusal(.tooMany, "There are already 500 categories, the maximum; delete one first.")
        #expect(throws: full) { try categories.put([], as: name("more")) }
        // One that is there already is no other category.
        #expect(try !categories.put(actions(1), as: name("0")))
        #expect(categories.remove(name("1")))
        #expect(try categories.put([], as: name("more")))
    }

    @Test func `refuses more than 10 actions or 256 characters, and changes nothing`() throws {
        let categories = try World(ruleset: Ruleset()).categories
        #expect(try categories.put(actions(Limit.mostActions), as: name("ORDER")))
        let large = TableRefusal(.tooLarge, "The category has 11 actions; the maximum is 10.")
        #expect(throws: large) { try categories.put(actions(11), as: name("ORDER")) }
        // Characters are counted, not bytes.
        let longest = String(repeating: "👍", count: Limit.longestText)
        #expect(try categories.put([NotificationAction(identifier: longest, title: longest)], as: name(longest)))
        for length in [0, Limit.longestText + 1] {
            let text = String(repeating: "x", count: length)
            let refused: [(String, NotificationAction)] = [
                (text, NotificationAction(title: "x")), ("ORDER", NotificationAction(title: text)),
                ("ORDER", NotificationAction(identifier: text, title: "x")),
            ]
            let refusal = TableRefusal(
                .badValue, "A text has \(length) characters; expected a text of 1 to 256 characters.")
            for (category, action) in refused {
                #expect(throws: refusal) { try categories.put([action], as: name(category)) }
            }
        }
        #expect(categories[name("ORDER")]?.count == Limit.mostActions)
        #expect(categories.all.count == 2)
    }

    @Test func `a reset removes categories, alone or with everything`() throws {
        let world = try JudgingWorld().world
        #expect(try world.categories.put([], as: name("ORDER")))
        let others = Set(ResetReport.Part.allCases).subtracting([.categories])
        #expect(world.reset(others).cleared[.categories] == 0)
        #expect(world.categories.all.count == 1)
        #expect(world.reset([.categories]).cleared[.categories] == 1)
        #expect(world.categories.all.isEmpty)
        #expect(try world.categories.put([], as: name("ORDER")))
        #expect(world.reset().cleared[.categories] == 1)
        #expect(world.reset().cleared[.categories] == 0)
    }
}

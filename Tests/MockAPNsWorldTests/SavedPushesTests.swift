import Testing

@testable import MockAPNsWorld

@Suite struct SavedPushesTests {
    @Test func `a push is saved, replaced and removed`() throws {
        let saved = try World(ruleset: Ruleset()).savedPushes
        #expect(try saved.put("{}", as: "a") && !saved.put(#"{"title":"Hi"}"#, as: "a"))
        #expect(saved["a"] == #"{"title":"Hi"}"# && saved["b"] == nil)
        #expect(saved.remove("a") && !saved.remove("a"))
        #expect(saved.all.isEmpty)
    }

    @Test func `keeps at most 100 pushes of 64 KiB each`() throws {
        let saved = try World(ruleset: Ruleset()).savedPushes
        for number in 0..<SavedPushes.most { #expect(try saved.put("{}", as: "\(number)")) }
        #expect(throws: SavedPushes.Refusal.tooMany) { try saved.put("{}", as: "another") }
        #expect(try !saved.put("[]", as: "0"))
        let size = SavedPushes.largest + 1
        #expect(throws: SavedPushes.Refusal.tooLarge(size)) {
            try saved.put(String(repeating: "a", count: size), as: "1")
        }
        #expect(saved.all.count == SavedPushes.most && saved["1"] == "{}")
    }

    @Test func `replaces all pushes, or none if one is refused`() throws {
        let saved = try World(ruleset: Ruleset()).savedPushes
        #expect(try saved.put("{}", as: "a"))
        try saved.replaceAll(with: ["b": "{}", "c": "[]"])
        #expect(saved.all == ["b": "{}", "c": "[]"])
        let many = Dictionary(uniqueKeysWithValues: (0...SavedPushes.most).map { (String($0), "{}") })
        #expect(throws: SavedPushes.Refusal.tooMany) { try saved.replaceAll(with: many) }
        let large = String(repeating: "a", count: SavedPushes.largest + 1)
        #expect(throws: SavedPushes.Refusal.tooLarge(large.utf8.count)) {
            try saved.replaceAll(with: ["a": "{}", "d": large])
        }
        #expect(saved.all.count == 2)
        try saved.replaceAll(with: [:])
        #expect(saved.all.isEmpty)
    }

    @Test func `only a reset of saved pushes removes them`() throws {
        let world = try World(ruleset: Ruleset())
        #expect(try world.savedPushes.put("{}", as: "a"))
        let others = Set(ResetReport.Part.allCases).subtracting([.savedPushes])
        #expect(world.reset(others).cleared[.savedPushes] == 0)
        #expect(world.savedPushes.all.count == 1)
        #expect(world.reset([.savedPushes]).cleared[.savedPushes] == 1)
        #expect(world.savedPushes.all.isEmpty)
    }
}

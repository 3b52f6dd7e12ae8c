import Testing

@testable import MockAPNsWorld

@Suite struct SavedPushesTests {
    private static let tooMany = TableRefusal(
        .tooMany, "There are already 100 saved pushes, the maximum; delete one first.")
    private static let tooLarge = TableRefusal(.tooLarge, "The push has 65537 bytes; a saved push may have 65536.")

    @Test func `a push is saved, replaced and removed`() throws {
        let saved = try World(ruleset: Ruleset()).savedPushes
        #expect(try saved.put("{}", as: "a") && !saved.put(#"{"title":"Hi"}"#, as: "a"))
        #expect(saved["a"] == #"{"title":"Hi"}"# && saved["b"] == nil)
        #expect(saved.remove("a") && !saved.remove("a"))
        #expect(saved.all.isEmpty)
    }

    @Test func `keeps at most 100 pushes of 64 KiB each`() throws {
        let saved = try World(ruleset: Ruleset()).savedPushes
        for number in 0..<SavedPush.most { #expect(try saved.put("{}", as: "\(number)")) }
        #expect(throws: Self.tooMany) { try saved.put("{}", as: "another") }
        #expect(try !saved.put("[]", as: "0"))
        let size = SavedPush.largest + 1
        #expect(throws: Self.tooLarge) { try saved.put(String(repeating: "a", count: size), as: "1") }
        #expect(saved.all.count == SavedPush.most && saved["1"] == "{}")
    }

    @Test func `replaces all pushes, or none if one is refused`() throws {
        let saved = try World(ruleset: Ruleset()).savedPushes
        #expect(try saved.put("{}", as: "a"))
        try saved.replaceAll(with: ["b": "{}", "c": "[]"])
        #expect(saved.all.map(\.name) == ["b", "c"] && saved.all.map(\.value) == ["{}", "[]"])
        let many = Dictionary(uniqueKeysWithValues: (0...SavedPush.most).map { (String($0), "{}") })
        #expect(throws: Self.tooMany) { try saved.replaceAll(with: many) }
        let large = String(repeating: "a", count: SavedPush.largest + 1)
        #expect(throws: Self.tooLarge) { try saved.replaceAll(with: ["a": "{}", "d": large]) }
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

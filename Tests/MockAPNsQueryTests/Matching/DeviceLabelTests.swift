import MockAPNsFormats
import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsQuery
@testable import MockAPNsWorld

/// What conditions on a device's label ask the world.
@Suite struct DeviceLabelTests {
    private static let matcher = PushMatcher(
        requirements: [.field(.device, equals: "alice")], search: [], json: .object([:]))

    private static func makeWorld() throws -> World {
        var startUp = World.StartUp()
        let app = DeviceDraft.Registration(token: DeviceToken(hex: PushDraft.token), topic: "com.example.app")
        startUp.devices = [DeviceDraft(label: "alice", registrations: [app])]
        let world = try World(ruleset: Ruleset(), startUp: startUp)
        world.publish([PushDraft()])
        return world
    }

    private static func rename(_ world: World, to label: String) throws {
        var change = DeviceChange()
        change.label = label
        _ = try world.devices.change(.token(try #require(DeviceToken(hex: PushDraft.token))), change)
    }

    /// A search that asked the world for each candidate would see the new label.
    @Test func `a search uses the labels that there are when it begins`() throws {
        let world = try Self.makeWorld()
        var query = PushQuery()
        query.condition = Self.matcher.query(in: PushContext(world), StepBudget(.max))
        var scan = world.journal.scan(query)
        try Self.rename(world, to: "bob")
        var found = 0
        while scan.next({ _, _, _ in found += 1 }) {}
        #expect(found == 1)
        #expect(world.journal.pushes(query).matched == 0)
    }

    @Test func `a fault uses the labels of the rules that judge the push`() throws {
        let world = try Self.makeWorld()
        let condition = try #require(Self.matcher.faultMatch(text: "{}")?.condition)
        var outline = PushOutline()
        outline.registrations = world.ruleset.registrations
        try Self.rename(world, to: "bob")
        func holds() -> Bool {
            RequestView.withRequest(headers: [(":path", PushDraft().path)], body: []) { condition($0, outline) }
        }
        #expect(holds())
        outline.registrations = world.ruleset.registrations
        #expect(!holds())
    }

    @Test func `a fault's condition does not keep the world`() throws {
        var world: World? = try Self.makeWorld()
        weak let kept = world
        let match = try #require(Self.matcher.faultMatch(text: "{}"))
        _ = try world?.faults.add(FaultDraft(match: match, action: .lose))
        world = nil
        #expect(kept == nil)
    }

    @Test func `labels follow the devices`() throws {
        let world = try Self.makeWorld()
        let token = try #require(DeviceToken(hex: PushDraft.token))
        func label(_ token: DeviceToken) -> String? { world.ruleset.registrations.label(of: token) }
        try Self.rename(world, to: "bob")
        let other = try world.devices.rotate(token).token
        #expect(label(token) == "bob" && label(other) == "bob")
        try world.devices.forget(.label("bob"))
        #expect(label(token) == nil && label(other) == nil)
        _ = world.reset([.devices])
        #expect(label(token) == "alice" && label(other) == nil)
    }
}

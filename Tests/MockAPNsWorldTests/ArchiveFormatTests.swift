import Foundation
import MockAPNsFormats
import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsWorld

/// The bytes of worlds and changes are a promise: a server reads what another of the same version has kept.
///
/// Where they differ from those in `Golden`, raise `ArchiveWriter.version`.
@Suite struct ArchiveFormatTests {
    /// Compares bytes by their names with the lines of a file, and returns those of the file.
    private static func expect(
        _ bytes: [(name: String, bytes: [UInt8])], are file: String
    ) throws -> [(name: String, bytes: [UInt8])] {
        let golden = GoldenFile("\(file).txt")
        try golden.expect(
            bytes.map { "\($0.name) \(HexDigit.text(of: $0.bytes))\n" }.joined(),
            advice: "raise ArchiveWriter.version; for a new kind")
        return try golden.text().split(separator: "\n").map { line in
            let parts = line.split(separator: " ")
            let digits = try #require(parts.last).utf8.compactMap { HexDigit.value($0) }
            let pairs = stride(from: 0, to: digits.count - 1, by: 2)
            return (String(parts[0]), pairs.map { digits[$0] << 4 | digits[$0 + 1] })
        }
    }

    @Test func `every kind of change has the bytes that it had`() throws {
        let changes = try SampleChange.all()
        #expect(changes.map { type(of: $0).kind } == ChangeKinds.all.map { $0.kind })
        let samples = changes.map { (type(of: $0).kind, $0.archive) }
        for (name, bytes) in try Self.expect(samples, are: "changes") {
            let type = try #require(ChangeKinds.type(named: name))
            #expect(try type.init(bytes, .ofTests).archive == bytes, "\(name) is not read as it was written")
        }
    }

    @Test func `a world has the bytes that it had`() throws {
        let bytes = try Self.world().archive().data
        for (_, golden) in try Self.expect([("world", bytes)], are: "world") {
            #expect(try World(archive: golden, .ofTests).archive().data == golden, "it is not read as it was written")
        }
    }

    /// A world with something of everything, at a fixed time.
    static func world() throws -> World {
        let broadcasting = try Broadcasting()
        let world = broadcasting.world
        try broadcasting.add("subscribed", isOnline: false)
        broadcasting.send(
            expiration: "\(Draft.now.microseconds / 1_000_000 + 3_600)",
            answeredAt: WorldClock.Reading(system: Draft.now, world: Draft.now))
        _ = try world.devices.add(.phone("offline", token: .numbered(1), topic: "a", isOnline: false))
        _ = try world.devices.add(.phone(token: .numbered(2), topic: "a"))
        _ = try world.devices.change(.numbered(2), .state(.uninstalled))
        world.journal.record(
            .push(token: DeviceToken.numbered(1).hex, topic: "a"), .push(token: DeviceToken.numbered(3).hex, topic: "a")
        )
        _ = try world.faults.add(try SampleChange.fault())
        _ = world.mark("mark")
        world.commit(SetNote(push: 1, epoch: 1, text: "note"))
        let language = try #require(LanguageTag("en"))
        _ = try world.strings.put(["KEY": "text"], as: AppKey(app: "a", key: language))
        let category = AppKey(app: "a", key: "ORDER")
        _ = try world.categories.put([SampleChange.action], as: category)
        _ = try world.apps.put(AppDescription(name: "App"), as: "a")
        _ = try world.savedPushes.put("{}", as: "saved")
        _ = try world.schemas.put(try JSONSchema(Array("{}".utf8)), as: AppKey(app: "a", key: .payload))
        #expect(world.journal.setPinned(true, on: 1, epoch: 1))
        _ = world.changeOptions { $0.rules.refusesInvalidJSON.toggle() }
        #expect(world.admit(TokenUse(owner: "KEY", keyID: "KEY", issuedAt: 1), interval: 1) == .new)
        #expect(world.gauges.stored == 1)
        let activity = ActivityDraft(topic: "a", attributesType: "A", staleAt: Draft.now)
        for _ in 0..<2 { _ = try world.devices.startActivity(activity, on: .label("offline")) }
        _ = try world.devices.dismiss(ActivityID(number: 1))
        _ = try world.devices.rotateToken(of: ActivityID(number: 2))
        return world
    }
}

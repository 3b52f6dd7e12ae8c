import MockAPNsFormats
import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsWorld

/// Whatever the bytes are, reading them gives a value or an error.
@Suite struct WorldArchiveTests {
    /// A history with most kinds of changes.
    private static func history(_ seed: UInt64) throws -> (world: World, changes: [RecordedChanges.Kept]) {
        var random = Generator(seed: seed)
        let broadcasting = try Broadcasting(seed: seed)
        let changes = RecordedChanges(of: broadcasting.world)
        for number in 0..<60 { try ReplayTests.step(number, &random, broadcasting) }
        return (broadcasting.world, changes.all)
    }

    private static func damaged(_ bytes: [UInt8], _ random: inout Generator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<random.number(1...4) {
            bytes[random.number(0...bytes.count - 1)] = UInt8(truncatingIfNeeded: random.next())
        }
        if random.chance(oneIn: 4) { bytes.removeLast(random.number(1...bytes.count - 1)) }
        return bytes
    }

    @Test(arguments: UInt64(1)...8) func `damaged changes are read or refused`(seed: UInt64) throws {
        var random = Generator(seed: seed)
        let (_, changes) = try Self.history(seed)
        for change in changes {
            let type = try #require(ChangeKinds.type(named: change.kind))
            var context = ReplayContext.ofTests
            context.pushes = change.pushes
            let whole = try type.init(change.data, context)
            #expect(whole.archive == change.data)
            for _ in 0..<20 { _ = try? type.init(Self.damaged(change.data, &random), context) }
            for type in ChangeKinds.all { _ = try? type.init(Self.damaged(change.data, &random), context) }
        }
    }

    @Test(arguments: UInt64(1)...8) func `a damaged state is read or refused`(seed: UInt64) throws {
        var random = Generator(seed: seed)
        let (world, _) = try Self.history(seed)
        let bytes = world.archive().data
        for _ in 0..<300 {
            guard let read = try? World(archive: Self.damaged(bytes, &random), .ofTests) else { continue }
            _ = read.ruleset
        }
        for end in stride(from: 0, to: bytes.count, by: 7) {
            #expect(throws: ArchiveError.self) { try World(archive: Array(bytes[..<end]), .ofTests) }
        }
    }

    @Test func `what cannot be applied is an error`() throws {
        let world = try Broadcasting().world
        let time = world.clock.read()
        #expect(throws: ReplayError.unknownKind("make-coffee")) {
            try world.replay(kind: "make-coffee", data: [1], at: time, .ofTests)
        }
        #expect(throws: ReplayError.unreadable(.otherVersion(9))) {
            try world.replay(kind: "set-mark", data: [9], at: time, .ofTests)
        }
        #expect(throws: ReplayError.self) {
            let nobody = ForgetDevice(reference: .label("nobody")).archive
            try world.replay(kind: "forget-device", data: nobody, at: time, .ofTests)
        }
    }

    @Test func `100,000 devices come back`() throws {
        let drafts = (0..<100_000).map { number in
            DeviceDraft(
                label: number % 3 == 0 ? "device \(number)" : nil, isOnline: number % 5 != 0,
                registrations: [DeviceDraft.Registration(topic: "com.example.app\(number % 7)")])
        }
        let world = try World(ruleset: Ruleset())
        _ = try world.devices.put(drafts)
        let copy = try World(archive: world.archive().data, .ofTests)
        #expect(copy.canonicalBytes().bytes == world.canonicalBytes().bytes)
        let label = DeviceReference.label("device 99999")
        #expect(try copy.devices.device(label).id == world.devices.device(label).id)
    }
}

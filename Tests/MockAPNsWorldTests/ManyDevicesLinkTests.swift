import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// Being many devices with one link: each is looked up by its own push, and leaves by itself.
struct ManyDevicesLinkTests {
    /// Phones `load-0`, `load-1` and so on with the tokens 1, 2 and so on, and `other` with the token 100.
    private func fleet(_ count: Int = 3, isOnline: Bool = false) throws -> JudgingWorld {
        let phones = (0..<count).map { number in
            DeviceDraft.phone("load-\(number)", token: .numbered(UInt64(number + 1)), isOnline: isOnline)
        }
        return try JudgingWorld(devices: phones + [.phone("other", token: .numbered(100), isOnline: isOnline)])
    }

    private func query(_ change: (inout DeviceQuery) -> Void) -> DeviceQuery {
        var query = DeviceQuery()
        change(&query)
        return query
    }

    private var load: DeviceQuery { query { $0.text = "load-" } }

    /// Everything that arrived until the link ended, as label and push.
    private func arrivals(_ link: DeviceLink) async -> [String] {
        var all: [String] = []
        while true {
            let some = await link.next(2)
            if some.isEmpty { return all }
            all += some.map { "\($0.number) \($0.label ?? "-") \($0.push?.seq ?? 0)" }
        }
    }

    private func online(_ judging: JudgingWorld) -> [String] {
        judging.devices.devices(query { $0.isOnline = true }).devices.compactMap(\.label)
    }

    @Test func `matching devices are online while the link is open`() throws {
        let judging = try fleet()
        let link = try judging.devices.connect(load)
        #expect(link.count == 3)
        #expect(online(judging) == ["load-0", "load-1", "load-2"])
        // A device that matches later is not connected.
        _ = try judging.devices.add(.phone("load-9", token: .numbered(50), isOnline: false))
        #expect(online(judging).count == 3)
        #expect(try judging.devices.device(.label("load-1")).connectedClients == 1)
        link.close()
        #expect(online(judging).isEmpty)
        #expect(try judging.devices.device(.label("load-1")).connectedClients == 0)
    }

    @Test func `each arrival names its device, and stored notifications come first`() async throws {
        let judging = try fleet()
        let stored = judging.pushed(.numbered(2))
        let link = try judging.devices.connect(load)
        let first = judging.pushed(.numbered(3))
        judging.push(.numbered(100))
        let second = judging.pushed(.numbered(1))
        link.close()
        #expect(await arrivals(link) == ["1 load-1 \(stored)", "2 load-2 \(first)", "3 load-0 \(second)"])
    }

    @Test func `a count takes the first devices, and must be met`() throws {
        let judging = try fleet()
        let link = try judging.devices.connect(load, count: 2)
        #expect(link.count == 2 && online(judging) == ["load-0", "load-1"])
        let after = try judging.devices.device(.label("load-0")).id
        let next = try judging.devices.connect(query { ($0.text, $0.after) = ("load-", after) }, count: 2)
        #expect(online(judging) == ["load-0", "load-1", "load-2"])
        #expect(try judging.devices.device(.label("load-1")).connectedClients == 2)
        link.close()
        #expect(online(judging) == ["load-1", "load-2"])
        next.close()
        let errors: [(DeviceQuery, Int?, String)] = [
            (load, 4, "there are only 3 matching devices, expected 4"),
            (query { $0.text = "load-1" }, 2, "there are only 1 matching device, expected 2"),
            (query { $0.text = "nothing" }, nil, "there are no matching devices"),
        ]
        for (query, count, message) in errors {
            let error = #expect(throws: DeviceError.self) { try judging.devices.connect(query, count: count) }
            #expect(error?.code == .unknownDevice && error?.message == message)
        }
        #expect(online(judging).isEmpty)
    }

    @Test func `a deleted device leaves the link, which ends with the last one`() async throws {
        let judging = try fleet(2)
        let link = try judging.devices.connect(load)
        try judging.devices.forget(.label("load-0"))
        // Has the slot of the deleted device.
        _ = try judging.devices.add(.phone("late", token: .numbered(60), isOnline: true))
        judging.push(.numbered(60))
        let seq = judging.pushed(.numbered(2))
        try judging.devices.forget(.label("load-1"))
        #expect(await arrivals(link) == ["1 load-1 \(seq)"])
        link.close()
        #expect(online(judging) == ["late"])
    }

    @Test func `a reset ends the link`() async throws {
        let judging = try fleet()
        let link = try judging.devices.connect(load)
        _ = judging.world.reset([.devices])
        #expect(await arrivals(link).isEmpty)
        link.close()
    }

    /// More devices than are connected at a time, and more arrivals than are kept for one device.
    @Test func `thousands of devices each keep an arrival for a client that does not read`() async throws {
        let judging = try JudgingWorld()
        let count = 4_100
        let tokens = (0..<count).map { DeviceToken.numbered(UInt64($0 + 1)) }
        let drafts = tokens.enumerated().map { DeviceDraft.phone("load-\($0)", token: $1, isOnline: false) }
        _ = try judging.devices.put(drafts)
        for token in tokens { judging.push(token) }
        let link = try judging.devices.connect(load)
        #expect(link.count == count)
        var query = DeviceQuery()
        query.isOnline = true
        #expect(judging.devices.devices(query).matched == count)
        judging.push(tokens[0])
        link.close()
        #expect(judging.devices.devices(query).matched == 0)
        let numbers = await arrivals(link).compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
        #expect(numbers == Array(2...count + 1))
    }
}

import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// Being a device: what reaches it comes as it comes, and it is online meanwhile.
struct DeviceLinkTests {
    private static let token = DeviceToken.numbered(1)

    private func alice(isOnline: Bool = false) throws -> JudgingWorld {
        try JudgingWorld(devices: [
            .phone("alice", token: Self.token, isOnline: isOnline) {
                $0.registrations.append(.init(token: .numbered(2), topic: "b"))
            }
        ])
    }

    private func device(_ judging: JudgingWorld) throws -> Device { try judging.devices.device(.label("alice")) }

    /// Everything that arrived until the link ended.
    private func arrivals(_ link: DeviceLink) async -> [DeviceLink.Arrival] {
        var all: [DeviceLink.Arrival] = []
        while true {
            let some = await link.next(7)
            if some.isEmpty { return all }
            all += some
        }
    }

    @Test func `the device is online while the link is open`() throws {
        let judging = try alice()
        let (device, link) = try judging.devices.connect(.label("alice"))
        #expect(device.isOnline && device.connectedClients == 1)
        #expect(link.count == 1)
        #expect(try self.device(judging).isOnline)
        _ = judging.world.advanceClock(by: JudgingWorld.hour)
        link.close()
        #expect(try !self.device(judging).isOnline && self.device(judging).connectedClients == 0)
        #expect(try self.device(judging).offlineSince == judging.time(JudgingWorld.hour))
        _ = try judging.devices.change(.label("alice"), .online)
        link.close()
        #expect(try self.device(judging).isOnline)
    }

    @Test func `a device with a client can lose its network and find it again`() async throws {
        let judging = try alice()
        let link = try judging.devices.connect(.label("alice")).link
        _ = try judging.devices.change(.label("alice"), .offline)
        #expect(try !device(judging).isOnline && device(judging).connectedClients == 1)
        let seq = judging.pushed(Self.token)
        _ = try judging.devices.change(.label("alice"), .online)
        link.close()
        #expect(await arrivals(link).map(\.push?.seq) == [seq])
        #expect(try !device(judging).isOnline)
    }

    @Test func `releasing a link closes it`() throws {
        let judging = try alice()
        do {
            let link = try judging.devices.connect(.label("alice")).link
            #expect(try device(judging).connectedClients == 1)
            withExtendedLifetime(link) {}
        }
        #expect(try device(judging).connectedClients == 0 && !device(judging).isOnline)
    }

    @Test func `the stored notification comes first`() async throws {
        let judging = try alice()
        let dropped = judging.pushed(Self.token)
        let stored = judging.pushed(Self.token)
        let link = try judging.devices.connect(.label("alice")).link
        let next = judging.pushed(.numbered(2)) { $0.topic = "b" }
        judging.push(.numbered(9))
        link.close()
        let late = judging.pushed(Self.token)
        let arrivals = await arrivals(link)
        #expect(arrivals.map(\.push?.seq) == [stored, next])
        #expect(arrivals.map(\.number) == [1, 2])
        #expect(arrivals.map { $0.push?.delivery?.state } == [.deliveredFromStorage, .delivered])
        #expect(judging.steps(dropped).last == .discardedCollapsed)
        #expect(judging.steps(late) == [.storedDeviceOffline])
    }

    @Test func `a client also gets pushes of apps added later`() async throws {
        let judging = try alice()
        let link = try judging.devices.connect(.label("alice")).link
        let voip = try judging.devices.register(.init(topic: "c"), on: .label("alice"))
        let rotated = try judging.devices.rotate(Self.token)
        let seqs = [judging.pushed(voip.token) { $0.topic = "c" }, judging.pushed(rotated.token)]
        judging.push(Self.token)
        link.close()
        #expect(await arrivals(link).map(\.push?.seq) == seqs)
    }

    @Test func `the last of several clients takes the device offline`() async throws {
        let judging = try alice()
        let links = [
            try judging.devices.connect(.label("alice")).link, try judging.devices.connect(.token(.numbered(2))).link,
        ]
        #expect(try device(judging).connectedClients == 2)
        let both = judging.pushed(Self.token)
        links[0].close()
        #expect(try device(judging).isOnline && device(judging).connectedClients == 1)
        let one = judging.pushed(Self.token)
        links[1].close()
        #expect(try !device(judging).isOnline)
        #expect(await arrivals(links[0]).map(\.push?.seq) == [both])
        #expect(await arrivals(links[1]).map(\.push?.seq) == [both, one])
    }

    @Test func `what does not reach the device does not arrive`() async throws {
        let judging = try alice()
        let link = try judging.devices.connect(.label("alice")).link
        _ = try judging.devices.change(.label("alice"), .with { $0.savesPower = true })
        let kept = judging.pushed(Self.token) { $0.priority = .powerConsidering }
        _ = try judging.devices.change(.numbered(2), .allowed(false))
        judging.push(.numbered(2)) { $0.topic = "b" }
        _ = try judging.devices.change(.numbered(2), .app(.forceQuit))
        let quit = judging.pushed(.numbered(2)) {
            $0.topic = "b"
            $0.type = .background
            $0.priority = nil
        }
        _ = try judging.devices.change(.label("alice"), .with { $0.savesPower = false })
        link.close()
        let seqs = await arrivals(link).map(\.push?.seq)
        #expect(seqs.contains(kept) && !seqs.contains(0))
        #expect(Set(seqs).isSubset(of: [kept, quit]))
    }

    @Test func `the link ends with its device`() async throws {
        let judging = try alice()
        let forgotten = try judging.devices.connect(.label("alice")).link
        let seq = judging.pushed(Self.token)
        try judging.devices.forget(.label("alice"))
        #expect(await arrivals(forgotten).map(\.push?.seq) == [seq])

        _ = try judging.devices.add(.phone("alice", token: Self.token))
        let reset = try judging.devices.connect(.label("alice")).link
        _ = judging.world.reset([.devices])
        #expect(await arrivals(reset).isEmpty)
        // Closing what has ended changes no other device.
        forgotten.close()
        reset.close()
        #expect(try device(judging).connectedClients == 0)
        let link = try judging.devices.connect(.label("alice")).link
        withExtendedLifetime((forgotten, reset)) {}
        #expect(try device(judging).isOnline)
        link.close()
    }

    /// A client that takes nothing gets the latest, and the numbers tell how many it missed.
    @Test func `keeps the latest 1,000 arrivals for a client that does not read`() async throws {
        let judging = try alice()
        let link = try judging.devices.connect(.label("alice")).link
        for _ in 0..<12 { judging.push(Array(repeating: .init(Self.token), count: 100)) }
        link.close()
        let numbers = await arrivals(link).map(\.number)
        #expect(numbers == Array(201...1_200))
    }

    @Test func `a device that was given up is valid again`() async throws {
        let judging = try alice()
        _ = judging.world.advanceClock(by: 31 * JudgingWorld.day)
        #expect(judging.push(Self.token) == "410 Unregistered")
        let (device, link) = try judging.devices.connect(.label("alice"))
        #expect(device.registrations.map(\.state) == [.registered, .registered])
        #expect(judging.push(Self.token) == "200 delivered")
        link.close()
        #expect(await arrivals(link).count == 1)
    }
}

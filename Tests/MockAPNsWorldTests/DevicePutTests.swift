import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// Describing many devices at once, again and again; and finding some of many.
@Suite struct DevicePutTests {
    private let drafts: [DeviceDraft] = [
        .phone("alice") { $0.registrations.append(.init(topic: "com.example.app.voip")) },
        .phone("bob", token: .numbered(2), isOnline: false), .phone(token: .numbered(3), topic: "b"),
    ]

    @Test func `putting the same again changes nothing`() throws {
        let judging = try JudgingWorld()
        let first = try judging.devices.put(drafts)
        #expect((first.created, first.updated) == (3, 0))
        #expect(first.devices.map(\.label) == ["alice", "bob", nil])
        let everything = judging.everything
        for _ in 0..<3 {
            let again = try judging.devices.put(drafts)
            #expect((again.created, again.updated) == (0, 3))
            #expect(again.devices.map(\.id) == first.devices.map(\.id))
            #expect(judging.everything == everything)
        }
    }

    @Test func `a member that is not given stays as it is`() throws {
        let judging = try JudgingWorld()
        _ = try judging.devices.put(drafts)
        let put = try judging.devices.put([DeviceDraft(label: "bob"), .phone("alice", topic: "c")])
        #expect((put.created, put.updated) == (0, 2))
        let (bob, alice) = (put.devices[0], put.devices[1])
        #expect(!bob.isOnline && bob.registrations.map(\.token) == [.numbered(2)])
        #expect(alice.registrations.map(\.topic) == ["com.example.app", "com.example.app.voip", "c"])
        #expect(judging.devices.devices(DeviceQuery()).total == 3)
    }

    @Test func `a member that is given changes`() throws {
        let judging = try JudgingWorld()
        _ = try judging.devices.put(drafts)
        let described = DeviceDraft(
            label: "alice", isOnline: false, savesPower: true,
            registrations: [.init(topic: "com.example.app", appState: .terminated, allowsNotifications: false)])
        let alice = try judging.devices.put([described]).devices[0]
        #expect(!alice.isOnline && alice.savesPower)
        #expect(alice.registrations[0].appState == .terminated && !alice.registrations[0].allowsNotifications)
        #expect(alice.registrations[1].appState == .background && alice.registrations[1].allowsNotifications)

        // A device without a label is known by its token, and may get one.
        let put = try judging.devices.put([.phone("carol", token: .numbered(3), topic: "b")])
        #expect((put.created, put.updated) == (0, 1))
        #expect(try judging.devices.device(.label("carol")).registrations.map(\.token) == [.numbered(3)])
    }

    @Test func `a device that is put online gets what waits`() throws {
        let judging = try JudgingWorld(devices: [.phone("alice", token: .numbered(1), isOnline: false)])
        let seq = judging.pushed(.numbered(1))
        let held = try judging.devices.put([.phone("alice") { $0.savesPower = true }])
        #expect(held.deliveries.delivered.isEmpty)
        let put = try judging.devices.put([.phone("alice", isOnline: true)])
        #expect(put.deliveries.delivered == [seq])
        #expect(put.devices[0].registrations[0].counters.delivered == 1)
        #expect(judging.steps(seq) == [.storedDeviceOffline, .deliveredFromStorage])
    }

    @Test func `an app that is described again is there again`() throws {
        let judging = try JudgingWorld(devices: [.phone("alice", token: .numbered(1))])
        _ = try judging.devices.change(.numbered(1), .state(.uninstalled))
        #expect(judging.push(.numbered(1)) == "410 Unregistered")
        let put = try judging.devices.put([.phone("alice", token: .numbered(1))])
        #expect(put.devices[0].registrations.map(\.state) == [.registered])
        #expect(judging.push(.numbered(1)) == "200 delivered")
        #expect(judging.devices.feedback().isEmpty)
    }

    @Test func `a device that a push made keeps its origin when it is put`() throws {
        let judging = try JudgingWorld()
        judging.push(.numbered(7))
        #expect(try judging.devices.device(.token(.numbered(7))).origin == .push)
        let put = try judging.devices.put([.phone("alice", token: .numbered(7))])
        #expect((put.created, put.updated) == (0, 1))
        #expect(put.devices[0].origin == .push && put.devices[0].label == "alice")
    }

    // MARK: Finding some of many

    private func many() throws -> JudgingWorld {
        let judging = try JudgingWorld()
        _ = try judging.devices.put(
            (0..<10).map { number in
                .phone(
                    "Phone \(number)", token: DeviceToken(hex: "ab0\(number)"),
                    topic: number < 4 ? "com.example.app" : "com.example.other", isOnline: number % 2 == 0)
            })
        return judging
    }

    static let queries: [(String, @Sendable (inout DeviceQuery) -> Void, [Int])] = [
        ("everything", { _ in }, Array(0..<10)), ("online", { $0.isOnline = true }, [0, 2, 4, 6, 8]),
        ("offline", { $0.isOnline = false }, [1, 3, 5, 7, 9]),
        ("a topic", { $0.topics = ["com.example.app"] }, [0, 1, 2, 3]),
        ("either topic", { $0.topics = ["com.example.app", "com.example.other"] }, Array(0..<10)),
        ("a part of a topic", { $0.topics = ["com.example"] }, []),
        ("a topic that nobody has, and one", { $0.topics = ["x", "com.example.app"] }, [0, 1, 2, 3]),
        ("text of a label", { $0.text = "pHONE 3" }, [3]), ("text of a token", { $0.text = "B07" }, [7]),
        ("text that is nowhere", { $0.text = "zzz" }, []),
        (
            "all conditions",
            {
                $0.isOnline = true
                $0.topics = ["com.example.other"]
                $0.text = "phone"
            }, [4, 6, 8]
        ),
    ]

    @Test(arguments: queries.indices) func `a query finds the devices that meet all conditions`(row: Int) throws {
        let judging = try many()
        var query = DeviceQuery()
        Self.queries[row].1(&query)
        let expected = Self.queries[row].2.map { "Phone \($0)" }
        let page = judging.devices.devices(query)
        #expect(page.devices.map(\.label) == expected, "\(Self.queries[row].0)")
        #expect(page.matched == expected.count && page.total == 10 && page.nextAfter == nil)

        // The same, three at a time.
        query.limit = 3
        var seen: [String?] = []
        repeat {
            let page = judging.devices.devices(query)
            #expect(page.matched == expected.count && page.devices.count <= 3)
            seen += page.devices.map(\.label)
            query.after = page.nextAfter
        } while query.after != nil
        #expect(seen == expected)
    }

    /// The place of a device that is gone is used again; the order of the others stays.
    @Test func `putting devices again keeps their order`() throws {
        let judging = try many()
        try judging.devices.forget(.label("Phone 3"))
        _ = try judging.devices.add(.phone("Phone 10"))
        let labels = judging.devices.devices(DeviceQuery()).devices.map(\.label)
        #expect(labels == [0, 1, 2, 10, 4, 5, 6, 7, 8, 9].map { "Phone \($0)" })
    }
}

import MockAPNsTesting
import Orders
import Synchronization
import Testing

/// Each test has a server in this process.
@Suite(.mockAPNs) struct OrdersTests {
    private let apns = APNsMock.current

    @Test func anAcceptedPushHasItsContents() async throws {
        let phone = try await apns.addPhone(topic: "com.example.app")
        try await withProvider(for: phone) { try await $0.orderShipped("17") }
        let push = try await apns.expect(exactly: 1, .to(phone), .title("Order shipped"))[0]
        #expect(push.payload["orderID"] == "17")
        #expect((push.type, push.priority) == ("alert", 10))
        #expect(try await phone.inbox().map(\.title) == ["Order shipped"])
    }

    @Test func aRefusedPushIsAnError() async throws {
        let phone = try await apns.addPhone(topic: "com.example.app")
        try await withProvider(for: phone, topic: "com.example.other") { provider in
            let refusal = await #expect(throws: Provider.Refusal.self) {
                try await provider.orderShipped("17")
            }
            #expect(refusal?.status == 400 && refusal?.reason == "DeviceTokenNotForTopic")
        }
        try await apns.expect(.reason("DeviceTokenNotForTopic"))
    }

    @Test func aTokenThatIsGoneIsDropped() async throws {
        let phone = try await apns.addPhone(topic: "com.example.app")
        try await phone.uninstallApp()
        try await withProvider(for: phone) { provider in
            try await provider.orderShipped("17")
            #expect(await provider.tokens.isEmpty)
            try await provider.orderShipped("18")
        }
        try await apns.expect(exactly: 1, .reason("Unregistered"))
        #expect(try await apns.feedback().map(\.pushesAfterFirst410) == [0])
    }

    @Test(arguments: ["TooManyRequests", "ServiceUnavailable"])
    func whatPassesIsRetried(_ reason: String) async throws {
        let phone = try await apns.addPhone(topic: "com.example.app")
        try await apns.addFault(.respond(reason), times: 2)
        let pauses = Mutex<[Duration]>([])
        try await withProvider(for: phone, pause: { pause in pauses.withLock { $0.append(pause) } }) {
            try await $0.orderShipped("17")
        }
        try await apns.expectSequence([.reason(reason)], [.reason(reason)], [.accepted], strict: true)
        #expect(pauses.withLock { $0 } == [.milliseconds(200), .milliseconds(400)])
    }

    @Test func theProviderTokenIsRenewed() async throws {
        let phone = try await apns.addPhone(topic: "com.example.app")
        try await withProvider(for: phone) { provider in
            try await provider.orderShipped("17")
            try await apns.clock.advance(by: .seconds(3_601))
            try await provider.orderShipped("18")
            // APNs refuses tokens that are renewed more often than every 20 minutes.
            try await apns.clock.advance(by: .seconds(1_800))
            try await apns.addFault(.respond("ExpiredProviderToken"), times: 1)
            try await provider.orderShipped("19")
        }
        // Not one push had an old token: the only refusal is the fault's.
        try await apns.expect(exactly: 1, .rejected)
        try await apns.expect(exactly: 3, .to(phone))
    }

    @Test func aPhoneThatWasOfflineGetsTheLast() async throws {
        let phone = try await apns.addPhone(topic: "com.example.app", .offline)
        try await withProvider(for: phone) { provider in
            for id in ["17", "18", "19"] { try await provider.orderShipped(id) }
        }
        #expect(try await phone.inbox().isEmpty)
        try await phone.goOnline()
        let shown = try #require(try await phone.inbox().first)
        #expect(try await phone.inbox().count == 1)
        let last = try await apns.pushes(.payload("/orderID", "19"))
        #expect(last.map(\.id) == [shown.id])
    }

    @Test(arguments: [APNsMock.Fault.goAway, .resetStream, .resetConnection])
    func aLostConnectionIsSurvived(_ fault: APNsMock.Fault) async throws {
        let phone = try await apns.addPhone(topic: "com.example.app")
        try await apns.addFault(fault, times: 1)
        try await withProvider(for: phone) { provider in
            for id in ["17", "18"] { try await provider.orderShipped(id) }
        }
        for id in ["17", "18"] { try await apns.expect(.accepted, .payload("/orderID", .init(id))) }
    }
}

/// Parallel tests on one server, each with a namespace.
@Suite(.mockAPNs(shared: true)) struct ParallelOrdersTests {
    @Test(arguments: 1...8)
    func ordersDoNotMix(_ number: Int) async throws {
        let apns = APNsMock.current
        let phone = try await apns.addPhone(topic: "com.example.app", name: "alice")
        try await withProvider(for: phone) { try await $0.orderShipped("\(number)") }
        let push = try await apns.expect(exactly: 1, .device("alice"))[0]
        #expect(push.payload["orderID"]?.string == "\(number)")
    }
}

/// Calls `use` with a provider that knows a phone of the current mock APNs.
private func withProvider(
    for phone: APNsMock.Phone,
    topic: String = "com.example.app",
    pause: @escaping @Sendable (Duration) async throws -> Void = { _ in },
    _ use: (Provider) async throws -> Void
) async throws {
    let apns = APNsMock.current
    var configuration = Provider.Configuration(
        url: apns.url,
        topic: topic,
        sign: { try apns.key.token(issuedAt: $0) },
        trustRootsPEM: apns.trustRootsPEM,
        now: { Int(try await apns.clock.now().components.seconds) }
    )
    configuration.pause = pause
    let provider = try Provider(configuration)
    await provider.add(token: phone.token)
    do {
        try await use(provider)
    } catch {
        try await provider.shutdown()
        throw error
    }
    try await provider.shutdown()
}

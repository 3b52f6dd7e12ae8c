import MockAPNsTesting
import Testing

@Suite(.mockAPNs) struct OfflineOrders {
    @Test func whatIsOfflineGetsTheLast() async throws {
        let apns = APNsMock.current
        let phone = try await apns.addPhone(topic: "com.example.app", .offline)
        let provider = Provider(apns)
        for title in ["one", "two", "three"] { try await provider.send(title: title, to: phone.token) }
        #expect(try await phone.inbox().isEmpty)

        try await phone.goOnline()

        #expect(try await phone.inbox().map(\.title) == ["three"])
    }

    @Test func whatExpiresIsNotShown() async throws {
        let apns = APNsMock.current
        let phone = try await apns.addPhone(topic: "com.example.app", .offline)
        try await Provider(apns).send(title: "Order shipped", to: phone.token, lifetime: 3_600)

        try await apns.clock.advance(by: .seconds(3_601))
        try await phone.goOnline()

        #expect(try await phone.inbox().isEmpty)
        try await apns.expect(.to(phone), .query("is:discarded"))
    }
}

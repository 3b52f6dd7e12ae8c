import MockAPNsTesting
import Testing

@Suite(.mockAPNs) struct Orders {
    @Test func shippedReachesThePhone() async throws {
        let apns = APNsMock.current
        let phone = try await apns.addPhone(topic: "com.example.app")
        let provider = Provider(host: apns.host, port: apns.port, trust: apns.trustRootsPEM, key: apns.key)

        try await provider.orderShipped("17", to: phone.token)

        let push = try await apns.expect(.to(phone), .title("Order shipped"), within: .seconds(2))
        #expect(push.payload["orderID"] == "17")
        #expect(push.warnings.isEmpty)
    }

    @Test func whatIsOfflineGetsTheLast() async throws {
        let apns = APNsMock.current
        let phone = try await apns.addPhone(topic: "com.example.app", .offline)
        let provider = Provider(apns)
        for title in ["one", "two", "three"] { try await provider.send(title: title, to: phone.token) }
        #expect(try await phone.inbox().isEmpty)
        try await phone.goOnline()
        #expect(try await phone.inbox().map(\.title) == ["three"])
    }
}

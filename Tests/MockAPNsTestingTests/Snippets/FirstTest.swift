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

    @Test func nothingIsSentToAnotherPhone() async throws {
        let apns = APNsMock.current
        let phone = try await apns.addPhone(topic: "com.example.app")
        let other = try await apns.addPhone(topic: "com.example.app")

        try await Provider(apns).orderShipped("17", to: phone.token)

        try await apns.waitForIdle()
        try await apns.expect(exactly: 1, .to(phone))
        try await apns.expectNone(.to(other))
    }
}

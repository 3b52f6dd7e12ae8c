import MockAPNsTesting
import Testing

@Test(.mockAPNs) func shippedReachesThePhone() async throws {
    let apns = APNsMock.current
    let phone = try await apns.addPhone(topic: "com.example.app")
    let provider = Provider(host: apns.host, port: apns.port, trust: apns.trustRootsPEM, key: apns.key)
    try await provider.orderShipped("17", to: phone.token)
    let push = try await apns.expect(.to(phone), .title("Order shipped"), within: .seconds(2))
    #expect(push.payload["orderID"] == "17")
}

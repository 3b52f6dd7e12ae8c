import MockAPNsTesting
import Testing

@Suite(.mockAPNs(shared: true)) struct ManyOrders {
    @Test(arguments: ["17", "18", "19"]) func everyOrderIsShipped(_ id: String) async throws {
        let apns = APNsMock.current
        let phone = try await apns.addPhone(topic: "com.example.app")

        try await Provider(apns).orderShipped(id, to: phone.token)

        let push = try await apns.expect(exactly: 1, .title("Order shipped"))[0]
        #expect(push.payload["orderID"]?.string == id)
    }
}

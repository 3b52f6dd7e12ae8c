import MockAPNsTesting
import Testing

@Suite(.mockAPNs) struct Rides {
    @Test func aRideIsFollowed() async throws {
        let apns = APNsMock.current
        let phone = try await apns.addPhone(topic: "com.example.rides.push-type.liveactivity")
        let provider = Provider(apns)
        try await provider.ride("start", minutes: 9, to: phone.token)
        var ride = try await apns.expectActivity(on: phone)
        try await provider.ride("update", minutes: 5, to: ride.token)
        try await apns.expect(.query("activity:\(ride.id)"), .payload("/aps/event", "update"), .notIgnored)
        #expect(try await phone.activities().first?.contentState == ["minutes": 5])
        try await ride.dismiss()
        try await provider.ride("end", minutes: 0, to: ride.token)
        try await apns.expect(.reason("ExpiredToken"))
    }
}

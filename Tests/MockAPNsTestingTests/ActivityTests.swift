import Foundation
import MockAPNsTesting
import Synchronization
import Testing

/// Live Activities, for a server in this process and for one behind HTTP.
struct ActivityTests {
    private static let topic = "com.example.rides.push-type.liveactivity"

    @Test(arguments: Place.allCases) func `an older phone starts nothing`(_ place: Place) async throws {
        try await place.with { apns in
            let old = try await apns.addPhone(topic: Self.topic, os: "17.1")
            let later = try await apns.addPhone(topic: Self.topic, os: "17.4")
            for phone in [old, later] {
                #expect(try await Provider(apns).ride("start", minutes: 9, to: phone.token) == "200")
            }
            #expect(try await old.activities().isEmpty)
            #expect(try await later.activities().map(\.state) == [.active])
            #expect(try await apns.expect(.ignored("os-without-start")).token == old.token)
        }
    }

    @Test(arguments: Place.allCases) func `an activity follows its pushes, and ignores an older one`(
        _ place: Place
    ) async throws {
        try await place.with { apns in
            let phone = try await apns.addPhone(topic: Self.topic)
            let provider = Provider(apns)
            #expect(try await provider.ride("start", minutes: 9, to: phone.token) == "200")
            let started = try await apns.expectActivity(on: phone)
            #expect((started.attributesType, started.attributes) == ("RideAttributes", ["ride": 4711]))
            #expect(started.contentState == ["minutes": 9])
            #expect(try await provider.ride("update", minutes: 5, to: started.token, ahead: 60) == "200")
            #expect(try await provider.ride("update", minutes: 7, to: started.token, ahead: 30) == "200")
            let activity = try #require(try await phone.activities().first)
            #expect((activity.id, activity.state, activity.channel) == (started.id, .active, nil))
            #expect(activity.contentState == ["minutes": 5])
            let token = try #require(activity.token)
            let update = try await apns.expect(.token(token), .notIgnored)
            #expect((update.activity, update.ignored) == (activity.id, nil))
            let older = try await apns.expect(.token(token), .ignored("stale-timestamp"))
            #expect((older.activity, older.ignored) == (activity.id, "stale-timestamp"))
        }
    }

    @Test(arguments: Place.allCases) func `an app starts an activity itself`(_ place: Place) async throws {
        try await place.with { apns in
            let phone = try await apns.addPhone(topic: Self.topic)
            let started = try await phone.startActivity(
                "RideAttributes", attributes: ["ride": 4711], contentState: ["minutes": 9])
            #expect((started.state, started.attributes) == (.active, ["ride": 4711]))
            #expect(started.contentState == ["minutes": 9])
            #expect(try await Provider(apns).ride("update", minutes: 5, to: started.token) == "200")
            #expect(try await apns.expectActivity(on: phone).contentState == ["minutes": 5])
            #expect(try await Provider(apns).ride("end", minutes: 0, to: started.token, ahead: 1) == "200")
            #expect(try await apns.expectActivity(on: phone, .ended).contentState == ["minutes": 0])
        }
    }

    @Test(arguments: Place.allCases) func `the token of an activity is replaced, and dies with it`(
        _ place: Place
    ) async throws {
        try await place.with { apns in
            let phone = try await apns.addPhone(topic: Self.topic)
            let provider = Provider(apns)
            var activity = try await phone.startActivity("RideAttributes")
            let old = activity.token
            #expect(try await activity.rotateToken() == activity.token)
            #expect(activity.token != old)
            #expect(try await provider.ride("update", minutes: 5, to: old) == "410")
            #expect(try await provider.ride("update", minutes: 5, to: activity.token) == "200")
            try await activity.dismiss()
            #expect(activity.state == .dismissed)
            #expect(try await phone.activities().map(\.state) == [.dismissed])
            #expect(try await provider.ride("update", minutes: 4, to: activity.token) == "410")
            try await apns.expect(exactly: 2, .reason("ExpiredToken"))
        }
    }

    @Test(.mockAPNs) func `a state is waited for, and missed with a report`() async throws {
        let apns = APNsMock.current
        let phone = try await apns.addPhone(topic: Self.topic)
        let stale = Int(Date.now.timeIntervalSince1970) + 600
        async let expected = apns.expectActivity(on: phone, within: .seconds(60))
        let start = try await Provider(apns).ride(
            "start", minutes: 9, to: phone.token, members: #","stale-date":\#(stale)"#)
        #expect(start == "200")
        let activity = try await expected
        try await Provider(apns).ride("update", minutes: 5, to: phone.token)
        let reports = Mutex<[String]>([])
        try await withKnownIssue {
            try await apns.expectActivity(on: phone, .stale, within: .zero)
        } matching: { issue in
            reports.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
            return true
        }
        let seen = reports.withLock { $0 }
        let report = try #require(seen.first)
        #expect(report.hasPrefix("Expected a Live Activity that is stale, but the phone has \(activity)"))
        #expect(report.contains("was ignored: The token is a push-to-start token"))
        try await apns.clock.advance(by: .seconds(601))
        #expect(try await apns.expectActivity(on: phone, .stale, within: .zero).id == activity.id)
    }
}

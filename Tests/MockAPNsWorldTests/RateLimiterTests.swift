import MockAPNsRules
import Testing

@testable import MockAPNsWorld

@Suite struct RateLimiterTests {
    static let second: Int64 = 1_000_000

    static func token(_ number: Int) -> DeviceToken {
        DeviceToken(hex: String(repeating: "0", count: 56) + String(number + 0x1000_0000, radix: 16))!
    }

    private func time(_ microseconds: Int64) -> Timestamp {
        Timestamp(microseconds: Draft.now.microseconds + microseconds)
    }

    /// How many of `tries` pushes at one moment are admitted.
    private func burst(
        _ limiter: inout RateLimiter<DeviceToken>, _ rate: RuleOptions.Rate, at moment: Int64 = 0, tries: Int = 5_000
    ) -> Int { (0..<tries).count { _ in limiter.admits(Self.token(0), rate: rate, at: time(moment)) } }

    @Test(
        arguments: [
            (1, second), (2, second), (3, second), (7, second), (10, 60 * second), (100, second), (999, second),
            (1_500, second), (3, 10), (4, 10), (6, 10), (10, 10), (1, 1),
        ] as [(Int, Int64)]) func `a burst is exactly as large as allowed`(count: Int, interval: Int64)
    {
        var limiter = RateLimiter<DeviceToken>()
        let rate = RuleOptions.Rate(count: count, interval: interval)
        #expect(burst(&limiter, rate) == count)
        // An interval later the burst is allowed again, and not more.
        #expect(burst(&limiter, rate, at: interval) == count)
        #expect(burst(&limiter, rate, at: 100 * interval) == count)
    }

    /// Pushes at these moments, in tenths of the interval of a rate of 5, and whether each is admitted.
    @Test(
        arguments: [
            ([0, 0, 0, 0, 0, 0], [true, true, true, true, true, false]),
            ([0, 0, 0, 0, 0, 1, 2, 2], [true, true, true, true, true, false, true, false]),
            ([0, 0, 0, 0, 0, 4, 4, 4], [true, true, true, true, true, true, true, false]),
            ([0, 2, 4, 6, 8, 10, 12], [true, true, true, true, true, true, true]),
            ([0, 0, 0, 0, 0, 10, 10, 10, 10, 10, 10], Array(repeating: true, count: 10) + [false]),
            ([0, 100, 100, 100, 100, 100, 100], Array(repeating: true, count: 6) + [false]),
        ] as [([Int64], [Bool])]) func `the burst comes back with time`(tenths: [Int64], expected: [Bool])
    {
        var limiter = RateLimiter<DeviceToken>()
        let rate = RuleOptions.Rate(count: 5, interval: Self.second)
        let admitted = tenths.map { tenth in
            limiter.admits(Self.token(0), rate: rate, at: time(tenth * Self.second / 10))
        }
        #expect(admitted == expected)
    }

    @Test func `a refused push does not count`() {
        var limiter = RateLimiter<DeviceToken>()
        let rate = RuleOptions.Rate(count: 1, interval: Self.second)
        #expect(burst(&limiter, rate) == 1)
        for step in 1..<100 as Range<Int64> { #expect(burst(&limiter, rate, at: step * 10_000, tries: 1) == 0) }
        #expect(burst(&limiter, rate, at: Self.second) == 1)
    }

    @Test func `each device has a rate of its own`() {
        var limiter = RateLimiter<DeviceToken>()
        let rate = RuleOptions.Rate(count: 2, interval: Self.second)
        for device in 0..<1_000 {
            let admitted = (0..<3).map { _ in limiter.admits(Self.token(device), rate: rate, at: time(0)) }
            #expect(admitted == [true, true, false])
        }
    }

    /// More devices than are kept, all of them busy: each has its first push, and memory stays bounded.
    @Test func `memory is bounded with more busy devices than are kept`() {
        var limiter = RateLimiter<DeviceToken>()
        let rate = RuleOptions.Rate(count: 1, interval: 3_600 * Self.second)
        let many = RateLimiter<DeviceToken>.capacity + 5_000
        for device in 0..<many {
            guard limiter.admits(Self.token(device), rate: rate, at: time(0)) else {
                Issue.record("the first push to device \(device) was refused")
                return
            }
        }
        #expect(limiter.count <= RateLimiter<DeviceToken>.capacity)
        // The latest one is still known.
        let isLatestForgotten = limiter.admits(Self.token(many - 1), rate: rate, at: time(0))
        #expect(!isLatestForgotten)
    }

    @Test func `idle devices make room for busy ones`() {
        var limiter = RateLimiter<DeviceToken>()
        let rate = RuleOptions.Rate(count: 1, interval: Self.second)
        let half = RateLimiter<DeviceToken>.capacity / 2
        for device in 0..<half { _ = limiter.admits(Self.token(device), rate: rate, at: time(0)) }
        for device in half..<2 * half { _ = limiter.admits(Self.token(device), rate: rate, at: time(Self.second)) }
        // The first half is idle by now, the second is not.
        let now = time(Self.second + 1)
        let isAdmitted = limiter.admits(Self.token(2 * half), rate: rate, at: now)
        #expect(isAdmitted)
        #expect(limiter.count == half + 1)
        let admitted = (half..<2 * half).count { limiter.admits(Self.token($0), rate: rate, at: now) }
        #expect(admitted == 0)
    }
}

import Foundation
import MockAPNsRules
import Testing

@testable import MockAPNsWorld

@Suite struct WorldClockTests {
    let clock = WorldClock()

    /// The system's time as somebody else tells it, in microseconds.
    private var systemTime: Int64 { Int64(Date().timeIntervalSince1970 * 1_000_000) }

    @Test func itFollowsTheSystemsClock() {
        let before = systemTime
        let reading = clock.read()
        // The other clock is rounded to a double, here to less than a microsecond.
        #expect(reading.system.microseconds >= before - 1)
        #expect(reading.system.microseconds <= systemTime + 1)
        #expect(reading.world == reading.system)
    }

    @Test(arguments: [0, 1, -1, 1_754_402_113_000_000, .max, .min + 1] as [Int64])
    func itStandsStillWhereItWasStopped(microseconds: Int64) {
        let moment = Timestamp(microseconds: microseconds)
        clock.stop(at: moment)
        let before = systemTime
        for _ in 0..<3 { #expect(clock.read().world == moment) }
        #expect(clock.read().system.microseconds >= before - 1)
    }

    @Test func itCanBeStoppedElsewhereAndRunAgain() {
        clock.stop(at: Timestamp(seconds: 10))
        clock.stop(at: Timestamp(seconds: 5))
        #expect(clock.read().world == Timestamp(seconds: 5))
        clock.run()
        let reading = clock.read()
        #expect(reading.world == reading.system)
        clock.run()
        #expect(clock.read().world.microseconds >= reading.world.microseconds)
    }

    @Test func worldsHaveClocksOfTheirOwn() {
        let (one, other) = (World(ruleset: Ruleset()), World(ruleset: Ruleset()))
        one.clock.stop(at: Timestamp(seconds: 1))
        let reading = other.clock.read()
        #expect(reading.world == reading.system)
    }
}

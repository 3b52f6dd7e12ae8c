import Foundation
import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsWorld

@Suite struct WorldClockTests {
    let clock = WorldClock()

    /// The system's time as somebody else tells it, in microseconds.
    private var systemTime: Int64 { Int64(Date().timeIntervalSince1970 * 1_000_000) }

    @Test func `a new clock follows the system's`() {
        let before = systemTime
        let reading = clock.read()
        // The other clock is rounded to a double, here to less than a microsecond.
        #expect(reading.system.microseconds >= before - 1)
        #expect(reading.system.microseconds <= systemTime + 1)
        #expect(reading.world == reading.system)
    }

    @Test(arguments: [0, 1, -1, 1_754_402_113_000_000, .max >> 1, .min >> 1] as [Int64])
    func `a stopped clock stands still`(microseconds: Int64) {
        let moment = Timestamp(microseconds: microseconds)
        clock.stop(at: moment)
        let before = systemTime
        for _ in 0..<3 { #expect(clock.read().world == moment) }
        #expect(clock.read().system.microseconds >= before - 1)
    }

    @Test func `can be stopped at another time and run again`() {
        clock.stop(at: Timestamp(seconds: 10))
        clock.stop(at: Timestamp(seconds: 5))
        #expect(clock.read().world == Timestamp(seconds: 5))
        clock.run()
        let reading = clock.read()
        #expect(reading.world == reading.system)
        clock.run()
        #expect(clock.read().world.microseconds >= reading.world.microseconds)
    }

    @Test func `a clock without a start time runs`() {
        #expect(clock.mode == .running(offset: 0))
        #expect(clock.mode != .stopped(at: Timestamp(microseconds: 0)))
    }

    /// Ahead, behind, and as far as the word reaches.
    @Test(arguments: [0, 1, -1, 3_600_000_000, -3_600_000_000, .max >> 1, .min >> 1] as [Int64])
    func `keeps its offset while it runs`(offset: Int64) {
        clock.stop(at: Timestamp(seconds: 5))
        clock.run(offset: offset)
        #expect(clock.mode == .running(offset: offset))
        let (first, second) = (clock.read(), clock.read())
        for reading in [first, second] { #expect(reading.world.microseconds == reading.system.microseconds &+ offset) }
        #expect(second.world >= first.world)
    }

    /// 0 is a moment like any other: the clock that stands at it does not run.
    @Test func `a clock that stands at 0 is not one that runs`() {
        clock.stop(at: Timestamp(microseconds: 0))
        #expect(clock.mode == .stopped(at: Timestamp(microseconds: 0)))
        #expect(clock.read().world == Timestamp(microseconds: 0))
    }

    /// It goes on as it went: standing, or running.
    @Test(arguments: [0, 1, 86_400_000_000, -5] as [Int64]) func `can be moved forward, running or stopped`(
        by microseconds: Int64
    ) {
        clock.stop(at: Timestamp(seconds: 100))
        clock.advance(by: microseconds)
        clock.advance(by: microseconds)
        #expect(clock.mode == .stopped(at: Timestamp(microseconds: 100_000_000 + 2 * microseconds)))
        clock.run(offset: 7)
        clock.advance(by: microseconds)
        clock.advance(by: microseconds)
        #expect(clock.mode == .running(offset: 7 + 2 * microseconds))
    }

    /// Any changes, one after the other, against two variables.
    @Test(arguments: 1...5) func `agrees with a naive clock`(seed: UInt64) {
        var random = Generator(seed: seed)
        var (isStanding, value) = (false, 0 as Int64)
        for _ in 0..<2_000 {
            let number = Int64(random.number(-2_000_000_000_000_000...2_000_000_000_000_000))
            switch random.number(0...2) {
            case 0:
                clock.stop(at: Timestamp(microseconds: number))
                (isStanding, value) = (true, number)
            case 1:
                clock.run(offset: number)
                (isStanding, value) = (false, number)
            default:
                clock.advance(by: number / 1_000)
                value += number / 1_000
            }
            let reading = clock.read()
            if isStanding {
                #expect(clock.mode == .stopped(at: Timestamp(microseconds: value)))
                #expect(reading.world.microseconds == value)
            } else {
                #expect(clock.mode == .running(offset: value))
                #expect(reading.world.microseconds == reading.system.microseconds + value)
            }
        }
    }

    @Test func `each world has a clock of its own`() throws {
        let (one, other) = (try World(ruleset: Ruleset()), try World(ruleset: Ruleset()))
        _ = one.stopClock(at: Timestamp(seconds: 1))
        let reading = other.clock.read()
        #expect(reading.world == reading.system)
    }
}

import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// When faults fire: one row for each trigger.
@Suite struct FaultTriggerTests {
    /// A trigger, and which of so many occasions in a row it fires for.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let fired: String
        let trigger: FaultTrigger

        init(_ name: String, _ fired: String, _ change: (inout FaultTrigger) -> Void) {
            testDescription = name
            self.fired = fired
            var trigger = FaultTrigger()
            change(&trigger)
            self.trigger = trigger
        }
    }

    private static let second: Int64 = 1_000_000
    private static let start = JudgingWorld.start
    private static func at(_ seconds: Int64) -> Timestamp {
        Timestamp(microseconds: start.microseconds + seconds * second)
    }

    /// The occasions come a second apart, each with one more request before it and a pause of its number in seconds.
    static let cases = [
        Case("always", "xxxxxxxxxx") { _ in }, Case("skip", "...xxxxxxx") { $0.skip = 3 },
        Case("times", "xx........") { $0.times = 2 }, Case("every", "x..x..x..x") { $0.every = 3 },
        Case("skip, every and times", ".x.x.x....") {
            $0.skip = 1
            $0.every = 2
            $0.times = 3
        }, Case("never", "..........") { $0.probability = 0 }, Case("from", "....xxxxxx") { $0.from = at(4) },
        Case("until", "xxxx......") { $0.until = at(4) },
        Case("from and until, counted from there", ".....xx...") {
            $0.from = at(4)
            $0.skip = 1
            $0.until = at(7)
        }, Case("after a pause", ".....xxxxx") { $0.afterIdle = 5 * second },
        Case("after requests", "......xxxx") { $0.afterRequests = 6 },
    ]

    @Test(arguments: cases) func `fires for exactly the requests its conditions select`(_ example: Case) throws {
        let draft = try FaultDraft(when: example.trigger, action: .lose)
        let counters = Locked(Self.counters(1, 1))
        let rule = FaultRule(id: FaultID(number: 1), draft: draft, counters: counters)
        let fired = (0..<10).map { number in
            let occasion = FaultOccasion(
                now: Self.at(Int64(number)), requestsBefore: number, idle: Int64(number) * Self.second)
            return rule.fire(on: occasion) == nil ? "." : "x"
        }
        #expect(fired.joined() == example.fired)
        let fault = rule.snapshot(position: 1)
        #expect(fault.fired == UInt64(example.fired.count { $0 == "x" }))
        #expect(fault.draws.isEmpty)
        let last = fired.lastIndex(of: "x")
        #expect(fault.lastFiredAt == last.map { Self.at(Int64($0)) })
    }

    @Test func `a request that the fault does not apply to is not counted`() throws {
        var trigger = FaultTrigger()
        trigger.from = Self.at(5)
        trigger.afterRequests = 2
        let draft = try FaultDraft(when: trigger, action: .lose)
        let counters = Locked(Self.counters(1, 1))
        let rule = FaultRule(id: FaultID(number: 1), draft: draft, counters: counters)
        #expect(rule.fire(on: FaultOccasion(now: Self.at(4), requestsBefore: 2)) == nil)
        #expect(rule.fire(on: FaultOccasion(now: Self.at(5), requestsBefore: 1)) == nil)
        #expect(rule.snapshot(position: 1).evaluated == 0)
        #expect(rule.fire(on: FaultOccasion(now: Self.at(5), requestsBefore: 2)) != nil)
        #expect(rule.snapshot(position: 1).evaluated == 1)
    }

    @Test func `a pause that was not measured does not count`() {
        var trigger = FaultTrigger()
        trigger.afterIdle = 1
        #expect(!trigger.admits(FaultOccasion(now: Self.start)))
    }

    // MARK: Chance

    private static func counters(_ seed: UInt64, _ stream: UInt64) -> FaultCounters {
        FaultCounters(seed: seed, stream: stream)
    }

    private static func chance(_ probability: Double) -> FaultTrigger {
        var trigger = FaultTrigger()
        trigger.probability = probability
        return trigger
    }

    private static func pattern(_ counters: inout FaultCounters, _ probability: Double, _ count: Int) -> [Bool] {
        (0..<count).map { _ in counters.fires(by: chance(probability), at: start) }
    }

    @Test func `a seed and a stream decide what happens`() {
        var (one, same) = (Self.counters(42, 1), Self.counters(42, 1))
        let first = Self.pattern(&one, 0.5, 64)
        #expect(first == Self.pattern(&same, 0.5, 64))
        #expect(one.draws == same.draws)
        for (seed, stream) in [(42, 2), (43, 1), (1, 42)] as [(UInt64, UInt64)] {
            var other = Self.counters(seed, stream)
            #expect(Self.pattern(&other, 0.5, 64) != first)
        }
        #expect(Set(first).count == 2)
    }

    @Test func `every draw is logged`() {
        var counters = Self.counters(7, 3)
        let fired = Self.pattern(&counters, 0.3, 250)
        let draws = counters.draws
        #expect(draws.count == FaultCounters.remembered.draws)
        #expect(draws.map(\.number) == Array(151...250))
        #expect(draws.map(\.fired) == Array(fired.suffix(100)))
        #expect(draws.allSatisfy { $0.use == .probability && $0.fired == ($0.value < 0.3) })
        #expect(draws.allSatisfy { (0..<1).contains($0.value) })
        #expect(counters.fired == UInt64(fired.count { $0 }))
    }

    @Test(arguments: [0.05, 0.5, 0.95]) func `fires for the chosen share of pushes`(_ probability: Double) {
        var counters = Self.counters(1, 1)
        let fired = Self.pattern(&counters, probability, 20_000).count { $0 }
        #expect(abs(Double(fired) / 20_000 - probability) < 0.02)
    }

    @Test func `a probability of 0 or 1 draws no random number`() {
        for probability in [0.0, 1.0] {
            var counters = Self.counters(1, 1)
            #expect(Set(Self.pattern(&counters, probability, 100)) == [probability == 1])
            #expect(counters.draws.isEmpty)
        }
    }

    @Test func `remembers the last 20 pushes it fired for`() {
        var counters = Self.counters(1, 1)
        for seq in 1...25 as ClosedRange<UInt64> { counters.note(firedFor: seq) }
        #expect(counters.firedFor == Array(6...25))
    }

    // MARK: Delays

    @Test func `delays vary as asked`() {
        var counters = Self.counters(1, 1)
        #expect(counters.time(of: FaultAction.Delay(5_000)) == 5_000)
        #expect(counters.draws.isEmpty)
        let uniform = (0..<2_000).map { _ in counters.time(of: FaultAction.Delay(1_000_000, jitter: 200_000)) }
        #expect(uniform.allSatisfy { (800_000...1_200_000).contains($0) })
        #expect(uniform.contains { $0 < 850_000 } && uniform.contains { $0 > 1_150_000 })
        let normal = (0..<2_000).map { _ in
            counters.time(of: FaultAction.Delay(1_000_000, jitter: 200_000, distribution: .normal))
        }
        let near = normal.count { (800_000...1_200_000).contains($0) }
        #expect((1_250...1_500).contains(near))
        #expect(normal.contains { $0 > 1_300_000 } && normal.contains { $0 < 700_000 })
        // Nothing leaves before it was asked for.
        let early = (0..<200).map { _ in counters.time(of: FaultAction.Delay(0, jitter: 1_000, distribution: .normal)) }
        #expect(early.allSatisfy { $0 >= 0 } && early.contains(0))
        #expect(counters.draws.allSatisfy { $0.use == .delay && $0.fired })
        #expect(counters.draws.last?.value == early.last.map { Double($0) / 1_000 })
    }
}
